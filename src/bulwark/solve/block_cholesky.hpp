// Cholesky factorisation by dense fronts of 3x3 blocks, on one thread:  P A P^T = L L^T. It finds its way in
// a new pattern quickly, and loses little time on small blocks: for systems such as those of stiff bodies, of
// 6 or 12 unknowns each, whose contacts change in every iteration.
#pragma once

#include <bulwark/solve/front_tree.hpp>

#include <limits>

namespace bulwark {

class BlockCholesky {
 public:
  /// Prepares for matrices of A's pattern. False when they take more multiplications than `most_operations`.
  bool analyse(const BlockMatrix& A, double most_operations = std::numeric_limits<double>::infinity());
  /// x = A^-1 b. False when A is not positive definite.
  bool solve(const BlockMatrix& A, const VectorX& b, VectorX& x);

 private:
  void place(const BlockMatrix& A, const Front& front);
  void add_to_pivots(const Front& child, const Front& parent);
  void add_to_update(const Front& child, const Front& parent);
  bool factorise(const Front& front);
  void reduce(const Front& front);
  void substitute_forward(const Front& front);
  void substitute_backward(const Front& front);
  double* update(const Front& front) { return stack_[front.stack].data() + front.update; }

  FrontTree tree_;
  bool analysed_ = false;
  std::uint64_t pattern_version_ = 0;  ///< that tree_ is of
  VectorX factor_;                     ///< L, with reciprocals on its diagonal
  VectorX stack_[2];                   ///< Schur complements
  VectorX solution_;                   ///< in the order of elimination
  VectorX gathered_;                   ///< of the rows below a front
};

}  // namespace bulwark
