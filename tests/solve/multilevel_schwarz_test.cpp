// Clusters, levels and what conjugate gradients make of them: on elastic-like systems whose answers are known.
#include <bulwark/base/parallel.hpp>
#include <bulwark/math/rotation.hpp>
#include <bulwark/solve/linear_solver.hpp>
#include <bulwark/solve/row_clusters.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace bulwark {
namespace {

/// Nodes of a grid of springs with bending neighbours, n x n x m, held by nothing but small masses.
struct Grid {
  int n, m;
  double mass = 1e-3;
  double layer_stiffness = 1;  ///< of the upper half of the layers
  int rows() const { return n * n * m; }
};

StoredSystem system_of(const Grid& grid) {
  StoredSystem system;
  BlockMatrix& A = system.matrix;
  A.rows = grid.rows();
  A.pattern_version = static_cast<std::uint64_t>(grid.rows());
  auto at = [&](int x, int y, int z) { return (z * grid.n + y) * grid.n + x; };
  std::vector<std::vector<std::pair<int, Matrix3>>> upper(A.rows);
  std::vector<Matrix3> diagonal(A.rows, grid.mass * Matrix3::Identity());
  for (int z = 0; z < grid.m; ++z) {
    for (int y = 0; y < grid.n; ++y) {
      for (int x = 0; x < grid.n; ++x) {
        const int i = at(x, y, z);
        system.modes.push_back({1, Vector3(x, y, z), 0});
        for (int k = 1; k < 27; ++k) {
          const int dx = k % 3 - 1, dy = k / 3 % 3 - 1, dz = k / 9 - 1;
          const int X = x + dx, Y = y + dy, Z = z + dz;
          if (X < 0 || Y < 0 || Z < 0 || X >= grid.n || Y >= grid.n || Z >= grid.m) continue;
          const int j = at(X, Y, Z);
          if (j <= i) continue;
          const Vector3 d = Vector3(dx, dy, dz).normalized();
          const double stiffness = 2 * std::min(z, Z) >= grid.m ? grid.layer_stiffness : 1;
          const Matrix3 block = stiffness * d * d.transpose();
          diagonal[i] += block;
          diagonal[j] += block;
          upper[i].emplace_back(j, -block);
        }
      }
    }
  }
  A.row_start.push_back(0);
  for (int i = 0; i < A.rows; ++i) {
    A.column.push_back(i);
    A.value.push_back(diagonal[i]);
    std::sort(upper[i].begin(), upper[i].end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [j, block] : upper[i]) {
      A.column.push_back(j);
      A.value.push_back(block);
    }
    A.row_start.push_back(static_cast<int>(A.column.size()));
  }
  system.rhs = VectorX::Zero(3 * A.rows);
  for (int i = 0; i < 3 * A.rows; ++i) system.rhs[i] = std::sin(0.01 * i) + 0.3;
  return system;
}

int iterations_for(const StoredSystem& system, double tolerance = 1e-6) {
  const auto solver = make_conjugate_gradient();
  LinearSystem view = system.view();
  view.tolerance = tolerance;
  VectorX x, product;
  EXPECT_TRUE(solver->solve(view, x));
  system.matrix.multiply(x, product);
  EXPECT_LT((product - system.rhs).norm(), 1e3 * tolerance * system.rhs.norm());
  return solver->effort().iterations;
}

TEST(RowClusters, HoldEveryRowOnceAndNeverMoreThanTheyMay) {
  std::mt19937 random(3);
  for (const int rows : {0, 1, 2, 17, 300, 2000}) {
    for (const double degree : {0.0, 0.5, 3.0, 12.0}) {
      std::vector<std::set<int>> neighbours(rows);
      for (int k = 0; k < static_cast<int>(degree * rows); ++k) {
        const int a = static_cast<int>(random() % rows), b = static_cast<int>(random() % rows);
        neighbours[a].insert(b);
        neighbours[b].insert(a);
      }
      std::vector<int> start = {0}, column;
      for (const auto& own : neighbours) {
        column.insert(column.end(), own.begin(), own.end());
        start.push_back(static_cast<int>(column.size()));
      }
      const RowGraph graph = {start, column, std::vector<float>(column.size(), 1)};
      const RowClusters clusters = cluster_rows(graph, 16);
      std::vector<int> sorted = clusters.order;
      std::sort(sorted.begin(), sorted.end());
      ASSERT_EQ(static_cast<int>(sorted.size()), rows);
      for (int i = 0; i < rows; ++i) ASSERT_EQ(sorted[i], i);
      EXPECT_EQ(clusters.start.back(), rows);
      for (int c = 0; c < clusters.count(); ++c) {
        EXPECT_GT(clusters.start[c + 1], clusters.start[c]);
        EXPECT_LE(clusters.start[c + 1] - clusters.start[c], 24);
      }
    }
  }
}

TEST(MultilevelSchwarz, NeedsHardlyMoreIterationsForFinerMeshes) {
  const int coarse = iterations_for(system_of({12, 12}));
  const int fine = iterations_for(system_of({36, 36}));
  EXPECT_LT(coarse, 120);
  EXPECT_LT(fine, 2.2 * coarse);
}

TEST(MultilevelSchwarz, KnowsRigidMotionsAndSoNeedsFewerIterationsThanWithoutPlaces) {
  StoredSystem with = system_of({20, 20});
  StoredSystem without = with;
  without.modes.clear();
  EXPECT_LT(iterations_for(with), 0.8 * iterations_for(without));
}

TEST(MultilevelSchwarz, SolvesThinAndStiffNextToSoftSystems) {
  EXPECT_LT(iterations_for(system_of({60, 1, 1e-2})), 400);
  EXPECT_LT(iterations_for(system_of({14, 14, 1e-2, 1e6})), 400);
  EXPECT_LT(iterations_for(system_of({14, 14, 1e-2, 1e-6})), 400);
}

TEST(MultilevelSchwarz, SolvesIslandsOfAnySize) {
  // 500 rows without neighbours, each of them a cluster of its own.
  StoredSystem system;
  system.matrix.rows = 500;
  for (int i = 0; i < 500; ++i) {
    system.matrix.row_start.push_back(i);
    system.matrix.column.push_back(i);
    system.matrix.value.push_back((1 + i % 7) * Matrix3::Identity());
  }
  system.matrix.row_start.push_back(500);
  system.matrix.pattern_version = 1;
  system.rhs = VectorX::LinSpaced(1500, -1, 1);
  EXPECT_LE(iterations_for(system), 8);
  // Directions, rotations and rows that no rigid motion moves.
  for (int i = 0; i < 500; ++i)
    system.modes.push_back({i % 2 * 1.0, Vector3(i, 1, 0), i % 3 == 0 ? 1.0 : 0.0});
  EXPECT_LE(iterations_for(system), 12);
}

TEST(MultilevelSchwarz, GivesTheSameBitsOnAnyNumberOfThreads) {
  const StoredSystem system = system_of({24, 16});
  std::vector<VectorX> solutions;
  for (const int threads : {1, 2, 5}) {
    const ThreadScope scope(threads);
    VectorX x;
    ASSERT_TRUE(make_conjugate_gradient()->solve(system.view(), x));
    solutions.push_back(x);
  }
  EXPECT_EQ(solutions[0], solutions[1]);
  EXPECT_EQ(solutions[0], solutions[2]);
}

TEST(MultilevelSchwarz, StopsAtMatricesThatAreNotPositiveDefiniteOrNoNumbers) {
  for (const double bad : {-1.0, 0.0, std::nan(""), HUGE_VAL}) {
    StoredSystem system = system_of({8, 8});
    system.matrix.value[system.matrix.row_start[100]] = bad * Matrix3::Identity();
    VectorX x;
    EXPECT_FALSE(make_conjugate_gradient()->solve(system.view(), x)) << bad;
  }
}

TEST(MultilevelSchwarz, GoesOnAfterAMatrixWhoseClustersAreNotPositiveDefinite) {
  // As Newton's method does, which raises the diagonal then: the same pattern with other values, by the same solver, also
  // where it knew another system before.
  for (const bool knew_another : {false, true}) {
    const auto solver = make_conjugate_gradient();
    VectorX x, product;
    if (knew_another) {
      const StoredSystem other = system_of({5, 3});
      ASSERT_TRUE(solver->solve(other.view(), x));
    }
    const StoredSystem good = system_of({20, 20});
    StoredSystem bad = good;
    bad.matrix.value[bad.matrix.row_start[4000]].diagonal() << 100, 100, -100;
    EXPECT_FALSE(solver->solve(bad.view(), x));
    ASSERT_TRUE(solver->solve(good.view(), x));
    good.matrix.multiply(x, product);
    EXPECT_LT((product - good.rhs).norm(), 1e-3 * good.rhs.norm());
  }
}

}  // namespace
}  // namespace bulwark
