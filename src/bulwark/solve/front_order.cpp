#include <bulwark/solve/front_order.hpp>

#include <Eigen/SparseCore>

#include <Eigen/OrderingMethods>

#include <metis.h>

#include <algorithm>
#include <mutex>
#include <numeric>

namespace bulwark {

NodeGraph find_nodes(const BlockMatrix& A) {
  // Does row i continue the node of row i - 1? Not where their rows differ, nor where another row has only
  // one of them.
  std::vector<char> continues(A.rows + 1, 0);
  for (int i = 1; i < A.rows; ++i) {
    const int before = A.row_start[i - 1] + 1, own = A.row_start[i], end = A.row_start[i + 1];
    continues[i] = own - before == end - own &&
                   std::equal(A.column.begin() + before, A.column.begin() + own, A.column.begin() + own);
  }
  for (int i = 0; i < A.rows; ++i) {
    const int end = A.row_start[i + 1];
    for (int k = A.row_start[i] + 1; k < end; ++k) {
      const int j = A.column[k];
      if (A.column[k - 1] != j - 1) continues[j] = 0;
      if (k + 1 == end || A.column[k + 1] != j + 1) continues[j + 1] = 0;
    }
  }
  NodeGraph graph;
  std::vector<int> node_of(A.rows);
  for (int i = 0; i < A.rows; ++i) {
    if (!continues[i]) graph.first.push_back(i);
    node_of[i] = static_cast<int>(graph.first.size()) - 1;
  }
  graph.first.push_back(A.rows);
  for (int a = 0; a < graph.size(); ++a) {
    const int begin = A.row_start[graph.first[a]], end = A.row_start[graph.first[a] + 1];
    for (int k = begin + graph.width(a); k < end;) {
      const int b = node_of[A.column[k]];
      graph.edges.push_back({a, b, k - begin});
      k += graph.width(b);
    }
  }
  return graph;
}

std::vector<int> minimum_degree_order(const NodeGraph& graph) {
  const int n = graph.size();
  Eigen::SparseMatrix<float> lower(n, n);
  lower.resizeNonZeros(n + static_cast<Eigen::Index>(graph.edges.size()));
  std::size_t e = 0;
  int out = 0;
  for (int a = 0; a < n; ++a) {
    lower.outerIndexPtr()[a] = out;
    lower.innerIndexPtr()[out++] = a;
    for (; e < graph.edges.size() && graph.edges[e].a == a; ++e)
      lower.innerIndexPtr()[out++] = graph.edges[e].b;
  }
  lower.outerIndexPtr()[n] = out;
  std::fill_n(lower.valuePtr(), out, 1.0f);
  Eigen::AMDOrdering<int>::PermutationType permutation;
  Eigen::AMDOrdering<int>()(lower.selfadjointView<Eigen::Lower>(), permutation);
  return {permutation.indices().data(), permutation.indices().data() + n};
}

std::vector<int> dissected_order(const NodeGraph& graph) {
  idx_t n = graph.size();
  std::vector<idx_t> start(n + 1, 0), weight(n);
  for (int a = 0; a < graph.size(); ++a) weight[a] = graph.width(a);
  for (const NodeGraph::Edge& edge : graph.edges) {
    ++start[edge.a + 1];
    ++start[edge.b + 1];
  }
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<idx_t> neighbour(start.back()), next(start.begin(), start.end() - 1);
  for (const NodeGraph::Edge& edge : graph.edges) {
    neighbour[next[edge.a]++] = edge.b;
    neighbour[next[edge.b]++] = edge.a;
  }
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  std::vector<idx_t> order(n), inverse(n);
  // METIS draws its random numbers from the process's generator: two calls at once would disturb each other.
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (METIS_NodeND(&n, start.data(), neighbour.data(), weight.data(), options, order.data(),
                   inverse.data()) != METIS_OK) {
    return {};
  }
  return {order.begin(), order.end()};
}

}  // namespace bulwark
