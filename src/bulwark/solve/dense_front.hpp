// The dense arithmetic of one front of a Cholesky factorisation (front_tree.hpp): its columns of L, and its Schur
// complement. Large ones are worked off in blocks that fit into the caches. However they are cut, every
// number is the same chain of operations: its bits do not depend on it, nor on the number of threads.
#pragma once

#include <cstddef>

namespace bulwark {

/// All by columns, of which the strides are padded().
struct DenseFront {
  int pivots, rows;  ///< rows below the pivots
  double* diagonal;  ///< lower triangle of the pivots
  int diagonal_stride;
  double* below;
  int below_stride;
  double* update;   ///< Schur complement, lower triangle, of the stride of `below`
  double* scratch;  ///< of scratch_size(pivots, rows)
  bool shared;      ///< among the threads
};

/// Numbers that the arithmetic needs for itself.
std::size_t scratch_size(int pivots, int rows);

/// Columns of L, with reciprocals on the diagonal, in place. False when a pivot is not positive.
bool factorise(const DenseFront& front);

/// update = -B B^T, the lower triangle.
void reduce(const DenseFront& front);

}  // namespace bulwark
