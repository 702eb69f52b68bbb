#include <bulwark/base/error.hpp>
#include <bulwark/base/parallel.hpp>
#include <bulwark/collision/exact_intersection.hpp>
#include <bulwark/collision/exact_predicates.hpp>
#include <collision/test_meshes.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <boost/multiprecision/gmp.hpp>
#include <cmath>
#include <limits>

namespace bulwark {
namespace {

using exact::segment_meets_triangle;
using test::TestMesh;
using Rational = boost::multiprecision::mpq_rational;

/// Whether the origin is a convex combination of the given points: solves sum l_k (x_k, 1) = (0, 1) by
/// elimination. Affinely dependent points are answered with false: fewer of them do as well.
bool simplex_holds_origin(const std::vector<std::array<Rational, 3>>& points) {
  const std::size_t count = points.size();
  std::array<std::vector<Rational>, 4> rows;
  for (int i = 0; i < 4; ++i) {
    for (const auto& p : points) rows[i].push_back(i < 3 ? p[i] : Rational(1));
    rows[i].push_back(i < 3 ? 0 : 1);
  }
  for (std::size_t k = 0; k < count; ++k) {
    std::size_t pivot = k;
    while (pivot < 4 && rows[pivot][k] == 0) ++pivot;
    if (pivot == 4) return false;
    std::swap(rows[k], rows[pivot]);
    for (std::size_t i = 0; i < 4; ++i) {
      if (i == k || rows[i][k] == 0) continue;
      const Rational factor = rows[i][k] / rows[k][k];
      for (std::size_t j = k; j <= count; ++j) rows[i][j] -= factor * rows[k][j];
    }
  }
  for (std::size_t i = count; i < 4; ++i) {
    if (rows[i][count] != 0) return false;
  }
  for (std::size_t k = 0; k < count; ++k) {
    if (rows[k][count] / rows[k][k] < 0) return false;
  }
  return true;
}

/// The same question by another road, all in rational numbers: segment and triangle meet if the origin is in
/// the hull of their vertices' differences, and then (Caratheodory) in the hull of at most four independent
/// ones.
bool reference_meets(const Vector3& p, const Vector3& q, const Vector3& a, const Vector3& b,
                     const Vector3& c) {
  std::vector<std::array<Rational, 3>> differences;
  for (const Vector3& x : {p, q}) {
    for (const Vector3& y : {a, b, c}) {
      differences.push_back({Rational(x[0]) - Rational(y[0]), Rational(x[1]) - Rational(y[1]),
                             Rational(x[2]) - Rational(y[2])});
    }
  }
  for (unsigned subset = 1; subset < 64; ++subset) {
    if (std::popcount(subset) > 4) continue;
    std::vector<std::array<Rational, 3>> chosen;
    for (int k = 0; k < 6; ++k) {
      if (subset >> k & 1) chosen.push_back(differences[k]);
    }
    if (simplex_holds_origin(chosen)) return true;
  }
  return false;
}

const Vector3 a(0, 0, 0), b(1, 0, 0), c(0, 1, 0);

TEST(ExactIntersection, CrossingAndMissing) {
  EXPECT_TRUE(segment_meets_triangle({0.2, 0.2, -1}, {0.2, 0.2, 1}, a, b, c));
  EXPECT_FALSE(segment_meets_triangle({0.8, 0.8, -1}, {0.8, 0.8, 1}, a, b, c));
  EXPECT_FALSE(segment_meets_triangle({0.2, 0.2, 0.5}, {0.2, 0.2, 1}, a, b, c));
}

TEST(ExactIntersection, TouchingAtAVertexOrAlongAnEdgeCounts) {
  EXPECT_TRUE(segment_meets_triangle({0.2, 0.2, 0}, {0.2, 0.2, 1}, a, b, c));   // ends on the face
  EXPECT_TRUE(segment_meets_triangle({1, 0, 0}, {2, 0, 5}, a, b, c));           // vertex on vertex
  EXPECT_TRUE(segment_meets_triangle({0.5, 0.5, -1}, {0.5, 0.5, 1}, a, b, c));  // through an edge
  EXPECT_TRUE(segment_meets_triangle({0, 0, -1}, {0, 0, 1}, a, b, c));          // through a vertex
}

TEST(ExactIntersection, EdgesInThePlaneOfTheTriangle) {
  EXPECT_TRUE(segment_meets_triangle({-1, 0.2, 0}, {2, 0.2, 0}, a, b, c));     // across
  EXPECT_TRUE(segment_meets_triangle({0.1, 0.1, 0}, {0.2, 0.2, 0}, a, b, c));  // inside
  EXPECT_TRUE(segment_meets_triangle({-1, 0, 0}, {0, 0, 0}, a, b, c));     // collinear with an edge, touching
  EXPECT_TRUE(segment_meets_triangle({0.2, 0, 0}, {0.4, 0, 0}, a, b, c));  // within an edge
  EXPECT_FALSE(segment_meets_triangle({-1, 0, 0}, {-0.1, 0, 0}, a, b, c));  // collinear, apart
  EXPECT_FALSE(segment_meets_triangle({1, 1, 0}, {2, -0.9, 0}, a, b, c));   // beside
  EXPECT_FALSE(segment_meets_triangle({0, 2, 0}, {2, 0.001, 0}, a, b, c));
}

TEST(ExactIntersection, DegenerateTrianglesAndEdgesAreSegmentsAndPoints) {
  const Vector3 p(0.25, 0.25, 0);
  EXPECT_TRUE(segment_meets_triangle(p, p, a, b, c));
  EXPECT_FALSE(segment_meets_triangle({1, 1, 0}, {1, 1, 0}, a, b, c));
  const Vector3 middle(0.5, 0, 0), end(1, 0, 0);
  EXPECT_TRUE(segment_meets_triangle({0.7, -1, 0}, {0.7, 1, 0}, a, end, middle));
  EXPECT_FALSE(segment_meets_triangle({0.7, -1, 1e-300}, {0.7, 1, 1e-300}, a, end, middle));
  EXPECT_TRUE(segment_meets_triangle(middle, middle, middle, middle, middle));
  EXPECT_FALSE(segment_meets_triangle(a, a, middle, middle, middle));
  EXPECT_TRUE(segment_meets_triangle(a, end, middle, middle, middle));
}

TEST(ExactIntersection, MissesByTheSmallestNumbersAreMisses) {
  const double tiny = 1e-300, least = std::numeric_limits<double>::denorm_min();
  for (double gap : {tiny, least, std::nextafter(0.0, 1.0), 1e-20}) {
    EXPECT_FALSE(segment_meets_triangle({0.2, 0.2, gap}, {0.2, 0.2, 1}, a, b, c)) << gap;
    EXPECT_FALSE(segment_meets_triangle({-gap, 0.2, -1}, {-gap, 0.2, 1}, a, b, c)) << gap;
    EXPECT_FALSE(segment_meets_triangle({-gap, 0.2, 0}, {-1, 0.2, 0}, a, b, c)) << gap;
    EXPECT_TRUE(segment_meets_triangle({gap, 0.2, -gap}, {gap, 0.2, gap}, a, b, c)) << gap;
    EXPECT_TRUE(segment_meets_triangle({0.2, 0.2, -gap}, {0.2, 0.2, gap}, a, b, c)) << gap;
  }
  const double above = std::nextafter(1.0, 2.0), below = std::nextafter(1.0, 0.0);
  const Vector3 s(0, 0, 1), t(1, 0, 1), r(0, 1, 1);
  EXPECT_FALSE(segment_meets_triangle({0.2, 0.2, above}, {0.2, 0.2, 2}, s, t, r));
  EXPECT_TRUE(segment_meets_triangle({0.2, 0.2, below}, {0.2, 0.2, 2}, s, t, r));
  // A tilted plane x + y + z = 3, whose sums are exact.
  const Vector3 x(3, 0, 0), y(0, 3, 0), z(0, 0, 3);
  EXPECT_TRUE(segment_meets_triangle({1, 1, 1}, {2, 2, 2}, x, y, z));
  EXPECT_FALSE(segment_meets_triangle({1, 1, above}, {2, 2, 2}, x, y, z));
  EXPECT_TRUE(segment_meets_triangle({1, 1, below}, {2, 2, 2}, x, y, z));
  // Everything tiny or huge: products under- and overflow.
  for (double scale : {1e-200, 1e-320, 1e200, 1e307}) {
    EXPECT_TRUE(segment_meets_triangle(scale * Vector3(0.25, 0.25, -1), scale * Vector3(0.25, 0.25, 1),
                                       scale * a, scale * b, scale * c));
    EXPECT_FALSE(segment_meets_triangle(scale * Vector3(0.75, 0.75, -1), scale * Vector3(0.75, 0.75, 1),
                                        scale * a, scale * b, scale * c));
  }
}

TEST(ExactIntersection, AgreesWithRationalArithmeticOnDegenerateGrids) {
  std::mt19937 random(11);
  int meeting = 0;
  for (int trial = 0; trial < 6000; ++trial) {
    std::uniform_int_distribution<int> coordinate(0, trial % 2 == 0 ? 2 : 4), entry(-4000000, 4000000);
    std::array<Vector3, 5> x;
    for (Vector3& v : x) v = Vector3(coordinate(random), coordinate(random), coordinate(random));
    if (trial % 3 == 1) {
      // An integer map of the grid: still exact in double precision, but products no longer are.
      Matrix3 map;
      for (double& m : map.reshaped()) m = entry(random);
      const Vector3 shift(entry(random), entry(random), entry(random));
      for (Vector3& v : x) v = map * v + shift;
    } else if (trial % 3 == 2) {
      // Rounded onto a skew plane: nearly, but not quite, coplanar.
      const Vector3 e(0.1, 0.7, 0.3), f(-0.9, 0.2, 1.0 / 3);
      for (Vector3& v : x) v = v[0] * e + v[1] * f;
    }
    const bool expected = reference_meets(x[0], x[1], x[2], x[3], x[4]);
    meeting += expected;
    ASSERT_EQ(segment_meets_triangle(x[0], x[1], x[2], x[3], x[4]), expected)
        << x[0].transpose() << " | " << x[1].transpose() << " | " << x[2].transpose() << " | "
        << x[3].transpose() << " | " << x[4].transpose();
  }
  EXPECT_GT(meeting, 500);
  EXPECT_LT(meeting, 5500);
}

TEST(ExactIntersection, SideOfPlaneIsExact) {
  const Vector3 normal(0.1, 0.2, -0.3), point(1, 1, 1);
  const Rational expected = Rational(0.1) + Rational(0.2) - Rational(0.3);
  EXPECT_EQ(exact::side_of_plane({2, 2, 2}, point, normal), expected > 0 ? 1 : (expected < 0 ? -1 : 0));
  EXPECT_EQ(exact::side_of_plane(point, point, normal), 0);
  EXPECT_EQ(exact::side_of_plane({0, 1e-300, 0}, Vector3::Zero(), {0, 1e-300, 0}), 1);
  EXPECT_EQ(exact::side_of_plane({0, -1e-300, 0}, Vector3::Zero(), {0, 1e-300, 0}), -1);
}

/// All pairs tested by the reference.
std::vector<Intersection> reference_intersections(const TestMesh& t) {
  const CollisionMesh& mesh = t.mesh;
  std::vector<Intersection> found;
  auto column = [&](int v) -> Vector3 { return t.positions.col(v); };
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    for (std::size_t f = 0; f < mesh.triangles.size(); ++f) {
      const Edge& edge = mesh.edges[e];
      const Triangle& tri = mesh.triangles[f];
      bool shared = false;
      for (int v : tri) shared |= v == edge[0] || v == edge[1];
      const int body = mesh.vertex_body[edge[0]], other = mesh.vertex_body[tri[0]];
      if (shared || !mesh.may_collide(body, other)) continue;
      bool apart = false;
      for (int i = 0; i < 3; ++i) {
        const auto [low, high] =
            std::minmax({t.positions(i, tri[0]), t.positions(i, tri[1]), t.positions(i, tri[2])});
        const auto [start, end] = std::minmax({t.positions(i, edge[0]), t.positions(i, edge[1])});
        apart |= end < low || high < start;
      }
      if (apart) continue;
      if (reference_meets(column(edge[0]), column(edge[1]), column(tri[0]), column(tri[1]), column(tri[2]))) {
        found.push_back(
            {Intersection::Kind::edge_triangle, static_cast<int>(e), static_cast<int>(f), body, other});
      }
    }
  }
  return found;
}

TEST(ExactIntersection, SearchFindsEveryPairOfASoup) {
  std::mt19937 random(12);
  for (bool integers : {false, true}) {
    TestMesh t;
    t.add(test::soup(30, 10, 0.3, random));
    t.add(test::soup(20, 10, 0.4, random), {.obstacle = true});
    t.add(test::soup(20, 10, 0.4, random), {.obstacle = true});
    if (integers) t.positions = (t.positions * 4).array().round();
    const std::vector<Intersection> expected = reference_intersections(t);
    EXPECT_GT(expected.size(), 50u);
    EXPECT_EQ(find_intersections(t.mesh, t.positions, 1000000), expected);
    EXPECT_EQ(find_intersections(t.mesh, t.positions, 10).size(), 10u);
    set_thread_count(1);
    const auto one = find_intersections(t.mesh, t.positions, 17);
    set_thread_count(3);
    EXPECT_EQ(find_intersections(t.mesh, t.positions, 17), one);
    set_thread_count(0);
  }
}

TEST(ExactIntersection, SearchAboutSomeBodiesFindsTheirPairsAndNoOthers) {
  std::mt19937 random(13);
  TestMesh t;
  for (int body = 0; body < 4; ++body) t.add(test::soup(15, 10, 0.3, random));
  t.add_plane(Vector3::Zero(), Vector3::UnitY());
  const std::vector<Intersection> all = find_intersections(t.mesh, t.positions, 1000000);
  for (unsigned asked = 0; asked < 32; ++asked) {
    std::vector<char> of_bodies;
    for (int body = 0; body < 5; ++body) of_bodies.push_back(static_cast<char>(asked >> body & 1));
    std::vector<Intersection> expected;
    for (const Intersection& pair : all) {
      if (of_bodies[pair.body_first] || of_bodies[pair.body_second]) expected.push_back(pair);
    }
    EXPECT_EQ(find_intersections(t.mesh, t.positions, 1000000, of_bodies), expected) << asked;
  }
}

TEST(ExactIntersection, SpheresApartTouchingAndCrossing) {
  auto count = [](double distance) {
    TestMesh t;
    t.add(test::sphere(20, 1.0));
    t.add(test::sphere(20, 1.0, Vector3(0, distance, 0)));
    return find_intersections(t.mesh, t.positions).size();
  };
  EXPECT_EQ(count(2.001), 0u);
  EXPECT_GT(count(2.0), 0u);  // pole on pole
  EXPECT_GT(count(1.9), 0u);
  EXPECT_EQ(count(0.0), 100u);  // coincident: every pair of neighbours, up to the limit
}

TEST(ExactIntersection, PointsOnTrianglesAndBehindPlanesAreFound) {
  TestMesh t;
  SurfaceMesh triangle, cloud;
  triangle.vertices.resize(3, 3);
  triangle.vertices << 0, 1, 0, 0, 0, 1, 0, 0, 0;
  triangle.triangles = {{0, 1, 2}};
  cloud.vertices.resize(3, 3);
  cloud.vertices << 0.25, 0.25, 0.75, 0.25, 0.25, 0.75, 0, 1e-300, 0;
  t.add(triangle);
  t.add(cloud);
  t.add_plane(Vector3(0, 0, -1e-300), Vector3::UnitZ());
  EXPECT_EQ(find_intersections(t.mesh, t.positions),
            (std::vector<Intersection>{{Intersection::Kind::point_triangle, 3, 0, 1, 0}}));
  t.positions(2, 6) = 0;
  const auto found = find_intersections(t.mesh, t.positions);
  ASSERT_EQ(found.size(), 6u);  // and all points but the one 1e-300 above
  EXPECT_EQ(found.back().kind, Intersection::Kind::point_plane);
  EXPECT_NE(describe(t.mesh, t.positions, found.front()).find("vertex 3 of body 1"), std::string::npos);
  EXPECT_NE(describe(t.mesh, t.positions, found.back()).find("plane 0"), std::string::npos);
}

TEST(ExactIntersection, TrianglesThatShareAVertexAreFoundWhenTheyPassThroughEachOther) {
  TestMesh t;
  SurfaceMesh fan;
  fan.vertices.resize(3, 5);
  fan.vertices << 0, 2, 2, 1, 1,  //
      0, -1, 1, 0, 0,             //
      0, 0, 0, -1, 1;
  fan.triangles = {{0, 1, 2}, {0, 3, 4}};
  t.add(fan);
  EXPECT_EQ(find_intersections(t.mesh, t.positions).size(), 1u);
}

TEST(ExactIntersection, PlacesThatAreNotFiniteAreRefused) {
  TestMesh t;
  t.add(test::sphere(4, 1.0));
  t.positions(1, 3) = std::nan("");
  EXPECT_THROW(find_intersections(t.mesh, t.positions), InputError);
}

TEST(ExactIntersection, LocationIsWhereTheEdgeCrosses) {
  TestMesh t;
  SurfaceMesh s;
  s.vertices.resize(3, 5);
  s.vertices << 0, 1, 0, 0.2, 0.2, 0, 0, 1, 0.2, 0.2, 0, 0, 0, -1, 3;
  s.triangles = {{0, 1, 2}};
  s.edges = {{3, 4}};
  t.add(s);
  const auto found = find_intersections(t.mesh, t.positions);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_LT((location(t.mesh, t.positions, found[0]) - Vector3(0.2, 0.2, 0)).norm(), 1e-12);
}

}  // namespace
}  // namespace bulwark
