// The overlap of triangles: against integrals over a fine grid, and what holds for all of them.
#include "stencils/sampling.hpp"

#include <bulwark/stencils/triangle_overlap.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace bulwark::test {
namespace {

using Corners = std::array<Vector3, 3>;

struct Sums {
  double area = 0, volume = 0, deepest = 0;
};

/// Where a line through x along the normal meets the triangle, as shares of its corners.
Vector3 shares_along(const Corners& t, const Vector3& x, const Vector3& normal) {
  Matrix3 m;
  m << t[1] - t[0], t[2] - t[0], normal;
  const Vector3 s = m.inverse() * (x - t[0]);
  return {1 - s[0] - s[1], s[0], s[1]};
}

/// The pillar over b by a grid of its points.
Sums by_grid(const Corners& a, const Corners& b) {
  const Vector3 across = (b[1] - b[0]).cross(b[2] - b[0]), normal = across.normalized();
  constexpr int cells = 400;
  Sums sums;
  const double cell = 0.5 * across.norm() / (0.5 * cells * cells);
  for (int i = 0; i < cells; ++i) {
    for (int j = 0; j < cells - i; ++j) {
      const double u = (i + 1.0 / 3) / cells, v = (j + 1.0 / 3) / cells;
      const Vector3 x = b[0] + u * (b[1] - b[0]) + v * (b[2] - b[0]);
      const Vector3 s = shares_along(a, x, normal);
      if (s.minCoeff() < 0) continue;
      const double depth = normal.dot(x - s[0] * a[0] - s[1] * a[1] - s[2] * a[2]);
      if (!(depth > 0)) continue;
      // Each square of the grid but those at the long side holds two triangles.
      const double part = j < cells - i - 1 ? cell : 0.5 * cell;
      sums.area += part;
      sums.volume += part * depth;
      sums.deepest = std::max(sums.deepest, depth);
    }
  }
  return sums;
}

Corners random_corners(std::mt19937& random, double size) {
  return {random_vector(random, size), random_vector(random, size), random_vector(random, size)};
}

TEST(TriangleOverlap, IsTheIntegralOverThePillar) {
  std::mt19937 random(3);
  int overlaps = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Corners a = random_corners(random, 1), b = random_corners(random, 1);
    const Vector3 normal = (b[1] - b[0]).cross(b[2] - b[0]).normalized();
    const double facing = (a[1] - a[0]).cross(a[2] - a[0]).normalized().dot(normal);
    if (std::abs(facing) < 0.1) continue;
    const TriangleOverlap o = overlap_with_triangle(a.data(), b.data(), 100);
    if (facing > 0) {
      EXPECT_EQ(o.corners, 0) << trial;
      continue;
    }
    const Sums wanted = by_grid(a, b);
    EXPECT_NEAR(o.area, wanted.area, 0.02) << trial;
    EXPECT_NEAR(o.volume, wanted.volume, 0.02) << trial;
    EXPECT_NEAR(o.deepest, wanted.deepest, 0.05) << trial;
    overlaps += o.corners > 0 ? 1 : 0;
  }
  EXPECT_GT(overlaps, 10);
}

TEST(TriangleOverlap, PointsOfAPillarMakeItUpAndLieOnBothTriangles) {
  std::mt19937 random(5);
  int most = 0;
  for (const double scale : {1e-3, 1.0, 1e3}) {
    for (int trial = 0; trial < 2000; ++trial) {
      const Corners a = random_corners(random, scale), b = random_corners(random, scale);
      const TriangleOverlap o = overlap_with_triangle(a.data(), b.data(), 100 * scale);
      if (!(o.volume > 1e-9 * scale * scale * scale)) continue;
      most = std::max(most, o.corners);
      std::array<PillarPoint, 15> points;
      const int count = pillar_points(o, b.data(), points.data());
      double volume = 0;
      Vector3 center = Vector3::Zero();
      for (int k = 0; k < count; ++k) {
        const PillarPoint& p = points[k];
        volume += p.volume;
        center += p.volume * p.first;
        EXPECT_NEAR(p.first.sum(), 1, 1e-9);
        EXPECT_NEAR(p.second.sum(), 1, 1e-9);
        EXPECT_GE(p.first.minCoeff(), -1e-9);
        const Vector3 on_a = p.first[0] * a[0] + p.first[1] * a[1] + p.first[2] * a[2],
                      on_b = p.second[0] * b[0] + p.second[1] * b[1] + p.second[2] * b[2];
        EXPECT_NEAR((on_b - on_a).cross(o.normal).norm(), 0, 1e-9 * scale) << "they are on one normal";
        EXPECT_GE(o.normal.dot(on_b - on_a), -1e-9 * scale);
      }
      EXPECT_NEAR(volume, o.volume, 1e-12 * o.volume + 1e-15 * scale * scale * scale);
      const PillarPoint one = pillar_center(o, b.data());
      EXPECT_NEAR((center / volume - one.first).norm(), 0, 1e-9);
    }
  }
  EXPECT_EQ(most, 7);
}

TEST(TriangleOverlap, OfATriangleThatIsAllBehindIsThePrismUnderIt) {
  const Corners b = {Vector3(-9, -9, 0), Vector3(9, -9, 0), Vector3(0, 18, 0)};
  const Corners a = {Vector3(0, 0, -0.1), Vector3(0, 1, -0.3), Vector3(1, 0, -0.2)};  // faces down
  for (const bool plane : {false, true}) {
    const TriangleOverlap o = plane ? overlap_with_plane(a.data(), b[0], Vector3::UnitZ())
                                    : overlap_with_triangle(a.data(), b.data(), 1);
    EXPECT_NEAR(o.area, 0.5, 1e-15);
    EXPECT_NEAR(o.volume, 0.5 * 0.2, 1e-15);
    EXPECT_NEAR(o.deepest, 0.3, 1e-15);
    const PillarPoint center = pillar_center(o, plane ? nullptr : b.data());
    // The mean of x over a linear weight: corners count by (d_i + sum d) / (4 sum d).
    EXPECT_NEAR((center.first - Vector3(0.7, 0.9, 0.8) / 2.4).norm(), 0, 1e-15);
  }
  EXPECT_EQ(overlap_with_triangle(a.data(), b.data(), 0.29).corners, 0) << "deeper than the limit";
  const Corners turned = {a[0], a[2], a[1]};
  EXPECT_EQ(overlap_with_triangle(turned.data(), b.data(), 1).corners, 0) << "faces the same way";
  const Corners flat = {b[0], b[0], b[1]};
  EXPECT_EQ(overlap_with_triangle(a.data(), flat.data(), 1).corners, 0) << "has no area";
  EXPECT_FALSE(overlap_with_triangle(flat.data(), b.data(), 1).volume > 0);
}

}  // namespace
}  // namespace bulwark::test
