#include <bulwark/base/error.hpp>
#include <bulwark/solve/linear_solver.hpp>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace bulwark {
namespace {

/// Unknowns that hang together from which iterations are tried first: below, a factorisation takes
/// milliseconds. Islands do not fill each other in, however many they are.
constexpr int smallest_iterative_system = 20'000;
/// Iterations that cost about as much as a factorisation at the sizes where they are tried.
constexpr int tried_iterations = 300;
/// Unknowns above which nothing is factorised: a solid's factor is then some gigabytes.
constexpr int largest_direct_system = 400'000;

/// Rows of the largest set that blocks connect.
int largest_island(const BlockMatrix& A) {
  std::vector<int> parent(A.rows), size(A.rows, 1);
  std::iota(parent.begin(), parent.end(), 0);
  auto root = [&parent](int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (int i = 0; i < A.rows; ++i) {
    for (int k = A.row_start[i]; k < A.row_start[i + 1]; ++k) {
      int a = root(i), b = root(A.column[k]);
      if (a == b) continue;
      if (size[a] < size[b]) std::swap(a, b);
      parent[b] = a;
      size[a] += size[b];
    }
  }
  return size.empty() ? 0 : *std::max_element(size.begin(), size.end());
}

class AutoSolver : public LinearSolver {
 public:
  bool solve(const BlockMatrix& A, const VectorX& b, VectorX& x) override {
    const int unknowns = 3 * A.rows;
    if (unknowns > largest_direct_system) return patient_->solve(A, b, x);
    if (unknowns >= smallest_iterative_system && !gave_up_ &&
        3 * largest_island(A) >= smallest_iterative_system) {
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
