// Small sets of strongly connected rows of a matrix: the domains of a Schwarz preconditioner, and the nodes of its next
// level.
#pragma once

#include <vector>

namespace bulwark {

/// The graph of a symmetric matrix.
struct RowGraph {
  const std::vector<int>& start;   ///< of each row in the others, and the end
  const std::vector<int>& column;  ///< of each entry; a row's own may be among them
  std::vector<float> strength;     ///< of each entry: how strongly it connects
};

struct RowClusters {
  std::vector<int> order;  ///< rows, cluster after cluster
  std::vector<int> start;  ///< of each cluster in `order`, and the end

  int count() const { return static_cast<int>(start.size()) - 1; }
};

/// Clusters of up to `most` rows, half as many more where small remainders are added to them. Each grows from a row at
/// the rim of earlier ones, by the row that is connected with it most.
RowClusters cluster_rows(const RowGraph& graph, int most);

}  // namespace bulwark
