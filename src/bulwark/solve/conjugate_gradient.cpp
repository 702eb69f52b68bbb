#include <bulwark/base/parallel.hpp>
#include <bulwark/solve/linear_solver.hpp>

#include <Eigen/LU>
#include <numeric>

namespace bulwark {
namespace {

class ConjugateGradient : public LinearSolver {
 public:
  ConjugateGradient(double tolerance, int max_iterations)
      : tolerance_(tolerance), max_iterations_(max_iterations) {}

  bool solve(const BlockMatrix& A, const VectorX& b, VectorX& x) override {
    const int n = A.rows;
    update_rows(A);
    copy_values(A);
    inverse_diagonal_.resize(n);
    bool positive = true;
    for (int i = 0; i < n; ++i) {
      const Matrix3& d = A.value[A.row_start[i]];
      if (!(d.trace() > 0)) positive = false;
      inverse_diagonal_[i] = d.inverse();
    }
    if (!positive) return false;
    x.setZero(3 * n);
    VectorX r = b, z(3 * n), p(3 * n), Ap(3 * n);
    precondition(r, z);
    p = z;
    double rz = dot(r, z);
    const double target = tolerance_ * tolerance_ * dot(b, b);
    const int max_iterations = max_iterations_ > 0 ? max_iterations_ : 10 * 3 * n + 100;
    for (int iteration = 0; iteration < max_iterations; ++iteration) {
      if (dot(r, r) <= target) return true;
      if (iteration % iterations_between_questions == 0) stop_if_requested(stop_);
      multiply(p, Ap);
      const double curvature = dot(p, Ap);
      if (!(curvature > 0)) return false;
      const double alpha = rz / curvature;
      x += alpha * p;
      r -= alpha * Ap;
      precondition(r, z);
      const double rz_new = dot(r, z);
      p = z + (rz_new / rz) * p;
      rz = rz_new;
    }
    return false;
  }

  void set_stop(const StopRequest& stop) override { stop_ = stop; }

 private:
  struct Entry {
    int column;
    int value;  ///< index of the block; transposed when below the diagonal
    bool transposed;
  };

  /// Full rows of the symmetric matrix, so that rows can be multiplied in parallel.
  void update_rows(const BlockMatrix& A) {
    if (A.pattern_version == pattern_version_ && static_cast<int>(start_.size()) == A.rows + 1) return;
    pattern_version_ = A.pattern_version;
    start_.assign(A.rows + 1, 0);
    for (int i = 0; i < A.rows; ++i) {
      for (int k = A.row_start[i]; k < A.row_start[i + 1]; ++k) {
        ++start_[i + 1];
        if (A.column[k] != i) ++start_[A.column[k] + 1];
      }
    }
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    entries_.resize(start_.back());
    std::vector<int> next(start_.begin(), start_.end() - 1);
    for (int i = 0; i < A.rows; ++i) {
      for (int k = A.row_start[i]; k < A.row_start[i + 1]; ++k) {
        const int j = A.column[k];
        entries_[next[i]++] = {j, k, false};
        if (j != i) entries_[next[j]++] = {i, k, true};
      }
    }
  }

  /// The blocks in the order in which rows are multiplied: memory is then read from its beginning to its end, and
  /// not twice at places that lie anywhere.
  void copy_values(const BlockMatrix& A) {
    values_.resize(9 * entries_.size() + 1);
    parallel_for(entries_.size(), [&](std::size_t e) {
      const Matrix3& block = A.value[entries_[e].value];
      Eigen::Map<Matrix3> copy(&values_[9 * e]);
      if (entries_[e].transposed) {
        copy = block.transpose();
      } else {
        copy = block;
      }
    });
  }

  void multiply(const VectorX& x, VectorX& y) const {
    // Columns are read as four numbers, of which the last is the next column's and its sum is dropped.
    using Column = Eigen::Map<const Eigen::Array4d>;
    parallel_for(start_.size() - 1, [&](std::size_t i) {
      Eigen::Array4d sum = Eigen::Array4d::Zero();
      for (int e = start_[i]; e < start_[i + 1]; ++e) {
        const double* block = &values_[9 * static_cast<std::size_t>(e)];
        const double* part = x.data() + 3 * entries_[e].column;
        sum += Column(block) * part[0] + Column(block + 3) * part[1] + Column(block + 6) * part[2];
      }
      y.segment<3>(3 * static_cast<Eigen::Index>(i)) = sum.head<3>().matrix();
    });
  }

  void precondition(const VectorX& r, VectorX& z) const {
    parallel_for(inverse_diagonal_.size(),
                 [&](std::size_t i) { z.segment<3>(3 * i) = inverse_diagonal_[i] * r.segment<3>(3 * i); });
  }

  static double dot(const VectorX& a, const VectorX& b) {
    return parallel_sum(a.size(), [&](std::size_t i) { return a[i] * b[i]; });
  }

  static constexpr int iterations_between_questions = 16;

  double tolerance_;
  int max_iterations_;
  StopRequest stop_;
  std::uint64_t pattern_version_ = 0;
  std::vector<int> start_;
  std::vector<Entry> entries_;
  std::vector<double> values_;  ///< of the entries' blocks, by columns, and one number more
  std::vector<Matrix3> inverse_diagonal_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_conjugate_gradient(double tolerance, int max_iterations) {
  return std::make_unique<ConjugateGradient>(tolerance, max_iterations);
}

}  // namespace bulwark
