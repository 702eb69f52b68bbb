#include <bulwark/base/error.hpp>
#include <bulwark/solve/linear_solver.hpp>

namespace bulwark {
namespace {

/// Unknowns above which "auto" turns to the iterative solver: a factor of a solid's system is then some
/// gigabytes.
constexpr int largest_direct_system = 400'000;

class AutoSolver : public LinearSolver {
 public:
  bool solve(const BlockMatrix& A, const VectorX& b, VectorX& x) override {
    const bool iterative = 3 * A.rows > largest_direct_system;
    if (iterative && iterative_->solve(A, b, x)) return true;
    return direct_->solve(A, b, x);
  }
  void begin_step() override { direct_->begin_step(); }

 private:
  std::unique_ptr<LinearSolver> direct_ = make_cholesky();
  std::unique_ptr<LinearSolver> iterative_ = make_conjugate_gradient();
};

}  // namespace

std::unique_ptr<LinearSolver> make_linear_solver(const std::string& name) {
  if (name == "auto") return std::make_unique<AutoSolver>();
  if (name == "cholesky") return make_cholesky();
  if (name == "cg") return make_conjugate_gradient();
  throw InputError("/solver/linear", "unknown solver '" + name + "'", "use one of: auto, cholesky, cg");
}

}  // namespace bulwark
