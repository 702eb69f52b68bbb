#include <bulwark/base/error.hpp>
#include <bulwark/solve/linear_solver.hpp>

namespace bulwark {
namespace {

/// Unknowns from which iterations are tried first: below, a factorisation takes milliseconds.
constexpr int smallest_iterative_system = 20'000;
/// Iterations that cost about as much as a factorisation at the sizes where they are tried.
constexpr int tried_iterations = 300;
/// Unknowns above which nothing is factorised: a solid's factor is then some gigabytes.
constexpr int largest_direct_system = 400'000;

class AutoSolver : public LinearSolver {
 public:
  bool solve(const BlockMatrix& A, const VectorX& b, VectorX& x) override {
    const int unknowns = 3 * A.rows;
    if (unknowns > largest_direct_system) return patient_->solve(A, b, x);
    if (unknowns >= smallest_iterative_system && !gave_up_) {
      if (hasty_->solve(A, b, x)) return true;
      gave_up_ = true;
    }
    return direct_->solve(A, b, x);
  }
  void begin_step() override {
    gave_up_ = false;
    direct_->begin_step();
  }

 private:
  std::unique_ptr<LinearSolver> direct_ = make_cholesky();
  std::unique_ptr<LinearSolver> hasty_ = make_conjugate_gradient(1e-6, tried_iterations);
  std::unique_ptr<LinearSolver> patient_ = make_conjugate_gradient();
  bool gave_up_ = false;  ///< in this time step
};

}  // namespace

std::unique_ptr<LinearSolver> make_linear_solver(const std::string& name) {
  if (name == "auto") return std::make_unique<AutoSolver>();
  if (name == "cholesky") return make_cholesky();
  if (name == "cg") return make_conjugate_gradient();
  throw InputError("/solver/linear", "unknown solver '" + name + "'", "use one of: auto, cholesky, cg");
}

}  // namespace bulwark
