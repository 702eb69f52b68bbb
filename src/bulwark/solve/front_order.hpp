// In which order the nodes of a block matrix are eliminated in a Cholesky factorisation by fronts
// (front_tree.hpp), so that little is filled in.
#pragma once

#include <bulwark/math/block_matrix.hpp>

#include <vector>

namespace bulwark {

/// Runs of rows that have the same pattern, and the pairs of them that share blocks. The blocks of a pair
/// (a, b), a < b, are all there, and follow each other in every row of a.
struct NodeGraph {
  struct Edge {
    int a, b, offset;  ///< of the first block of b in the first row of a
  };
  std::vector<int> first;   ///< row of each node, and the end
  std::vector<Edge> edges;  ///< by rising a, then b

  int size() const { return static_cast<int>(first.size()) - 1; }
  int width(int node) const { return first[node + 1] - first[node]; }
};

NodeGraph find_nodes(const BlockMatrix& pattern);

/// The node that comes k-th, by minimum degree: found quickly, and good for small systems and for those that
/// are hardly more than trees.
std::vector<int> minimum_degree_order(const NodeGraph& graph);

/// The same by nested dissection, which fills in less of large surfaces and solids. Empty where the library
/// for it is missing.
std::vector<int> dissected_order(const NodeGraph& graph);

}  // namespace bulwark
