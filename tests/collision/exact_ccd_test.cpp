#include <bulwark/collision/exact_ccd.hpp>
#include <bulwark/math/exact_polynomial.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace bulwark::exact {
namespace {

using Points = std::array<Vector3, 4>;

void expect_hit(const Impact& impact, double time) {
  EXPECT_TRUE(impact.hit);
  EXPECT_LE(impact.not_before, time);
  EXPECT_GE(impact.not_after, time);
  EXPECT_LE(impact.not_after - impact.not_before, 1e-15);
}

Polynomial polynomial(std::initializer_list<int> coefficients) {
  std::vector<Integer> c;
  for (int x : coefficients) c.emplace_back(x);
  return Polynomial(std::move(c));
}

TEST(ExactPolynomial, RootsAreFoundOnceEachWhateverTheirMultiplicity) {
  // (2t - 1)^2 (3t - 1)
  auto roots = roots_in_unit_interval(polynomial({-1, 2}) * polynomial({-1, 2}) * polynomial({-1, 3}));
  ASSERT_EQ(roots.size(), 2u);
  EXPECT_NEAR(roots[0].lower(), 1.0 / 3, 1e-15);
  EXPECT_LE(roots[0].lower(), 1.0 / 3);
  EXPECT_GE(roots[0].upper(), 1.0 / 3);
  EXPECT_NEAR(roots[1].lower(), 0.5, 1e-15);
  // t (t - 1) (t^2 + 1), and roots outside.
  EXPECT_EQ(roots_in_unit_interval(polynomial({0, 1}) * polynomial({-1, 1}) * polynomial({1, 0, 1})).size(),
            2u);
  EXPECT_EQ(roots_in_unit_interval(polynomial({-3, 2}) * polynomial({1, 1})).size(), 0u);
  // Close together: (1000 t - 333)(1000 t - 334)(1000 t - 335).
  EXPECT_EQ(
      roots_in_unit_interval(polynomial({-333, 1000}) * polynomial({-334, 1000}) * polynomial({-335, 1000}))
          .size(),
      3u);
}

TEST(ExactPolynomial, SignsAtIrrationalRootsAreExact) {
  // At 1/sqrt(2), the root of 2t^2 - 1: zero for a multiple of it, and right beside it.
  for (RealNumber root : roots_in_unit_interval(polynomial({-1, 0, 2}))) {
    EXPECT_EQ(root.sign_of(polynomial({-1, 0, 2}) * polynomial({5, 1})), 0);
    EXPECT_EQ(root.sign_of(polynomial({-707106781, 1000000000})), 1);
    EXPECT_EQ(root.sign_of(polynomial({-707106782, 1000000000})), -1);
  }
}

TEST(ExactCcd, QueriesOfTheLiteratureHaveTheirKnownAnswers) {
  const Points hourglass = {Vector3(0.1, 0.1, 0.1), Vector3(0, 0, 1), Vector3(1, 0, 1), Vector3(0, 1, 1)};
  const Points hourglass_end = {Vector3(0.1, 0.1, 0.1), Vector3(0, 0, 0), Vector3(0, 1, 0), Vector3(1, 0, 0)};
  expect_hit(point_triangle_impact(hourglass, hourglass_end), 0.9);

  const Points inflection = {Vector3(1, 1, 0), Vector3(0, 0, 5), Vector3(2, 0, 2), Vector3(0, 1, 0)};
  const Points inflection_end = {Vector3(1, 1, 0), Vector3(0, 0, -1), Vector3(0, 0, -2), Vector3(0, 7, 0)};
  EXPECT_FALSE(point_triangle_impact(inflection, inflection_end).hit);

  const Points in_plane = {Vector3(1, 0.5, 1), Vector3(0, 0.57, 1), Vector3(1, 0.57, 1), Vector3(1, 1.57, 1)};
  const Points in_plane_end = {Vector3(1, 0.5, 1), Vector3(0, 0.28, 1), Vector3(1, 0.28, 1),
                               Vector3(1, 1.28, 1)};
  const Impact slide = point_triangle_impact(in_plane, in_plane_end);
  EXPECT_TRUE(slide.hit);
  EXPECT_NEAR(slide.not_before, 0.07 / 0.29, 1e-14);
}

TEST(ExactCcd, ATriangleIsClosed) {
  const Points start = {Vector3(0, 0, 1), Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 1, 0)};
  auto falling_at = [&](double x, double y) {
    Points from = start, to = start;
    from[0] = Vector3(x, y, 1);
    to[0] = Vector3(x, y, -1);
    return point_triangle_impact(from, to);
  };
  expect_hit(falling_at(0.25, 0.25), 0.5);
  expect_hit(falling_at(0, 0), 0.5);
  expect_hit(falling_at(1, 0), 0.5);
  expect_hit(falling_at(0.5, 0.5), 0.5);
  EXPECT_FALSE(falling_at(std::nextafter(1, 2), 0).hit);
  EXPECT_FALSE(falling_at(0.5, std::nextafter(0.5, 1)).hit);
  EXPECT_FALSE(falling_at(-5e-324, 0.5).hit);
}

TEST(ExactCcd, TouchingAtTheStartTheEndOrWithoutMotionCounts) {
  Points x = {Vector3(0.25, 0.25, 0), Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 1, 0)};
  Points away = x;
  away[0].z() = 1;
  expect_hit(point_triangle_impact(x, x), 0);
  expect_hit(point_triangle_impact(x, away), 0);
  expect_hit(point_triangle_impact(away, x), 1);
  EXPECT_FALSE(point_triangle_impact(away, away).hit);
}

TEST(ExactCcd, DegeneratePrimitivesAreEdgesAndPoints) {
  const Vector3 zero = Vector3::Zero(), x(1, 0, 0), up(0, 0, 1);
  // A needle; a triangle of one point; two edges of one point each.
  expect_hit(point_triangle_impact({0.2 * x + up, zero, x, 0.5 * x}, {0.2 * x - up, zero, x, 0.5 * x}), 0.5);
  EXPECT_FALSE(point_triangle_impact({1.2 * x + up, zero, x, 0.5 * x}, {1.2 * x - up, zero, x, 0.5 * x}).hit);
  expect_hit(point_triangle_impact({up, zero, zero, zero}, {-up, zero, zero, zero}), 0.5);
  EXPECT_FALSE(point_triangle_impact({up + x, zero, zero, zero}, {-up + x, zero, zero, zero}).hit);
  expect_hit(edge_edge_impact({up, up, zero, zero}, {-3 * up, -3 * up, zero, zero}), 0.25);
  // A triangle that is one point only in passing.
  expect_hit(point_triangle_impact({zero, x, x, -1 * x}, {zero, -1 * x, -1 * x, x}), 0);
}

TEST(ExactCcd, ParallelEdgesTouchWhereTheyOverlap) {
  const Vector3 zero = Vector3::Zero(), x(1, 0, 0), up(0, 0, 1);
  expect_hit(edge_edge_impact({zero, x, up + 0.5 * x, up + 1.5 * x}, {zero, x, 0.5 * x - up, 1.5 * x - up}),
             0.5);
  expect_hit(edge_edge_impact({zero, x, up + x, up + 2 * x}, {zero, x, x - up, 2 * x - up}), 0.5);
  EXPECT_FALSE(
      edge_edge_impact({zero, x, up + 1.25 * x, up + 2 * x}, {zero, x, 1.25 * x - up, 2 * x - up}).hit);
  // End to end on one line.
  expect_hit(edge_edge_impact({zero, x, 3 * x, 4 * x}, {zero, x, -1 * x, zero}), 0.5);
}

TEST(ExactCcd, ADoubleRootCounts) {
  // An edge along x moves in y above one that turns about x: the gap is 2 (t - 1/2)^2 plus the height.
  auto gap_of = [](double height) {
    const Points start = {Vector3(-1, -0.5, height), Vector3(1, -0.5, height), Vector3(0, -1, -1),
                          Vector3(0, 1, 1)};
    const Points end = {Vector3(-1, 0.5, height), Vector3(1, 0.5, height), Vector3(0, -1, 1),
                        Vector3(0, 1, -1)};
    return edge_edge_impact(start, end);
  };
  expect_hit(gap_of(0), 0.5);
  EXPECT_FALSE(gap_of(1e-300).hit);
  EXPECT_TRUE(gap_of(-1e-300).hit);
}

TEST(ExactCcd, WithAMinimumDistanceTheTimeIsThatOfTheDistance) {
  const Points start = {Vector3(0.25, 0.25, 1), Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 1, 0)};
  Points end = start;
  end[0].z() = -1;
  expect_hit(point_triangle_impact(start, end, 0.5), 0.25);
  // Past a corner, at a distance of 5 with components 3 and 4.
  Points past = start, past_end = start;
  past[0] = Vector3(-3, -4, 2);
  past_end[0] = Vector3(-3, -4, -2);
  expect_hit(point_triangle_impact(past, past_end, 5), 0.5);
  EXPECT_FALSE(point_triangle_impact(past, past_end, std::nextafter(5, 4)).hit);
  // Edges past each other.
  const Points edges = {Vector3(-1, 0, 1), Vector3(1, 0, 1), Vector3(0, -1, 0), Vector3(0, 1, 0)};
  Points edges_end = edges;
  edges_end[0].x() += 4;
  edges_end[1].x() += 4;
  expect_hit(edge_edge_impact(edges, edges_end, 1), 0);
  EXPECT_FALSE(edge_edge_impact(edges, edges_end, 0.999).hit);
}

TEST(ExactCcd, NumbersOfVeryDifferentSizesAreTreatedAlike) {
  const Points start = {Vector3(0.25e-300, 1e-301, 1e300), Vector3(0, 0, 0), Vector3(1e-300, 0, 0),
                        Vector3(0, 1e-300, 0)};
  Points end = start;
  end[0].z() = -1e300;
  expect_hit(point_triangle_impact(start, end), 0.5);
}

}  // namespace
}  // namespace bulwark::exact
