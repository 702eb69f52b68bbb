#include <bulwark/base/error.hpp>
#include <bulwark/solve/linear_solver.hpp>
#include <bulwark/solve/single_threaded_blas.hpp>

#ifdef BULWARK_HAS_CHOLMOD

#include <cholmod.h>
#include <metis.h>
#include <sys/mman.h>

#include <new>
#include <numeric>

extern "C" void dpotrf_(const char*, const int*, double*, const int*, int*) __attribute__((weak));

namespace bulwark {
namespace {

/// OpenBLAS takes a buffer of 128 MB at its first use and keeps it. Where there is no memory for it, it tries
/// again for ever: whether there is has to be found out before.
void reserve_blas_memory() {
  constexpr std::size_t needed = std::size_t{192} << 20;
  void* const probe = mmap(nullptr, needed, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (probe == MAP_FAILED) throw std::bad_alloc();
  munmap(probe, needed);
  const int size = 1;
  double matrix = 1;
  int status = 0;
  if (dpotrf_ != nullptr) dpotrf_("L", &size, &matrix, &size, &status);
}

class SupernodalCholesky : public LinearSolver {
 public:
  SupernodalCholesky() {
    cholmod_start(&common_);
    common_.print = 0;
    common_.nmethods = 1;
    common_.postorder = 1;
    common_.final_ll = 1;
    common_.supernodal = CHOLMOD_AUTO;
    common_.error_handler = nullptr;
  }
  ~SupernodalCholesky() override {
    cholmod_free_factor(&factor_, &common_);
    cholmod_free_dense(&solution_, &common_);
    cholmod_free_dense(&y_, &common_);
    cholmod_free_dense(&e_, &common_);
    cholmod_finish(&common_);
  }
  SupernodalCholesky(const SupernodalCholesky&) = delete;
  SupernodalCholesky& operator=(const SupernodalCholesky&) = delete;

  bool solve(const LinearSystem& system, VectorX& x) override {
    const BlockMatrix& A = system.matrix;
    const VectorX& b = system.rhs;
    if (A.rows == 0) {
      x.resize(0);
      return true;
    }
    const SingleThreadedBlas blas;
    cholmod_sparse matrix = scalar_view(A);
    const bool reordered =
        fresh_ && A.rows >= smallest_dissected && !(order_rows_ == A.row_start && order_columns_ == A.column);
    if (factor_ == nullptr || A.pattern_version != pattern_version_ || reordered)
      analyse(A, &matrix, reordered);
    fresh_ = false;
    if (factor_ == nullptr) throw SolveError("the linear solver ran out of memory in its symbolic analysis");
    static const bool reserved = (reserve_blas_memory(), true);
    if (reserved) cholmod_factorize(&matrix, factor_, &common_);
    if (common_.status == CHOLMOD_OUT_OF_MEMORY) {
      throw SolveError(
          "the linear solver ran out of memory: use \"solver\": {\"linear\": \"cg\"} for a scene this large");
    }
    if (common_.status != CHOLMOD_OK) return false;
    cholmod_dense rhs{};
    rhs.nrow = rhs.nzmax = rhs.d = static_cast<std::size_t>(b.size());
    rhs.ncol = 1;
    rhs.x = const_cast<double*>(b.data());
    rhs.xtype = CHOLMOD_REAL;
    rhs.dtype = CHOLMOD_DOUBLE;
    if (!cholmod_solve2(CHOLMOD_A, factor_, &rhs, nullptr, &solution_, nullptr, &y_, &e_, &common_))
      return false;
    x = Eigen::Map<const VectorX>(static_cast<const double*>(solution_->x), b.size());
    return x.allFinite();
  }

  LinearEffort effort() const override { return {}; }
  void begin_step() override { fresh_ = true; }

 private:
  /// The lower triangle by columns, as scalars: block row i of the upper triangle is block column i of it.
  cholmod_sparse scalar_view(const BlockMatrix& A) {
    const int n = 3 * A.rows;
    if (A.pattern_version != scalar_version_ || static_cast<int>(column_start_.size()) != n + 1) {
      scalar_version_ = A.pattern_version;
      column_start_.assign(n + 1, 0);
      row_.clear();
      for (int i = 0; i < A.rows; ++i) {
        for (int c = 0; c < 3; ++c) {
          for (int k = A.row_start[i]; k < A.row_start[i + 1]; ++k) {
            for (int r = A.column[k] == i ? c : 0; r < 3; ++r) row_.push_back(3 * A.column[k] + r);
          }
          column_start_[3 * i + c + 1] = static_cast<int>(row_.size());
        }
      }
      values_.resize(row_.size());
    }
    for (int i = 0; i < A.rows; ++i) {
      for (int c = 0; c < 3; ++c) {
        int out = column_start_[3 * i + c];
        for (int k = A.row_start[i]; k < A.row_start[i + 1]; ++k) {
          // Entry (3 j + r, 3 i + c) below the diagonal mirrors (3 i + c, 3 j + r) above it.
          for (int r = A.column[k] == i ? c : 0; r < 3; ++r) values_[out++] = A.value[k](c, r);
        }
      }
    }
    cholmod_sparse matrix{};
    matrix.nrow = matrix.ncol = static_cast<std::size_t>(n);
    matrix.nzmax = row_.size();
    matrix.p = column_start_.data();
    matrix.i = row_.data();
    matrix.x = values_.data();
    matrix.stype = -1;
    matrix.itype = CHOLMOD_INT;
    matrix.xtype = CHOLMOD_REAL;
    matrix.dtype = CHOLMOD_DOUBLE;
    matrix.sorted = 1;
    matrix.packed = 1;
    return matrix;
  }

  void analyse(const BlockMatrix& A, cholmod_sparse* matrix, bool reorder) {
    pattern_version_ = A.pattern_version;
    cholmod_free_factor(&factor_, &common_);
    if (A.rows < smallest_dissected) {
      common_.method[0].ordering = CHOLMOD_AMD;
      factor_ = cholmod_analyze(matrix, &common_);
      return;
    }
    // Contacts come and go; the order of elimination found for the pattern at the start of the step mostly
    // still serves.
    common_.method[0].ordering = CHOLMOD_GIVEN;
    if (!reorder && static_cast<int>(order_.size()) == 3 * A.rows) {
      factor_ = cholmod_analyze_p(matrix, order_.data(), nullptr, 0, &common_);
      if (factor_ == nullptr || common_.lnz <= worst_fill_growth * fresh_fill_) return;
      cholmod_free_factor(&factor_, &common_);
    }
    order_ = dissected_order(A);
    order_rows_ = A.row_start;
    order_columns_ = A.column;
    factor_ = cholmod_analyze_p(matrix, order_.data(), nullptr, 0, &common_);
    fresh_fill_ = common_.lnz;
  }

  /// Nested dissection of the graph of blocks, three times smaller than that of scalars.
  static std::vector<int> dissected_order(const BlockMatrix& A) {
    idx_t n = A.rows;
    std::vector<idx_t> start(n + 1, 0);
    for (int i = 0; i < A.rows; ++i) {
      for (int k = A.row_start[i]; k < A.row_start[i + 1]; ++k) {
        if (A.column[k] == i) continue;
        ++start[i + 1];
        ++start[A.column[k] + 1];
      }
    }
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<idx_t> neighbour(start.back()), next(start.begin(), start.end() - 1);
    for (int i = 0; i < A.rows; ++i) {
      for (int k = A.row_start[i]; k < A.row_start[i + 1]; ++k) {
        const int j = A.column[k];
        if (j == i) continue;
        neighbour[next[i]++] = j;
        neighbour[next[j]++] = i;
      }
    }
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    std::vector<idx_t> permutation(n), inverse(n);
    if (METIS_NodeND(&n, start.data(), neighbour.data(), nullptr, options, permutation.data(),
                     inverse.data()) != METIS_OK) {
      std::iota(permutation.begin(), permutation.end(), 0);
    }
    std::vector<int> order(3 * n);
    for (idx_t i = 0; i < n; ++i) {
      for (int c = 0; c < 3; ++c) order[3 * i + c] = static_cast<int>(3 * permutation[i] + c);
    }
    return order;
  }

  static constexpr int smallest_dissected = 300;  ///< blocks below which minimum degree is quicker
  static constexpr double worst_fill_growth = 1.3;

  cholmod_common common_{};
  cholmod_factor* factor_ = nullptr;
  cholmod_dense *solution_ = nullptr, *y_ = nullptr, *e_ = nullptr;
  std::uint64_t pattern_version_ = 0, scalar_version_ = 0;
  std::vector<int> column_start_, row_;
  std::vector<double> values_;
  std::vector<int> order_, order_rows_, order_columns_;  ///< and the pattern that it was found for
  double fresh_fill_ = 0;
  bool fresh_ = true;  ///< no system of this step was solved yet
};

}  // namespace

std::unique_ptr<LinearSolver> make_supernodal_cholesky() {
  return std::make_unique<SupernodalCholesky>();
}

}  // namespace bulwark

#else

namespace bulwark {

std::unique_ptr<LinearSolver> make_supernodal_cholesky() {
  return nullptr;
}

}  // namespace bulwark

#endif
