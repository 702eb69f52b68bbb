// Cholesky factorisation by dense fronts of 3x3 blocks:  P A P^T = L L^T. It finds its way in a new pattern
// quickly, and loses little time on small blocks: for systems such as those of stiff bodies, of 6 or 12
// unknowns each, whose contacts change in every iteration. Large systems are shared among the threads, by subtrees
// and within large fronts.
#pragma once

#include <bulwark/solve/dense_front.hpp>
#include <bulwark/solve/front_tree.hpp>
#include <bulwark/solve/page_buffer.hpp>

#include <limits>

namespace bulwark {

class BlockCholesky {
 public:
  /// An order of elimination that takes long to find serves other patterns too, from here until the next call.
  /// Without any call each pattern has its own.
  void begin_step();
  /// Prepares for matrices of A's pattern. False when they take more multiplications than `most_operations`.
  bool analyse(const BlockMatrix& A, double most_operations = std::numeric_limits<double>::infinity());
  /// Computes L. False when A is not positive definite.
  bool factorise(const BlockMatrix& A);
  /// x = A^-1 b, for the matrix last factorised.
  void substitute(const VectorX& b, VectorX& x);
  /// Both. False when A is not positive definite.
  bool solve(const BlockMatrix& A, const VectorX& b, VectorX& x);

 private:
  bool factorise(const BlockMatrix& A, const Front& front, double* scratch, bool shared);
  void place(const BlockMatrix& A, const Front& front);
  void add_to_pivots(const Front& child, const Front& parent, int begin, int end);
  void add_to_update(const Front& child, const Front& parent, int begin, int end);
  void take(const VectorX& b);
  void substitute_forward(const Front& front);
  void substitute_backward(VectorX& x);
  void substitute_backward(const Front& front);
  template <class Visit>
  bool climb(Visit&& visit);

  FrontTree tree_;
  bool analysed_ = false;
  std::uint64_t pattern_version_ = 0;  ///< that tree_ is of
  bool in_step_ = false;               ///< orders serve other patterns of the same step
  bool fresh_ = true;                  ///< no pattern of this step was analysed yet
  bool borrowed_ = false;              ///< tree_ has the order of another pattern
  DissectedOrder order_;
  std::vector<int> ordered_rows_, ordered_columns_;  ///< the pattern that order_ was found for
  PageBuffer factor_;                                ///< L, with reciprocals on its diagonal
  PageBuffer updates_;                               ///< Schur complements
  PageBuffer scratch_;                               ///< for the arithmetic of fronts, each subtree's its own
  std::vector<std::size_t> scratch_of_;
  VectorX solution_;    ///< in the order of elimination
  PageBuffer carried_;  ///< of the rows below the fronts
};

}  // namespace bulwark
