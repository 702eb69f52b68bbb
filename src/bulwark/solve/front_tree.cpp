#include <bulwark/solve/front_tree.hpp>

#include <Eigen/SparseCore>

#include <Eigen/OrderingMethods>

#include <algorithm>
#include <numeric>

namespace bulwark {
namespace {

/// Compressed lists: those of item i are in [start[i], start[i + 1]) of entry.
struct Lists {
  std::vector<int> start, entry;
};

/// From pairs (list, entry), given by for_each(visit): entries keep the order in which they are visited.
template <class ForEach>
Lists make_lists(int count, ForEach&& for_each) {
  Lists lists;
  lists.start.assign(count + 2, 0);
  for_each([&](int list, int) { ++lists.start[list + 2]; });
  std::partial_sum(lists.start.begin(), lists.start.end(), lists.start.begin());
  lists.entry.resize(lists.start.back());
  for_each([&](int list, int entry) { lists.entry[lists.start[list + 1]++] = entry; });
  lists.start.pop_back();
  return lists;
}

/// Runs of rows that have the same pattern, and the pairs of them that share blocks. The blocks of a pair
/// (a, b), a < b, are all there, and follow each other in every row of a.
struct NodeGraph {
  struct Edge {
    int a, b, offset;  ///< of the first block of b in the first row of a
  };
  std::vector<int> first;  ///< row of each node, and the end
  std::vector<Edge> edges;

  int size() const { return static_cast<int>(first.size()) - 1; }
  int width(int node) const { return first[node + 1] - first[node]; }
};

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

/// The node that comes k-th.
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

/// The tree of elimination and the pattern of the factor's columns, over nodes in their order.
struct Columns {
  std::vector<int> parent;
  std::vector<int> start, below;  ///< unsorted
};

Columns eliminate(int n, const Lists& later) {
  Columns columns;
  columns.parent.assign(n, -1);
  columns.start.push_back(0);
  std::vector<int> mark(n, -1), first_child(n, -1), sibling(n, -1);
  for (int j = 0; j < n; ++j) {
    mark[j] = j;
    auto add = [&](int i) {
      if (mark[i] == j) return;
      mark[i] = j;
      columns.below.push_back(i);
    };
    for (int k = later.start[j]; k < later.start[j + 1]; ++k) add(later.entry[k]);
    for (int child = first_child[j]; child >= 0; child = sibling[child]) {
      for (int k = columns.start[child]; k < columns.start[child + 1]; ++k) add(columns.below[k]);
    }
    columns.start.push_back(static_cast<int>(columns.below.size()));
    if (columns.start[j] == columns.start[j + 1]) continue;
    const int parent = *std::min_element(columns.below.begin() + columns.start[j], columns.below.end());
    columns.parent[j] = parent;
    sibling[j] = first_child[parent];
    first_child[parent] = j;
  }
  return columns;
}

/// Estimated time of a front of so many scalars, in nanoseconds.
double front_cost(double pivots, double rows) {
  constexpr double fixed = 150, per_entry = 0.5, per_operation = 1.0 / 16;
  return fixed + per_entry * pivots * (pivots + rows) +
         per_operation * pivots * (pivots * pivots / 3 + pivots * rows + rows * rows);
}

/// And of adding its Schur complement into its parent.
double transfer_cost(double rows) {
  return 0.4 * rows * rows;
}

/// The last node of the front in which each one is eliminated. A front takes those of its children with it
/// with which it is estimated to be faster.
std::vector<int> find_fronts(const Columns& columns, const std::vector<int>& width) {
  const int n = static_cast<int>(width.size());
  std::vector<int> pivots(n), rows(n, 0);
  std::vector<char> merged(n, 0);
  for (int j = 0; j < n; ++j) {
    pivots[j] = 3 * width[j];
    for (int k = columns.start[j]; k < columns.start[j + 1]; ++k) rows[j] += 3 * width[columns.below[k]];
  }
  for (int child = 0; child < n; ++child) {
    // Children of the child came before: it has taken what it could.
    const int parent = columns.parent[child];
    if (parent < 0) continue;
    const double apart = front_cost(pivots[child], rows[child]) + transfer_cost(rows[child]) +
                         front_cost(pivots[parent], rows[parent]);
    if (front_cost(pivots[child] + pivots[parent], rows[parent]) > apart) continue;
    merged[child] = 1;
    pivots[parent] += pivots[child];
  }
  std::vector<int> last(n);
  for (int j = n - 1; j >= 0; --j) last[j] = merged[j] ? last[columns.parent[j]] : j;
  return last;
}

/// Items so that each comes after its children.
std::vector<int> postorder(const Lists& children, const std::vector<int>& roots) {
  std::vector<int> order, stack;
  std::vector<int> next = children.start;
  for (int root : roots) {
    stack.push_back(root);
    while (!stack.empty()) {
      const int item = stack.back();
      if (next[item] < children.start[item + 1]) {
        stack.push_back(children.entry[next[item]++]);
      } else {
        order.push_back(item);
        stack.pop_back();
      }
    }
  }
  return order;
}

void append(std::vector<Run>& runs, int begin, int from, int to, int count) {
  if (static_cast<int>(runs.size()) > begin && runs.back().from + runs.back().count == from &&
      runs.back().to + runs.back().count == to) {
    runs.back().count += count;
  } else {
    runs.push_back({from, to, count});
  }
}

}  // namespace

int padded(int rows) {
  const int whole = (rows + 3) / 4 * 4;
  // Columns a power of two apart would compete for the same lines of the cache.
  return whole % 64 == 0 ? whole + 4 : whole;
}

FrontTree::FrontTree(const BlockMatrix& A) {
  const NodeGraph graph = find_nodes(A);
  const int n = graph.size();
  // From here on, nodes are numbered by their order of minimum degree.
  const std::vector<int> node = minimum_degree_order(graph);
  std::vector<int> number(n), width(n);
  for (int j = 0; j < n; ++j) {
    number[node[j]] = j;
    width[j] = graph.width(node[j]);
  }
  const Lists later_edges = make_lists(n, [&](auto&& visit) {
    for (int e = 0; e < static_cast<int>(graph.edges.size()); ++e) {
      const NodeGraph::Edge& edge = graph.edges[e];
      visit(std::min(number[edge.a], number[edge.b]), e);
    }
  });
  Lists later = later_edges;
  for (int j = 0; j < n; ++j) {
    for (int k = later.start[j]; k < later.start[j + 1]; ++k) {
      const NodeGraph::Edge& edge = graph.edges[later.entry[k]];
      later.entry[k] = std::max(number[edge.a], number[edge.b]);
    }
  }
  const Columns columns = eliminate(n, later);
  const std::vector<int> last = find_fronts(columns, width);

  // Fronts by their last node: the tree, and the order in which they are worked off.
  std::vector<int> roots;
  for (int j = 0; j < n; ++j) {
    if (last[j] == j && columns.parent[j] < 0) roots.push_back(j);
  }
  const Lists child_lists = make_lists(n, [&](auto&& visit) {
    for (int j = 0; j < n; ++j) {
      if (last[j] == j && columns.parent[j] >= 0) visit(last[columns.parent[j]], j);
    }
  });
  const std::vector<int> last_node = postorder(child_lists, roots);
  const int count = static_cast<int>(last_node.size());
  std::vector<int> front_of(n);
  for (int f = 0; f < count; ++f) front_of[last_node[f]] = f;
  for (int j = 0; j < n; ++j) front_of[j] = front_of[last[j]];

  // The nodes' final order: that of their fronts.
  const Lists members = make_lists(count, [&](auto&& visit) {
    for (int j = 0; j < n; ++j) visit(front_of[j], j);
  });
  std::vector<int> position(n);  // first unknown of a node
  order.reserve(A.rows);
  for (int j : members.entry) {
    position[j] = 3 * static_cast<int>(order.size());
    for (int r = 0; r < width[j]; ++r) order.push_back(graph.first[node[j]] + r);
  }
  // Rows below the fronts' pivots, by that order: fronts are listed per node, and nodes per front then.
  const Lists fronts_over = make_lists(n, [&](auto&& visit) {
    for (int f = 0; f < count; ++f) {
      for (int k = columns.start[last_node[f]]; k < columns.start[last_node[f] + 1]; ++k)
        visit(columns.below[k], f);
    }
  });
  const Lists below = make_lists(count, [&](auto&& visit) {
    for (int j : members.entry) {
      for (int k = fronts_over.start[j]; k < fronts_over.start[j + 1]; ++k) visit(fronts_over.entry[k], j);
    }
  });

  fronts.resize(count);
  for (int f = count - 1; f >= 0; --f) {
    const int parent = columns.parent[last_node[f]];
    if (parent < 0) continue;
    fronts[f].parent = front_of[parent];
    fronts[f].stack = 1 - fronts[fronts[f].parent].stack;
  }
  std::array<std::size_t, 2> top{};
  std::vector<int> local(n);  // a node's first row in the present front, among the pivots or below them
  for (int f = 0; f < count; ++f) {
    Front& front = fronts[f];
    front.first = position[members.entry[members.start[f]]];
    for (int k = members.start[f]; k < members.start[f + 1]; ++k) {
      const int j = members.entry[k];
      local[j] = front.pivots;
      front.pivots += 3 * width[j];
    }
    front.positions.begin = static_cast<int>(runs.size());
    for (int k = below.start[f]; k < below.start[f + 1]; ++k) {
      const int j = below.entry[k];
      local[j] = front.rows;
      append(runs, front.positions.begin, front.rows, position[j], 3 * width[j]);
      front.rows += 3 * width[j];
    }
    front.positions.end = static_cast<int>(runs.size());
    most_rows = std::max(most_rows, front.rows);
    front.diagonal_stride = padded(front.pivots);
    front.below_stride = padded(front.rows);
    front.diagonal = factor_size;
    front.below = front.diagonal + static_cast<std::size_t>(front.diagonal_stride) * front.pivots;
    factor_size = front.below + static_cast<std::size_t>(front.below_stride) * front.pivots;

    front.update = top[front.stack];
    top[front.stack] += static_cast<std::size_t>(front.below_stride) * front.rows;
    stack_size[front.stack] = std::max(stack_size[front.stack], top[front.stack]);
    front.children.begin = static_cast<int>(children.size());
    for (int k = child_lists.start[last_node[f]]; k < child_lists.start[last_node[f] + 1]; ++k) {
      const int c = front_of[child_lists.entry[k]];
      children.push_back(c);
      Front& child = fronts[c];
      top[child.stack] = std::min(top[child.stack], child.update);
      int row = 0, i = below.start[c];
      auto map_rows = [&](bool pivots) {
        const Range range{static_cast<int>(runs.size()), 0};
        for (; i < below.start[c + 1] && (front_of[below.entry[i]] == f) == pivots; ++i) {
          const int rows = 3 * width[below.entry[i]];
          append(runs, range.begin, row, local[below.entry[i]], rows);
          row += rows;
        }
        return Range{range.begin, static_cast<int>(runs.size())};
      };
      child.to_parent_pivots = map_rows(true);
      child.to_parent_below = map_rows(false);
    }
    front.children.end = static_cast<int>(children.size());

    front.placements.begin = static_cast<int>(placements.size());
    for (int k = members.start[f]; k < members.start[f + 1]; ++k) {
      const int j = members.entry[k], own = node[j];
      const std::size_t diagonal_column =
          front.diagonal + static_cast<std::size_t>(local[j]) * front.diagonal_stride;
      const std::size_t below_column = front.below + static_cast<std::size_t>(local[j]) * front.below_stride;
      placements.push_back({graph.first[own], 0, width[j], width[j], front.diagonal_stride, true,
                            diagonal_column + local[j]});
      for (int e = later_edges.start[j]; e < later_edges.start[j + 1]; ++e) {
        const NodeGraph::Edge& edge = graph.edges[later_edges.entry[e]];
        const int other = number[edge.a] == j ? number[edge.b] : number[edge.a];
        const bool pivot = front_of[other] == f;
        placements.push_back({graph.first[edge.a], edge.offset, graph.width(edge.a), graph.width(edge.b),
                              pivot ? front.diagonal_stride : front.below_stride, edge.a == own,
                              (pivot ? diagonal_column : below_column) + local[other]});
      }
    }
    front.placements.end = static_cast<int>(placements.size());
  }
}

}  // namespace bulwark
