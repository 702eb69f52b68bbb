#include <bulwark/base/error.hpp>
#include <bulwark/base/parallel.hpp>
#include <bulwark/solve/linear_solver.hpp>

#include <gtest/gtest.h>

#include <array>
#include <utility>

namespace bulwark {
namespace {

/// A chain of n blocks with springs to neighbours up to `reach` away: positive definite.
BlockMatrix chain(int n, int reach, std::uint64_t version) {
  srand(4);
  BlockMatrix matrix;
  matrix.rows = n;
  matrix.pattern_version = version;
  matrix.row_start.push_back(0);
  std::vector<Matrix3> diagonal(n, Matrix3::Identity());
  for (int i = 0; i < n; ++i) {
    for (int j = i; j < std::min(n, i + reach + 1); ++j) {
      matrix.column.push_back(j);
      if (j == i) {
        matrix.value.push_back(Matrix3::Zero());
        continue;
      }
      const Matrix3 root = Matrix3::Random();
      const Matrix3 spring = root * root.transpose();
      matrix.value.push_back(-spring);
      diagonal[i] += spring;
      diagonal[j] += spring;
    }
    matrix.row_start.push_back(static_cast<int>(matrix.column.size()));
  }
  for (int i = 0; i < n; ++i) matrix.value[matrix.row_start[i]] = diagonal[i];
  return matrix;
}

class LinearSolvers : public testing::TestWithParam<std::string> {};

TEST_P(LinearSolvers, SolveSystemsWhosePatternAndValuesChange) {
  const auto solver = make_linear_solver(GetParam());
  std::uint64_t version = 0;
  for (int n : {5, 400, 400, 1000}) {
    for (int reach : {1, 5}) {
      BlockMatrix A = chain(n, reach, ++version);
      for (int round = 0; round < 2; ++round) {
        const VectorX expected = VectorX::Random(3 * n);
        VectorX b, x;
        A.multiply(expected, b);
        ASSERT_TRUE(solver->solve({A, b}, x));
        EXPECT_LT((x - expected).norm(), 1e-4 * expected.norm());
        for (Matrix3& value : A.value) value *= 3;
      }
    }
  }
}

TEST_P(LinearSolvers, SayWhenTheMatrixIsNotPositiveDefinite) {
  const auto solver = make_linear_solver(GetParam());
  BlockMatrix A = chain(50, 2, 1);
  A.value[A.row_start[20]] = -10 * Matrix3::Identity();
  const VectorX ones = VectorX::Ones(150);
  VectorX x;
  EXPECT_FALSE(solver->solve({A, ones}, x));
}

TEST_P(LinearSolvers, GiveTheSameBitsOnAnyNumberOfThreads) {
  const BlockMatrix A = chain(8000, 6, 1);
  const VectorX ones = VectorX::Ones(24000);
  VectorX one, four;
  set_thread_count(1);
  make_linear_solver(GetParam())->solve({A, ones}, one);
  set_thread_count(4);
  make_linear_solver(GetParam())->solve({A, ones}, four);
  set_thread_count(0);
  EXPECT_EQ(one, four);
}

INSTANTIATE_TEST_SUITE_P(All, LinearSolvers, testing::Values("cholesky", "cg", "auto"),
                         [](const auto& solver) { return solver.param; });

/// A box of points, each held by springs to those next to it along the axes.
BlockMatrix lattice(int nx, int ny, int nz) {
  BlockMatrix matrix;
  matrix.rows = nx * ny * nz;
  matrix.pattern_version = 1;
  matrix.row_start.push_back(0);
  for (int i = 0; i < matrix.rows; ++i) {
    const int x = i % nx, y = i / nx % ny, z = i / (nx * ny);
    matrix.column.push_back(i);
    matrix.value.push_back(6.1 * Matrix3::Identity());
    const std::array<std::pair<bool, int>, 3> later = {
        {{x + 1 < nx, i + 1}, {y + 1 < ny, i + nx}, {z + 1 < nz, i + nx * ny}}};
    for (const auto& [there, j] : later) {
      if (!there) continue;
      matrix.column.push_back(j);
      matrix.value.push_back(-Matrix3::Identity());
    }
    matrix.row_start.push_back(static_cast<int>(matrix.column.size()));
  }
  return matrix;
}

TEST(AutoSolver, FactorisesSheetsOfAnySizeAndIteratesWhereAFactorWouldFillIn) {
  const auto solves_by_iterations = [](const BlockMatrix& A) {
    const auto solver = make_linear_solver("auto");
    solver->begin_step();
    const VectorX ones = VectorX::Ones(3 * A.rows);
    VectorX x, product;
    EXPECT_TRUE(solver->solve({A, ones}, x));
    A.multiply(x, product);
    EXPECT_LT((product - ones).norm(), 1e-4 * ones.norm());
    return solver->effort().iterations > 0;
  };
  // Both have more unknowns than solids that are factorised.
  EXPECT_FALSE(solves_by_iterations(lattice(190, 190, 1)));
  EXPECT_TRUE(solves_by_iterations(lattice(33, 33, 33)));
}

TEST(LinearSolverNames, AnUnknownNameIsAnError) {
  EXPECT_THROW(make_linear_solver("magic"), InputError);
}

}  // namespace
}  // namespace bulwark
