#include <bulwark/base/parallel.hpp>
#include <bulwark/solve/linear_solver.hpp>
#include <bulwark/solve/multilevel_schwarz.hpp>

#include <algorithm>
#include <numeric>

namespace bulwark {
namespace {

/// Rows that one task works on, and whose sums are added up in order.
constexpr std::size_t rows_together = 256;

class ConjugateGradient : public LinearSolver {
 public:
  explicit ConjugateGradient(int max_iterations) : max_iterations_(max_iterations) {}

  bool solve(const LinearSystem& system, VectorX& x) override {
    const BlockMatrix& A = system.matrix;
    const int n = A.rows;
    x.setZero(3 * n);
    for (int i = 0; i < n; ++i) {
      if (!(A.value[A.row_start[i]].trace() > 0)) return false;
    }
    if (n == 0) return true;
    const bool other_rows = fresh_ || rows_.rows() != n;
    const bool other_pattern = other_rows || A.pattern_version != pattern_version_;
    if (other_pattern) order_rows(A, other_rows);
    fresh_ = false;
    pattern_version_ = A.pattern_version;
    copy_values(A);
    place_modes(system);
    const MultilevelSchwarz::New what = other_rows      ? MultilevelSchwarz::New::rows
                                        : other_pattern ? MultilevelSchwarz::New::pattern
                                                        : MultilevelSchwarz::New::values;
    if (!preconditioner_.update(rows_, clusters_, modes_, what)) {
      fresh_ = true;  // some levels are of this matrix and some of an earlier one
      return false;
    }

    VectorX solution = VectorX::Zero(3 * n), r(3 * n), z(3 * n), p(3 * n), Ap(3 * n);
    parallel_for(n,
                 [&](std::size_t i) { r.segment<3>(3 * i) = system.rhs.segment<3>(3 * clusters_.order[i]); });
    auto nothing = [](std::size_t, std::size_t) {};
    double rz = preconditioner_.apply(r, z, nothing);
    p = z;
    // In the norm of M^-1, where units do not count.
    const double target = system.tolerance * system.tolerance * rz;
    const int most = max_iterations_ > 0 ? max_iterations_ : 10 * 3 * n + 100;
    bool converged = rz == 0;
    for (int iteration = 0; iteration < most && !converged; ++iteration) {
      if (iteration % iterations_between_questions == 0) stop_if_requested(stop_);
      ++effort_.iterations;
      const double curvature = multiply(p, Ap);
      if (!(curvature > 0) || !(rz > 0)) return false;
      const double alpha = rz / curvature;
      auto advance = [&](std::size_t begin, std::size_t end) {
        const auto at = static_cast<Eigen::Index>(3 * begin),
                   size = static_cast<Eigen::Index>(3 * (end - begin));
        solution.segment(at, size) += alpha * p.segment(at, size);
        r.segment(at, size) -= alpha * Ap.segment(at, size);
      };
      const double rz_new = preconditioner_.apply(r, z, advance);
      const double beta = rz_new / rz;
      rz = rz_new;
      converged = rz <= target;
      if (converged) break;
      parallel_chunks(n, rows_together, [&](std::size_t begin, std::size_t end, std::size_t) {
        const auto at = static_cast<Eigen::Index>(3 * begin),
                   size = static_cast<Eigen::Index>(3 * (end - begin));
        p.segment(at, size) = z.segment(at, size) + beta * p.segment(at, size);
      });
    }
    parallel_for(n,
                 [&](std::size_t i) { x.segment<3>(3 * clusters_.order[i]) = solution.segment<3>(3 * i); });
    return converged;
  }

  LinearEffort effort() const override { return effort_; }
  void begin_step() override {
    effort_ = {0, true};
    fresh_ = true;
  }
  void set_stop(const StopRequest& stop) override { stop_ = stop; }

 private:
  /// Block k of the matrix at an entry of the rows; transposed where it is below the diagonal.
  struct Source {
    int value;
    bool transposed;
  };

  /// Full rows, in the order of the matrix.
  void full_rows(const BlockMatrix& A, BlockRows<3>& rows, std::vector<Source>& sources) {
    rows.start.assign(A.rows + 1, 0);
    for (int i = 0; i < A.rows; ++i) {
      for (int k = A.row_start[i]; k < A.row_start[i + 1]; ++k) {
        ++rows.start[i + 1];
        if (A.column[k] != i) ++rows.start[A.column[k] + 1];
      }
    }
    std::partial_sum(rows.start.begin(), rows.start.end(), rows.start.begin());
    rows.column.resize(rows.start.back());
    sources.resize(rows.start.back());
    std::vector<int> next(rows.start.begin(), rows.start.end() - 1);
    for (int i = 0; i < A.rows; ++i) {
      for (int k = A.row_start[i]; k < A.row_start[i + 1]; ++k) {
        const int j = A.column[k];
        rows.column[next[i]] = j;
        sources[next[i]++] = {k, false};
        if (j == i) continue;
        rows.column[next[j]] = i;
        sources[next[j]++] = {k, true};
      }
    }
    rows.make_room();
  }

  /// Finds clusters, and puts the rows into their order: memory is then read from its beginning to its end, and what
  /// belongs together lies together. Contacts come and go; the clusters of a step's first system serve the others too.
  void order_rows(const BlockMatrix& A, bool other_rows) {
    BlockRows<3> unordered;
    std::vector<Source> sources;
    full_rows(A, unordered, sources);
    if (other_rows) {
      sources_ = sources;
      rows_ = std::move(unordered);
      copy_values(A);
      unordered = std::move(rows_);
      clusters_ = MultilevelSchwarz::clusters_of(unordered);
    }
    std::vector<int> place(A.rows);
    for (int i = 0; i < A.rows; ++i) place[clusters_.order[i]] = i;
    rows_.start.assign(A.rows + 1, 0);
    for (int i = 0; i < A.rows; ++i) {
      const int row = clusters_.order[i];
      rows_.start[i + 1] = rows_.start[i] + unordered.start[row + 1] - unordered.start[row];
    }
    rows_.column.resize(unordered.column.size());
    sources_.resize(sources.size());
    parallel_for(A.rows, [&](std::size_t i) {
      thread_local std::vector<std::pair<int, int>> entries;
      entries.clear();
      const int row = clusters_.order[i];
      for (int e = unordered.start[row]; e < unordered.start[row + 1]; ++e)
        entries.emplace_back(place[unordered.column[e]], e);
      std::sort(entries.begin(), entries.end());
      int at = rows_.start[i];
      for (const auto& [column, e] : entries) {
        rows_.column[at] = column;
        sources_[at++] = sources[e];
      }
    });
  }

  void copy_values(const BlockMatrix& A) {
    rows_.make_room();
    parallel_for(sources_.size(), [&](std::size_t e) {
      const Matrix3& block = A.value[sources_[e].value];
      if (sources_[e].transposed) {
        rows_.block(static_cast<int>(e)) = block.transpose();
      } else {
        rows_.block(static_cast<int>(e)) = block;
      }
    });
  }

  void place_modes(const LinearSystem& system) {
    modes_.assign(system.matrix.rows, {});
    if (system.modes.empty()) return;
    parallel_for(modes_.size(), [&](std::size_t i) { modes_[i] = system.modes[clusters_.order[i]]; });
  }

  /// y = A x; returns x . y.
  double multiply(const VectorX& x, VectorX& y) {
    // Columns are read as four numbers, of which the last is the next column's and its sum is dropped.
    using Column = Eigen::Map<const Eigen::Array4d>;
    const std::size_t count = rows_.start.size() - 1;
    sums_.resize((count + rows_together - 1) / rows_together);
    parallel_chunks(count, rows_together, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
      double product = 0;
      for (std::size_t i = begin; i < end; ++i) {
        Eigen::Array4d sum = Eigen::Array4d::Zero();
        for (int e = rows_.start[i]; e < rows_.start[i + 1]; ++e) {
          const double* block = &rows_.value[9 * static_cast<std::size_t>(e)];
          const double* part = x.data() + 3 * static_cast<std::size_t>(rows_.column[e]);
          sum += Column(block) * part[0] + Column(block + 3) * part[1] + Column(block + 6) * part[2];
        }
        const auto at = 3 * static_cast<Eigen::Index>(i);
        y.segment<3>(at) = sum.head<3>().matrix();
        product += y.segment<3>(at).dot(x.segment<3>(at));
      }
      sums_[chunk] = product;
    });
    return std::accumulate(sums_.begin(), sums_.end(), 0.0);
  }

  static constexpr int iterations_between_questions = 16;

  int max_iterations_;
  StopRequest stop_;
  LinearEffort effort_ = {0, true};
  bool fresh_ = true;  ///< nothing of an earlier system may be used
  std::uint64_t pattern_version_ = 0;
  RowClusters clusters_;
  BlockRows<3> rows_;  ///< in the order of the clusters
  std::vector<Source> sources_;
  std::vector<RigidMode> modes_;
  MultilevelSchwarz preconditioner_;
  std::vector<double> sums_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_conjugate_gradient(int max_iterations) {
  return std::make_unique<ConjugateGradient>(max_iterations);
}

}  // namespace bulwark
