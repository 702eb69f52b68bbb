#include <bulwark/base/error.hpp>
#include <bulwark/base/joined_sets.hpp>
#include <bulwark/solve/block_cholesky.hpp>
#include <bulwark/solve/front_order.hpp>
#include <bulwark/solve/linear_solver.hpp>

#include <algorithm>
#include <optional>
#include <vector>

namespace bulwark {
namespace {

/// Size of a connected component from which iterations are tried first: below, a factorisation takes
/// milliseconds. Islands do not fill each other in, however many they are.
constexpr int smallest_iterative_system = 20'000;
/// Iterations that cost about as much as a factorisation at the sizes where they are tried.
constexpr int tried_iterations = 1000;
/// Unknowns above which nothing is factorised that takes many operations: a solid's factor is then some gigabytes.
constexpr int largest_direct_system = 400'000;
/// Multiplications up to which nothing but a factorisation is considered: some 20 ms.
constexpr double few_operations = 3e8;
/// The same for each block of the matrix: iterations, too, take longer where there are more.
constexpr double few_operations_per_block = 2e4;
/// Size of a connected component above which they are hardly so few: not worth counting.
constexpr int largest_counted_system = 100'000;
/// Bodies that touch in layers, and sheets, fill in little, and stiff contacts take many iterations: there a factorisation
/// is considered at any size, and longer. Such graphs have up to so many neighbours that come after a node: layers of balls
/// have 3 to 4, solids and cloth that bends 6 to 7.
constexpr double few_neighbours = 4.5;
constexpr double few_operations_of_layers = 1e5;  ///< per block; 100,000 balls in five layers take 5.5e4

/// Rows of the largest set that blocks connect.
int largest_island(const BlockMatrix& A) {
  JoinedSets islands(A.rows);
  for (int i = 0; i < A.rows; ++i) {
    for (int k = A.row_start[i]; k < A.row_start[i + 1]; ++k) islands.join(i, A.column[k]);
  }
  std::vector<int> size(A.rows, 0);
  for (int i = 0; i < A.rows; ++i) ++size[islands.find(i)];
  return size.empty() ? 0 : *std::max_element(size.begin(), size.end());
}

class Cholesky : public LinearSolver {
 public:
  /// Whether A is factorised in little time. For the remainder of a time step one large system speaks for all.
  bool is_quick(const BlockMatrix& A) {
    if (too_large_) return false;
    if (A.pattern_version != pattern_version_) {
      pattern_version_ = A.pattern_version;
      const double most = most_operations(A);
      quick_ = most > 0 && fronts_.analyse(A, most);
    }
    too_large_ = !quick_;
    return quick_;
  }
  bool solve(const LinearSystem& system, VectorX& x) override {
    return fronts_.solve(system.matrix, system.rhs, x);
  }
  LinearEffort effort() const override { return {}; }
  void begin_step() override {
    too_large_ = false;
    pattern_version_.reset();
    fronts_.begin_step();
  }

 private:
  /// That a quick factorisation takes; 0 where they are not worth counting.
  static double most_operations(const BlockMatrix& A) {
    const NodeGraph graph = find_nodes(A);
    const auto blocks = static_cast<double>(A.value.size());
    if (static_cast<double>(graph.edges.size()) <= few_neighbours * graph.size())
      return std::max(few_operations, few_operations_of_layers * blocks);
    if (3 * largest_island(A) > largest_counted_system) return 0;
    return std::max(few_operations, few_operations_per_block * blocks);
  }

  BlockCholesky fronts_;
  std::optional<std::uint64_t> pattern_version_;
  bool quick_ = false;      ///< in that pattern
  bool too_large_ = false;  ///< in this time step
};

class AutoSolver : public LinearSolver {
 public:
  bool solve(const LinearSystem& system, VectorX& x) override {
    const BlockMatrix& A = system.matrix;
    loose_ = false;
    if (direct_.is_quick(A)) return direct_.solve(system, x);
    const int unknowns = 3 * A.rows;
    if (unknowns > largest_direct_system) {
      loose_ = true;
      return patient_->solve(system, x);
    }
    if (unknowns >= smallest_iterative_system && !gave_up_ &&
        3 * largest_island(A) >= smallest_iterative_system) {
      loose_ = true;
      if (hasty_->solve(system, x)) return true;
      gave_up_ = true;
      loose_ = false;
    }
    return direct_.solve(system, x);
  }
  LinearEffort effort() const override {
    return {hasty_->effort().iterations + patient_->effort().iterations, loose_};
  }
  void begin_step() override {
    gave_up_ = false;
    direct_.begin_step();
    hasty_->begin_step();
    patient_->begin_step();
  }
  void set_stop(const StopRequest& stop) override {
    direct_.set_stop(stop);
    hasty_->set_stop(stop);
    patient_->set_stop(stop);
  }

 private:
  Cholesky direct_;
  std::unique_ptr<LinearSolver> hasty_ = make_conjugate_gradient(tried_iterations);
  std::unique_ptr<LinearSolver> patient_ = make_conjugate_gradient();
  bool gave_up_ = false;  ///< in this time step
  bool loose_ = false;    ///< the last solution
};

}  // namespace

std::unique_ptr<LinearSolver> make_cholesky() {
  return std::make_unique<Cholesky>();
}

std::unique_ptr<LinearSolver> make_linear_solver(const std::string& name) {
  if (name == "auto") return std::make_unique<AutoSolver>();
  if (name == "cholesky") return make_cholesky();
  if (name == "cg") return make_conjugate_gradient();
  throw InputError("/solver/linear", "unknown solver '" + name + "'", "use one of: auto, cholesky, cg");
}

}  // namespace bulwark
