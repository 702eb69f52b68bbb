// Primitives with radii: the exact test of distances, which pairs are looked at, and how far they may move.
#include <bulwark/collision/broad_phase.hpp>
#include <bulwark/collision/close_pairs.hpp>
#include <bulwark/collision/exact_intersection.hpp>
#include <bulwark/collision/exact_predicates.hpp>
#include <bulwark/collision/pair_offset.hpp>
#include <bulwark/collision/step_filter.hpp>
#include <bulwark/stencils/closest_points.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace bulwark {
namespace {

double just_below(double x) {
  return std::nextafter(x, 0.0);
}

TEST(ExactDistances, TouchingCountsToTheLastBit) {
  // 3, 4, 5 and 2, 3, 6, 7.
  const Vector3 o(0, 0, 0);
  EXPECT_TRUE(exact::segments_within(o, o, {3, 4, 0}, {3, 4, 0}, 5));
  EXPECT_FALSE(exact::segments_within(o, o, {3, 4, 0}, {3, 4, 0}, just_below(5)));
  // A point and the inside of an edge; two edges that cross at a distance of 7.
  EXPECT_TRUE(exact::segments_within(o, o, {-10, 2, 0}, {10, 2, 0}, 2));
  EXPECT_FALSE(exact::segments_within(o, o, {-10, 2, 0}, {10, 2, 0}, just_below(2)));
  EXPECT_TRUE(exact::segments_within({-5, 0, 0}, {5, 0, 0}, {1, 7, -4}, {1, 7, 4}, 7));
  EXPECT_FALSE(exact::segments_within({-5, 0, 0}, {5, 0, 0}, {1, 7, -4}, {1, 7, 4}, just_below(7)));
  // Parallel edges, side by side and end to end.
  EXPECT_TRUE(exact::segments_within({0, 0, 0}, {1, 0, 0}, {0.5, 0.25, 0}, {2, 0.25, 0}, 0.25));
  EXPECT_FALSE(exact::segments_within({0, 0, 0}, {1, 0, 0}, {0.5, 0.25, 0}, {2, 0.25, 0}, just_below(0.25)));
  EXPECT_TRUE(exact::segments_within({0, 0, 0}, {1, 0, 0}, {4, 4, 0}, {9, 4, 0}, 5));
  EXPECT_FALSE(exact::segments_within({0, 0, 0}, {1, 0, 0}, {4, 4, 0}, {9, 4, 0}, just_below(5)));
  // A point over the inside, an edge and a corner of a triangle.
  const Vector3 a(0, 0, 0), b(8, 0, 0), c(0, 8, 0);
  EXPECT_TRUE(exact::point_triangle_within({1, 1, 3}, a, b, c, 3));
  EXPECT_FALSE(exact::point_triangle_within({1, 1, 3}, a, b, c, just_below(3)));
  EXPECT_TRUE(exact::point_triangle_within({4, -3, 4}, a, b, c, 5));
  EXPECT_FALSE(exact::point_triangle_within({4, -3, 4}, a, b, c, just_below(5)));
  EXPECT_TRUE(exact::point_triangle_within({-2, -3, 6}, a, b, c, 7));
  EXPECT_FALSE(exact::point_triangle_within({-2, -3, 6}, a, b, c, just_below(7)));
  EXPECT_TRUE(exact::within_plane({1, 2, 3}, o, {0, 1, 0}, 2));
  EXPECT_FALSE(exact::within_plane({1, 2, 3}, o, {0, 1, 0}, just_below(2)));
  EXPECT_TRUE(exact::within_plane({1, -2, 3}, o, {0, 1, 0}, 0.5));
  // Degenerate triangles are edges or points.
  EXPECT_TRUE(exact::point_triangle_within({1, 2, 0}, a, b, b, 2));
  EXPECT_FALSE(exact::point_triangle_within({1, 2, 0}, a, b, b, just_below(2)));
  EXPECT_TRUE(exact::point_triangle_within({3, 4, 0}, a, a, a, 5));
  EXPECT_FALSE(exact::point_triangle_within({3, 4, 0}, a, a, a, just_below(5)));
}

TEST(ExactDistances, AgreeWithFloatingPointWhereThatIsSure) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto point = [&](double scale) -> Vector3 {
    return scale * Vector3(uniform(random), uniform(random), uniform(random));
  };
  int within = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    std::array<Vector3, 4> x;
    const double scale = std::pow(10.0, 4 * uniform(random));
    for (Vector3& v : x) v = point(scale);
    if (trial % 7 == 0) x[1] = x[0];  // points
    if (trial % 11 == 0) x[3] = x[2];
    if (trial % 13 == 0) x[3] = x[2] + (x[1] - x[0]);  // parallel edges
    if (trial % 17 == 0) x[3] = x[2] + 1e-9 * point(scale);
    const double edges = std::sqrt(edge_edge_squared_distance(x.data()));
    const double triangle = std::sqrt(point_triangle_squared_distance(x.data()));
    for (const double part : {0.5, 1 - 1e-6, 1 + 1e-6, 2.0}) {
      EXPECT_EQ(exact::segments_within(x[0], x[1], x[2], x[3], part * edges), part > 1) << trial;
      EXPECT_EQ(exact::point_triangle_within(x[0], x[1], x[2], x[3], part * triangle),
                part > 1 || triangle == 0)
          << trial;
      within += part > 1;
    }
  }
  EXPECT_GT(within, 0);
}

TEST(ExactDistances, ExtremeNumbersAreNoTrouble) {
  const double huge = 1e300, tiny = 1e-300;
  EXPECT_FALSE(exact::segments_within({huge, 0, 0}, {huge, 1, 0}, {-huge, 0, 0}, {-huge, 1, 0}, 1));
  EXPECT_TRUE(
      exact::segments_within({tiny, 0, 0}, {tiny, tiny, 0}, {-tiny, 0, 0}, {-tiny, tiny, 0}, 3 * tiny));
  EXPECT_FALSE(exact::segments_within({tiny, 0, 0}, {tiny, tiny, 0}, {-tiny, 0, 0}, {-tiny, tiny, 0}, tiny));
  EXPECT_FALSE(exact::point_triangle_within({huge, huge, huge}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 1e290));
}

bool is_free(const CollisionMesh& mesh, int edge) {
  return mesh.role_of(edge) == EdgeRole::free;
}

/// Lone points, free segments and triangles with radii, each a body of its own.
CollisionMesh mixed_mesh(std::mt19937& random, int count, Vectors& positions) {
  std::uniform_real_distribution<double> uniform(0, 1);
  CollisionMesh mesh;
  std::vector<Vector3> x;
  const auto vertex = [&](const Vector3& place, double radius, int body) {
    x.push_back(place);
    mesh.vertex_body.push_back(body);
    mesh.radius.push_back(radius);
    mesh.points.push_back(static_cast<int>(x.size()) - 1);
    return static_cast<int>(x.size()) - 1;
  };
  for (int body = 0; body < count; ++body) {
    mesh.bodies.push_back({});
    const double radius = body % 4 == 3 ? 0 : 0.1 * uniform(random);
    const Vector3 place(uniform(random), uniform(random), uniform(random));
    const auto near = [&] {
      return Vector3(place + 0.2 * Vector3(uniform(random), uniform(random), uniform(random)));
    };
    const int a = vertex(place, radius, body);
    if (body % 3 == 0) {
      mesh.edges.push_back({a, a});
      mesh.edge_role.push_back(EdgeRole::free);
      continue;
    }
    const int b = vertex(near(), radius, body);
    if (body % 3 == 1) {
      mesh.edges.push_back({a, b});
      mesh.edge_role.push_back(EdgeRole::free);
      continue;
    }
    const int c = vertex(near(), radius, body);
    mesh.triangles.push_back({a, b, c});
    for (const Edge& e : {Edge{a, b}, Edge{b, c}, Edge{a, c}}) {
      mesh.edges.push_back(e);
      mesh.edge_role.push_back(EdgeRole::of_triangle);
    }
  }
  positions.resize(3, static_cast<Eigen::Index>(x.size()));
  for (std::size_t v = 0; v < x.size(); ++v) positions.col(static_cast<Eigen::Index>(v)) = x[v];
  mesh.rest = positions;
  mesh.weights.resize(mesh.vertex_count(), mesh.vertex_count());
  mesh.weights.setIdentity();
  return mesh;
}

TEST(RoundPrimitives, TheExactTestFindsJustThePairsWithinTheirRadii) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 40; ++trial) {
    Vectors x;
    const CollisionMesh mesh = mixed_mesh(random, 30, x);
    std::vector<Intersection> expected;
    using Kind = Intersection::Kind;
    for (const int p : mesh.points) {
      for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t) {
        const int a = mesh.vertex_body[p], b = mesh.vertex_body[mesh.triangles[t][0]];
        const PointTriangleCandidate pair = {p, t};
        const std::array<Vector3, 4> at = positions_of(vertices_of(mesh, pair), x);
        if (a != b && std::sqrt(point_triangle_squared_distance(at.data())) <= pair_offset(mesh, pair))
          expected.push_back({Kind::point_triangle, p, t, a, b});
      }
    }
    for (int e = 0; e < static_cast<int>(mesh.edges.size()); ++e) {
      for (int f = e + 1; f < static_cast<int>(mesh.edges.size()); ++f) {
        const Edge &first = mesh.edges[e], &second = mesh.edges[f];
        const int a = mesh.vertex_body[first[0]], b = mesh.vertex_body[second[0]];
        const bool lone = is_lone_point(first) || is_lone_point(second);
        if (a == b || (lone && !(is_free(mesh, e) && is_free(mesh, f)))) continue;
        const EdgeEdgeCandidate pair = {e, f};
        const std::array<Vector3, 4> at = positions_of(vertices_of(mesh, pair), x);
        const double offset = pair_offset(mesh, pair);
        if (offset > 0 && std::sqrt(edge_edge_squared_distance(at.data())) <= offset)
          expected.push_back({Kind::edge_edge, e, f, a, b});
      }
    }
    std::vector<Intersection> found = find_intersections(mesh, x, 100000);
    std::erase_if(found, [](const Intersection& hit) { return hit.kind == Kind::edge_triangle; });
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(found, expected);
    EXPECT_FALSE(expected.empty());
  }
}

TEST(RoundPrimitives, BroadPhasesAgreeAndMissNothingWithinReach) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 20; ++trial) {
    Vectors x;
    const CollisionMesh mesh = mixed_mesh(random, 40, x);
    VertexBoxes boxes = {x, x};
    grow_by_radii(mesh, boxes);
    const Candidates bvh = make_bvh()->find(mesh, boxes), bodies = make_body_boxes()->find(mesh, boxes);
    EXPECT_EQ(bvh.edge_edge, bodies.edge_edge);
    EXPECT_EQ(bvh.point_triangle, bodies.point_triangle);
    for (const Intersection& hit : find_intersections(mesh, x, 100000)) {
      if (hit.kind == Intersection::Kind::edge_edge) {
        EXPECT_NE(
            std::find(bvh.edge_edge.begin(), bvh.edge_edge.end(), EdgeEdgeCandidate{hit.first, hit.second}),
            bvh.edge_edge.end());
      }
    }
    for (const EdgeEdgeCandidate& c : bvh.edge_edge) {
      if (is_lone_point(mesh.edges[c.edge_a]) || is_lone_point(mesh.edges[c.edge_b])) {
        EXPECT_TRUE(is_free(mesh, c.edge_a) && is_free(mesh, c.edge_b));
        EXPECT_GT(pair_offset(mesh, c), 0);
      }
    }
  }
}

TEST(RoundPrimitives, StepsKeepPartOfTheGapBetweenSolids) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> uniform(-1, 1);
  int limited = 0;
  for (int trial = 0; trial < 200; ++trial) {
    Vectors x;
    CollisionMesh mesh = mixed_mesh(random, 12, x);
    x *= 3;
    mesh.rest = x;
    if (!find_intersections(mesh, x, 1).empty()) continue;
    const ContactScales scales = ContactScales::uniform(mesh, {0.01, 0});
    Profile profile;
    StepFilter filter(mesh, make_bvh(), make_tight_inclusion_ccd(), scales, profile);
    Vectors end = x;
    for (int body = 0; body < static_cast<int>(mesh.bodies.size()); ++body) {
      const Vector3 motion = 2 * Vector3(uniform(random), uniform(random), uniform(random));
      for (int v = 0; v < mesh.vertex_count(); ++v) {
        if (mesh.vertex_body[v] == body) end.col(v) += motion;
      }
    }
    const CollisionLimit limit = filter.largest_step(VertexPath::line(x, end));
    limited += limit.step < 1;
    for (const double part : {0.25, 0.5, 0.75, 1.0})
      EXPECT_TRUE(find_intersections(mesh, x + part * limit.step * (end - x), 1).empty()) << trial;
  }
  EXPECT_GT(limited, 20);
}

TEST(RoundPrimitives, PartsOfOneBodyThatAreCloseAtRestKeepHalfOfThatDistance) {
  CollisionMesh mesh;
  mesh.bodies.resize(1);
  mesh.vertex_body.assign(6, 0);
  mesh.radius.assign(6, 1.0);
  mesh.edges = {{0, 1}, {2, 3}, {4, 5}};
  mesh.edge_role.assign(3, EdgeRole::free);
  mesh.rest.resize(3, 6);
  mesh.rest << 0, 1, 0, 1, 0, 1, 0, 0, 0.5, 0.5, 9, 9, 0, 0, 0, 0, 0, 0;
  EXPECT_EQ(pair_offset(mesh, EdgeEdgeCandidate{0, 1}), 0.25);
  EXPECT_EQ(pair_offset(mesh, EdgeEdgeCandidate{0, 2}), 2);
  mesh.vertex_body = {0, 0, 1, 1, 0, 0};
  mesh.bodies.resize(2);
  EXPECT_EQ(pair_offset(mesh, EdgeEdgeCandidate{0, 1}), 2);
}

TEST(RoundPrimitives, SolidsThatRoundingCantTellFromTouchingAreFound) {
  CollisionMesh mesh;
  mesh.bodies.resize(2);
  mesh.vertex_body = {0, 1};
  mesh.radius = {0.5, 0.25};
  mesh.edges = {{0, 0}, {1, 1}};
  mesh.edge_role.assign(2, EdgeRole::free);
  mesh.points = {0, 1};
  Vectors x(3, 2);
  x << 0, 0.75 + 1e-16 + 2e-16, 0, 0, 0, 0;
  mesh.rest = x;
  EXPECT_EQ(find_close_pairs(mesh, x, 10).size(), 1u);
  x(0, 1) = 0.75 + 1e-12;
  EXPECT_TRUE(find_close_pairs(mesh, x, 10).empty());
  EXPECT_TRUE(find_intersections(mesh, x, 10).empty());
  x(0, 1) = 0.75;
  EXPECT_EQ(find_intersections(mesh, x, 10).size(), 1u);
}

}  // namespace
}  // namespace bulwark
