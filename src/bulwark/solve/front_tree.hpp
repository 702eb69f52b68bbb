// The symbolic half of a Cholesky factorisation by fronts (block_cholesky.cpp): in which order the rows of a
// block matrix are eliminated, which of them together, and where every number goes. Depends on the matrix's
// pattern alone.
//
// Rows that follow each other and have the same neighbours, such as those of one stiff body, are a node.
// Nodes are ordered so that little is filled in (front_order.hpp). A front eliminates one node or several at once (its pivots), and
// passes the Schur complement on the rows below, with which they are connected then, to its parent.
#pragma once

#include <bulwark/math/block_matrix.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace bulwark {

/// `count` numbers that are at `from` in one place and at `to` in another.
struct FrontRun {
  int from, to, count;
};

/// Consecutive elements of an array.
struct FrontRange {
  int begin = 0, end = 0;
};

/// A dense lower trapezoid: the square `diagonal` of its pivots and `below`, both by columns. Sizes, runs and
/// offsets are in scalars.
struct Front {
  int first = 0;   ///< pivot, in the order of elimination
  int pivots = 0;  ///< columns
  int rows = 0;    ///< below the pivots
  int parent = -1;
  bool shared = false;                        ///< so large that threads share it
  int diagonal_stride = 0, below_stride = 0;  ///< from column to column
  std::size_t diagonal = 0, below = 0;        ///< offsets in the factor
  std::size_t update = 0;                     ///< offset of the Schur complement
  std::size_t carried = 0;                    ///< offset of a vector of the rows below
  FrontRange children;                        ///< in FrontTree::children
  FrontRange placements;                      ///< in FrontTree::placements
  FrontRange positions;                       ///< in FrontTree::runs: from rows below to unknowns
  FrontRange to_parent_pivots,
      to_parent_below;  ///< in FrontTree::runs: from rows below to rows of the parent
};

/// A block of nodes of the matrix, rows x columns of its 3x3 blocks, that enters a front.
struct FrontPlacement {
  int row, offset;    ///< first row of blocks, and where in that row the first block is
  int rows, columns;  ///< in 3x3 blocks
  int stride;         ///< of the destination
  bool transposed;
  std::size_t destination;  ///< in the factor
};

/// An order of elimination that took long to find. It may serve other patterns of as many rows.
struct DissectedOrder {
  std::vector<int> row;  ///< that comes k-th
  /// In the pattern that it was found for, and those that minimum degree takes there.
  double operations = 0, quick_operations = 0;
};

struct FrontTree {
  std::vector<int> order;     ///< the block row that comes k-th
  std::vector<Front> fronts;  ///< children before parents
  std::vector<int> children;
  std::vector<FrontPlacement> placements;
  std::vector<FrontRun> runs;
  /// Subtrees, or several side by side, that have nothing to do with each other, and the fronts above them.
  std::vector<FrontRange> subtrees;
  std::vector<int> top;
  std::size_t factor_size = 0, update_size = 0, carried_size = 0;
  int most_rows = 0;            ///< below the pivots of any front
  double operations = 0;        ///< multiplications, rows of zeros that merging adds not counted
  double quick_operations = 0;  ///< by minimum degree
  bool by_known_order = false;
  DissectedOrder dissected;  ///< the order, where it was found so now
};

/// Nothing where a factorisation takes more than `most_operations`, or would by minimum degree by far. A
/// `known` order is used where it takes little more than in its own pattern.
std::optional<FrontTree> find_fronts(const BlockMatrix& pattern, double most_operations,
                                     const DissectedOrder& known = {});

/// Whether find_fronts would give the tree where no more operations are allowed than that.
bool takes_at_most(const FrontTree& tree, double most_operations);

/// A column's length with room for whole vector registers.
int padded(int rows);

}  // namespace bulwark
