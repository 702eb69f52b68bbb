#include <bulwark/base/error.hpp>
#include <bulwark/base/parallel.hpp>
#include <bulwark/solve/block_cholesky.hpp>
#include <bulwark/solve/front_order.hpp>

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>

namespace bulwark {
namespace {

/// Which bodies touch, and how many rows of blocks each has.
struct Contacts {
  std::vector<int> rows;
  std::vector<std::pair<int, int>> pairs;
};

Contacts chain(int count, int rows) {
  Contacts contacts{std::vector<int>(count, rows), {}};
  for (int i = 0; i + 1 < count; ++i) contacts.pairs.push_back({i, i + 1});
  return contacts;
}

/// A stack of size^3 boxes, each of which touches those around it.
Contacts stack(int size, int rows) {
  Contacts contacts{std::vector<int>(size * size * size, rows), {}};
  for (int i = 0; i < size * size * size; ++i) {
    if ((i + 1) % size != 0) contacts.pairs.push_back({i, i + 1});
    if ((i / size + 1) % size != 0) contacts.pairs.push_back({i, i + size});
    if (i + size * size < size * size * size) contacts.pairs.push_back({i, i + size * size});
  }
  return contacts;
}

/// Heaps that do not touch each other, and bodies that touch nothing.
Contacts islands() {
  Contacts contacts = stack(3, 2);
  const int shift = 27;
  for (auto [a, b] : stack(2, 4).pairs) contacts.pairs.push_back({shift + a, shift + b});
  contacts.rows.insert(contacts.rows.end(), 8, 4);
  contacts.rows.insert(contacts.rows.end(), 20, 2);
  return contacts;
}

/// One body that all others touch: the first, the middle or the last one.
Contacts arrow(int hub) {
  Contacts contacts{std::vector<int>(60, 2), {}};
  for (int i = 0; i < 60; ++i) {
    if (i != hub) contacts.pairs.push_back({i, hub});
  }
  return contacts;
}

Contacts random_contacts(int count, int pairs, int most_rows, unsigned seed) {
  std::mt19937 random(seed);
  Contacts contacts;
  for (int i = 0; i < count; ++i) contacts.rows.push_back(1 + static_cast<int>(random() % most_rows));
  for (int k = 0; k < pairs; ++k) {
    const int a = static_cast<int>(random() % count), b = static_cast<int>(random() % count);
    if (a != b) contacts.pairs.push_back({a, b});
  }
  return contacts;
}

/// Positive definite: a sum of squares over the contacts, and a little on the diagonal.
BlockMatrix system_of(const Contacts& contacts, std::uint64_t version, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<int> first{0};
  for (int rows : contacts.rows) first.push_back(first.back() + rows);
  std::map<std::pair<int, int>, Matrix3> blocks;
  auto add_square = [&](const std::vector<int>& rows) {
    std::vector<Matrix3> factor(rows.size());
    for (Matrix3& f : factor) f = Matrix3::NullaryExpr([&] { return uniform(random); });
    for (std::size_t a = 0; a < rows.size(); ++a) {
      for (std::size_t b = 0; b < rows.size(); ++b) {
        if (rows[a] > rows[b]) continue;
        blocks.try_emplace({rows[a], rows[b]}, Matrix3::Zero()).first->second +=
            factor[a].transpose() * factor[b];
      }
    }
  };
  for (std::size_t body = 0; body < contacts.rows.size(); ++body) {
    std::vector<int> rows;
    for (int row = first[body]; row < first[body + 1]; ++row) rows.push_back(row);
    add_square(rows);
    for (int row : rows) blocks[{row, row}] += 0.1 * Matrix3::Identity();
  }
  for (auto [a, b] : contacts.pairs) {
    std::vector<int> rows;
    for (int row = first[a]; row < first[a + 1]; ++row) rows.push_back(row);
    for (int row = first[b]; row < first[b + 1]; ++row) rows.push_back(row);
    add_square(rows);
  }
  BlockMatrix A;
  A.rows = first.back();
  A.pattern_version = version;
  A.row_start.assign(A.rows + 1, 0);
  for (const auto& [place, value] : blocks) {
    ++A.row_start[place.first + 1];
    A.column.push_back(place.second);
    A.value.push_back(value);
  }
  for (int i = 0; i < A.rows; ++i) A.row_start[i + 1] += A.row_start[i];
  return A;
}

MatrixX dense(const BlockMatrix& A) {
  MatrixX full = MatrixX::Zero(3 * A.rows, 3 * A.rows);
  for (int i = 0; i < A.rows; ++i) {
    for (int k = A.row_start[i]; k < A.row_start[i + 1]; ++k) {
      full.block<3, 3>(3 * i, 3 * A.column[k]) = A.value[k];
      full.block<3, 3>(3 * A.column[k], 3 * i) = A.value[k].transpose();
    }
  }
  return full;
}

VectorX wave(Eigen::Index size) {
  return VectorX::NullaryExpr(size, [](Eigen::Index i) { return std::sin(1.0 + 0.7 * double(i)); });
}

void expect_solution(BlockCholesky& solver, const BlockMatrix& A) {
  const VectorX b = wave(3 * A.rows);
  VectorX x;
  ASSERT_TRUE(solver.solve(A, b, x));
  const VectorX expected = dense(A).llt().solve(b);
  EXPECT_LT((x - expected).norm(), 1e-10 * expected.norm());
}

void expect_small_residual(const BlockMatrix& A, const VectorX& b, const VectorX& x) {
  VectorX product;
  A.multiply(x, product);
  EXPECT_LE((product - b).norm(), 1e-10 * b.norm());
}

/// A sheet of size^2 points, each of which pulls at those around it.
Contacts sheet(int size) {
  Contacts contacts{std::vector<int>(size * size, 1), {}};
  for (int i = 0; i < size * size; ++i) {
    const bool inner = (i + 1) % size != 0;
    if (inner) contacts.pairs.push_back({i, i + 1});
    if (i + size < size * size) contacts.pairs.push_back({i, i + size});
    if (inner && i + size + 1 < size * size) contacts.pairs.push_back({i, i + size + 1});
  }
  return contacts;
}

/// Large enough for all that only large systems see: dissection, strips, subtrees and tiles.
std::vector<Contacts> large_contacts() {
  Contacts apart = chain(6000, 1);
  apart.pairs.clear();
  return {stack(14, 1),
          stack(6, 8),
          sheet(70),
          chain(8000, 1),
          chain(2, 200),
          apart,
          random_contacts(1500, 2500, 3, 5)};
}

std::vector<Contacts> many_contacts() {
  return {chain(1, 1),
          chain(1, 4),
          chain(2, 2),
          chain(50, 1),
          chain(30, 2),
          chain(30, 4),
          stack(4, 2),
          stack(3, 4),
          stack(5, 1),
          islands(),
          arrow(0),
          arrow(30),
          arrow(59),
          chain(1, 64),
          chain(3, 43),
          random_contacts(60, 150, 1, 2),
          random_contacts(60, 100, 4, 3),
          random_contacts(40, 400, 5, 4)};
}

TEST(BlockCholesky, SolvesTheSystemsOfManyContactGraphs) {
  BlockCholesky solver;
  std::uint64_t version = 0;
  for (const Contacts& contacts : many_contacts()) {
    SCOPED_TRACE(version);
    expect_solution(solver, system_of(contacts, ++version));
  }
}

TEST(BlockCholesky, SolvesSystemsWhereRowsOfABodyHaveDifferentNeighbours) {
  // Random pairs of single rows, between whole bodies of two and four rows: their rows part in every way.
  BlockCholesky solver;
  for (unsigned seed = 1; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    BlockMatrix A = system_of(stack(3, 1 + static_cast<int>(seed % 4)), seed, seed);
    std::mt19937 random(seed);
    std::map<std::pair<int, int>, Matrix3> blocks;
    for (int i = 0; i < A.rows; ++i) {
      for (int k = A.row_start[i]; k < A.row_start[i + 1]; ++k) blocks[{i, A.column[k]}] = A.value[k];
    }
    for (int k = 0; k < 8; ++k) {
      const int a = static_cast<int>(random() % A.rows), b = static_cast<int>(random() % A.rows);
      if (a != b) blocks.try_emplace({std::min(a, b), std::max(a, b)}, 0.01 * Matrix3::Identity());
      const int c = static_cast<int>(random() % A.rows), d = static_cast<int>(random() % A.rows);
      if (c != d) blocks.erase({std::min(c, d), std::max(c, d)});
    }
    A.column.clear();
    A.value.clear();
    A.row_start.assign(A.rows + 1, 0);
    for (const auto& [place, value] : blocks) {
      ++A.row_start[place.first + 1];
      A.column.push_back(place.second);
      A.value.push_back(value);
    }
    for (int i = 0; i < A.rows; ++i) {
      A.row_start[i + 1] += A.row_start[i];
      A.value[A.row_start[i]] += 30 * Matrix3::Identity();  // what was erased may have held it definite
    }
    expect_solution(solver, A);
  }
}

TEST(BlockCholesky, FollowsValuesWithinAPattern) {
  BlockCholesky solver;
  for (unsigned seed = 1; seed < 5; ++seed) expect_solution(solver, system_of(stack(3, 2), 1, seed));
}

TEST(BlockCholesky, SaysWhenAMatrixIsNotPositiveDefiniteAndGoesOn) {
  BlockCholesky solver;
  const BlockMatrix A = system_of(islands(), 1);
  VectorX x;
  for (int row : {0, 31, A.rows - 1}) {
    BlockMatrix indefinite = A;
    indefinite.value[A.row_start[row]] -= 100 * Vector3::UnitY() * Vector3::UnitY().transpose();
    EXPECT_FALSE(solver.solve(indefinite, wave(3 * A.rows), x));
    BlockMatrix singular = A;
    for (int i = 0; i < A.rows; ++i) {
      for (int k = A.row_start[i]; k < A.row_start[i + 1]; ++k) {
        if (i == row) singular.value[k].row(2).setZero();
        if (A.column[k] == row) singular.value[k].col(2).setZero();
      }
    }
    EXPECT_FALSE(solver.solve(singular, wave(3 * A.rows), x));
    BlockMatrix broken = A;
    broken.value[A.row_start[row]](1, 1) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(solver.solve(broken, wave(3 * A.rows), x));
    expect_solution(solver, A);
  }
}

TEST(BlockCholesky, GivesTheSameBitsWhateverItSolvedBefore) {
  const BlockMatrix A = system_of(random_contacts(200, 500, 4, 7), 1000);
  const VectorX b = wave(3 * A.rows);
  VectorX fresh, later, threads;
  ASSERT_TRUE(BlockCholesky().solve(A, b, fresh));
  BlockCholesky solver;
  std::uint64_t version = 0;
  for (const Contacts& contacts : many_contacts()) {
    const BlockMatrix other = system_of(contacts, ++version);
    ASSERT_TRUE(solver.solve(other, wave(3 * other.rows), later));
  }
  ASSERT_TRUE(solver.solve(A, b, later));
  EXPECT_EQ(fresh, later);
  set_thread_count(4);
  ASSERT_TRUE(BlockCholesky().solve(A, b, threads));
  set_thread_count(0);
  EXPECT_EQ(fresh, threads);
}

TEST(BlockCholesky, RefusesMoreOperationsThanItMayTake) {
  const BlockMatrix small = system_of(chain(10, 2), 1), large = system_of(stack(5, 2), 2);
  BlockCholesky solver;
  EXPECT_TRUE(solver.analyse(small, 1e5));
  EXPECT_FALSE(solver.analyse(large, 1e5));
  expect_solution(solver, small);
}

TEST(BlockCholesky, SolvesAnEmptySystem) {
  BlockMatrix A;
  A.row_start = {0};
  VectorX x = VectorX::Ones(3);
  BlockCholesky solver;
  for (int repeat = 0; repeat < 2; ++repeat) {
    EXPECT_TRUE(solver.solve(A, VectorX(0), x));
    EXPECT_EQ(x.size(), 0);
    expect_solution(solver, system_of(chain(1, 1), 1));
  }
}

TEST(BlockCholesky, FactorisesDenseFrontsOfAnySize) {
  // Through all remainders of vectors, strips and panels, with rows below the pivots and without.
  BlockCholesky solver;
  std::uint64_t version = 0;
  for (int rows = 1; rows < 75; ++rows) {
    SCOPED_TRACE(rows);
    expect_solution(solver, system_of(chain(1, rows), ++version));
    expect_solution(solver, system_of({{rows, 3, rows / 2 + 1}, {{0, 1}, {1, 2}}}, ++version));
  }
  expect_solution(solver, system_of(chain(1, 400), ++version));
}

TEST(BlockCholesky, SolvesLargeGrids) {
  BlockCholesky solver;
  std::uint64_t version = 0;
  for (const Contacts& contacts : large_contacts()) {
    SCOPED_TRACE(version);
    const BlockMatrix A = system_of(contacts, ++version);
    VectorX x;
    ASSERT_TRUE(solver.solve(A, wave(3 * A.rows), x));
    expect_small_residual(A, wave(3 * A.rows), x);
  }
}

TEST(BlockCholesky, GivesTheSameBitsOnAnyNumberOfThreads) {
  std::uint64_t version = 0;
  for (const Contacts& contacts : large_contacts()) {
    SCOPED_TRACE(version);
    const BlockMatrix A = system_of(contacts, ++version);
    const VectorX b = wave(3 * A.rows);
    VectorX serial, parallel;
    {
      const ThreadScope one(1);
      ASSERT_TRUE(BlockCholesky().solve(A, b, serial));
    }
    for (int threads : {2, 4, 7}) {
      const ThreadScope scope(threads);
      ASSERT_TRUE(BlockCholesky().solve(A, b, parallel));
      EXPECT_EQ(serial, parallel);
    }
  }
}

TEST(BlockCholesky, RefusesLargeIndefiniteMatricesOnManyThreads) {
  const ThreadScope threads(4);
  const BlockMatrix A = system_of(stack(12, 1), 1);
  const FrontTree tree = *find_fronts(A, std::numeric_limits<double>::infinity());
  BlockCholesky solver;
  VectorX x;
  for (int row : {tree.order.front(), tree.order[A.rows / 2], tree.order.back()}) {
    for (double bad : {-1e3, std::numeric_limits<double>::quiet_NaN()}) {
      BlockMatrix indefinite = A;
      indefinite.value[A.row_start[row]](1, 1) += bad;
      EXPECT_FALSE(solver.solve(indefinite, wave(3 * A.rows), x));
    }
  }
  ASSERT_TRUE(solver.solve(A, wave(3 * A.rows), x));
  expect_small_residual(A, wave(3 * A.rows), x);
}

TEST(BlockCholesky, SolvesForManyRightHandSidesWithOneFactor) {
  for (const Contacts& contacts : {islands(), stack(8, 2)}) {
    const BlockMatrix A = system_of(contacts, 1);
    BlockCholesky solver;
    ASSERT_TRUE(solver.factorise(A));
    for (double scale : {1.0, -3.0, 0.0}) {
      VectorX x;
      solver.substitute(scale * wave(3 * A.rows), x);
      expect_small_residual(A, scale * wave(3 * A.rows), x);
    }
  }
}

TEST(BlockCholesky, BeginsEveryStepWithAnOrderOfItsOwn) {
  // The second pattern of a step takes the order of the first; as the first of the next step it does not.
  const BlockMatrix first = system_of(stack(8, 4), 1);
  Contacts more = stack(8, 4);
  for (int i = 0; i < 10; ++i) more.pairs.push_back({7 * i, 7 * i + 9});
  const BlockMatrix second = system_of(more, 2);
  const VectorX b = wave(3 * first.rows);
  BlockCholesky fresh, solver;
  VectorX expected, x;
  fresh.begin_step();
  ASSERT_TRUE(fresh.solve(second, b, expected));
  for (int step = 0; step < 3; ++step) {
    solver.begin_step();
    ASSERT_TRUE(solver.solve(first, b, x));
    ASSERT_TRUE(solver.solve(second, b, x));
    expect_small_residual(second, b, x);
    solver.begin_step();
    ASSERT_TRUE(solver.solve(second, b, x));
    EXPECT_EQ(expected, x);
    ASSERT_TRUE(solver.solve(first, b, x));
    expect_small_residual(first, b, x);
  }
}

TEST(FrontTree, EliminatesEveryRowOnceAndThoseOfABodyTogether) {
  const BlockMatrix A = system_of(stack(4, 4), 1);
  const FrontTree tree = *find_fronts(A, std::numeric_limits<double>::infinity());
  std::vector<int> rows = tree.order;
  ASSERT_EQ(rows.size(), static_cast<std::size_t>(A.rows));
  for (int k = 0; k < A.rows; ++k) EXPECT_EQ(rows[k] - rows[k - k % 4], k % 4);
  std::sort(rows.begin(), rows.end());
  for (int i = 0; i < A.rows; ++i) EXPECT_EQ(rows[i], i);
  int next = 0;
  for (const Front& front : tree.fronts) {
    EXPECT_EQ(front.first, next);
    EXPECT_EQ(front.pivots % 12, 0);
    next += front.pivots;
  }
  EXPECT_EQ(next, 3 * A.rows);
}

TEST(FrontTree, TakesAKnownOrderWhileItFillsInLittle) {
  const double any = std::numeric_limits<double>::infinity();
  const BlockMatrix A = system_of(stack(8, 4), 1);
  const DissectedOrder known = find_fronts(A, any)->dissected;
  if (dissected_order(find_nodes(A)).empty()) GTEST_SKIP() << "built without a library for dissection";
  ASSERT_EQ(known.row.size(), static_cast<std::size_t>(A.rows));
  Contacts few = stack(8, 4), many = few;
  for (int i = 0; i < 10; ++i) few.pairs.push_back({7 * i, 7 * i + 9});
  for (int i = 0; i < 200; ++i) many.pairs.push_back({i, 511 - i});
  EXPECT_TRUE(find_fronts(system_of(few, 2), any, known)->by_known_order);
  EXPECT_FALSE(find_fronts(system_of(many, 3), any, known)->by_known_order);
}

TEST(FrontTree, FillsNothingInWhereItNeedNot) {
  // A chain and a star are trees: with the leaves first, a front has one other body below it at most.
  for (const Contacts& contacts : {chain(100, 2), arrow(0), arrow(30)}) {
    const FrontTree tree = *find_fronts(system_of(contacts, 1), std::numeric_limits<double>::infinity());
    EXPECT_LE(tree.most_rows, 6);
  }
}

}  // namespace
}  // namespace bulwark
