// Solvers of the symmetric positive definite systems of Newton's method.
#pragma once

#include <bulwark/base/stop_request.hpp>
#include <bulwark/solve/linear_system.hpp>

#include <memory>
#include <string>

namespace bulwark {

/// What solving took since a time step began.
struct LinearEffort {
  int iterations = 0;  ///< of conjugate gradients
  bool loose = false;  ///< the last solution is one to its system's tolerance only
};

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  /// x = A^-1 b. Returns false when A is not positive definite, or the method does not converge.
  virtual bool solve(const LinearSystem& system, VectorX& x) = 0;
  virtual LinearEffort effort() const = 0;
  /// Called at the start of a time step: what was learned in earlier ones may only be used where it does not
  /// change a bit of the results.
  virtual void begin_step() = 0;
  /// Asked between iterations; a solve that is to stop throws Interrupted. A factorisation can't be left.
  virtual void set_stop(const StopRequest& /*stop*/) {}
};

/// Cholesky factorisation by dense fronts (block_cholesky.hpp).
std::unique_ptr<LinearSolver> make_cholesky();
/// CHOLMOD's factorisation, to measure against; none in a build without it.
std::unique_ptr<LinearSolver> make_supernodal_cholesky();
/// Conjugate gradients, preconditioned on several levels (multilevel_schwarz.hpp), to the system's tolerance. Gives up
/// after `max_iterations`; 0 means as many as a system of its size may take.
std::unique_ptr<LinearSolver> make_conjugate_gradient(int max_iterations = 0);
/// By the scene file's name: "cholesky", "cg", or "auto". That takes Cholesky for systems that are small
/// or have few operations; for others it tries some hundreds of conjugate gradient iterations, which soft and
/// compact bodies in motion rarely exceed, and turns to Cholesky for the remainder of the step where they do
/// not suffice. Where a factor would not fit into memory, conjugate gradients do all the work.
std::unique_ptr<LinearSolver> make_linear_solver(const std::string& name);

}  // namespace bulwark
