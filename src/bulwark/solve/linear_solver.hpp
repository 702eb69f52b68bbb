// Solvers of the symmetric positive definite systems of Newton's method.
#pragma once

#include <bulwark/math/block_matrix.hpp>

#include <memory>
#include <string>

namespace bulwark {

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  /// x = A^-1 b. Returns false when A is not positive definite, or the method does not converge.
  virtual bool solve(const BlockMatrix& A, const VectorX& b, VectorX& x) = 0;
  /// Called at the start of a time step: what was learned in earlier ones may only be used where it does not
  /// change a bit of the results.
  virtual void begin_step() {}
};

/// Supernodal Cholesky factorisation; the symbolic part is kept while the pattern holds.
std::unique_ptr<LinearSolver> make_cholesky();
/// Conjugate gradients with a block-diagonal preconditioner, to a relative residual of `tolerance`.
std::unique_ptr<LinearSolver> make_conjugate_gradient(double tolerance = 1e-6);
/// By the scene file's name: "cholesky", "cg", or "auto", which takes Cholesky up to a size where its memory
/// would hurt.
std::unique_ptr<LinearSolver> make_linear_solver(const std::string& name);

}  // namespace bulwark
