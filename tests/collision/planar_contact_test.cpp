// Contact in the plane z = 0: which pairs meet, collision detection of a corner and a segment, and the exact test.
#include <bulwark/collision/candidates.hpp>
#include <bulwark/collision/ccd.hpp>
#include <bulwark/collision/exact_ccd.hpp>
#include <bulwark/collision/exact_intersection.hpp>
#include <bulwark/collision/pair_rules.hpp>

#include <gtest/gtest.h>

#include <random>

namespace bulwark {
namespace {

/// Segments and their corners; every two vertices in turn are a segment of a body of its own.
CollisionMesh segments(int bodies) {
  CollisionMesh mesh;
  for (int b = 0; b < bodies; ++b) {
    mesh.edges.insert(mesh.edges.end(), {{2 * b, 2 * b}, {2 * b, 2 * b + 1}, {2 * b + 1, 2 * b + 1}});
    mesh.edge_role.insert(mesh.edge_role.end(), {EdgeRole::corner, EdgeRole::outline, EdgeRole::corner});
    mesh.points.insert(mesh.points.end(), {2 * b, 2 * b + 1});
    mesh.vertex_body.insert(mesh.vertex_body.end(), {b, b});
    mesh.bodies.push_back({});
  }
  return mesh;
}

Vectors columns(std::initializer_list<Vector2> places) {
  Vectors result = Vectors::Zero(3, static_cast<Eigen::Index>(places.size()));
  Eigen::Index k = 0;
  for (const Vector2& place : places) result.col(k++).head<2>() = place;
  return result;
}

TEST(PlanarContact, SegmentsMeetCornersAndNothingElse) {
  const CollisionMesh mesh = segments(2);
  int met = 0;
  for (int a = 0; a < 6; ++a) {
    for (int b = a + 1; b < 6; ++b) {
      if (mesh.edges[a][0] / 2 == mesh.edges[b][0] / 2) continue;
      const bool one_is_segment =
          (mesh.edge_role[a] == EdgeRole::outline) != (mesh.edge_role[b] == EdgeRole::outline);
      EXPECT_EQ(edges_meet(mesh, a, b), one_is_segment) << a << ", " << b;
      met += edges_meet(mesh, a, b) ? 1 : 0;
    }
  }
  EXPECT_EQ(met, 4);
}

TEST(PlanarContact, TheExactTestFindsCrossingSegmentsAndTouchingOnes) {
  const CollisionMesh mesh = segments(2);
  EXPECT_TRUE(find_intersections(mesh, columns({{0, 0}, {1, 1}, {1, 0}, {2, 1}})).empty());
  EXPECT_EQ(find_intersections(mesh, columns({{0, 0}, {1, 1}, {1, 0}, {0, 1}})).size(), 1u);
  // A corner that lies on the other segment, and one that misses it by the last bit.
  EXPECT_EQ(find_intersections(mesh, columns({{0, 0}, {1, 0}, {0.5, 0}, {0.5, 1}})).size(), 1u);
  EXPECT_TRUE(find_intersections(mesh, columns({{0, 0}, {1, 0}, {0.5, 1e-300}, {0.5, 1}})).empty());
  // Along each other: apart and with a common part.
  EXPECT_TRUE(find_intersections(mesh, columns({{0, 0}, {1, 0}, {1.5, 0}, {2, 0}})).empty());
  EXPECT_EQ(find_intersections(mesh, columns({{0, 0}, {1, 0}, {0.5, 0}, {2, 0}})).size(), 1u);
  const std::vector<Intersection> found = find_intersections(mesh, columns({{0, 0}, {1, 1}, {1, 0}, {0, 1}}));
  EXPECT_NE(describe(mesh, columns({{0, 0}, {1, 1}, {1, 0}, {0, 1}}), found[0]).find("meets edge"),
            std::string::npos);
}

TEST(PlanarContact, CollisionDetectionOfACornerAndASegmentIsNeverLate) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto additive = make_additive_ccd(), inclusion = make_tight_inclusion_ccd();
  int hits = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const double away = trial % 3 == 0 ? 1e4 : 0, size = trial % 5 == 0 ? 1e-4 : 1;
    CcdQuery query;
    std::array<Vector3, 4> end;
    const auto place = [&] { return Vector3(away + size * uniform(random), size * uniform(random), 0); };
    query.x = {place(), Vector3::Zero(), place(), place()};
    end = {place(), Vector3::Zero(), place(), place()};
    // Every other query slides along the segment or grazes its end.
    if (trial % 2 == 0)
      end[0] =
          query.x[2] + (query.x[3] - query.x[2]) * (uniform(random) + 0.5) + (query.x[0] - end[0]) * 1e-9;
    query.x[1] = query.x[0];
    end[1] = end[0];
    for (int i = 0; i < 4; ++i) query.p[i] = end[i] - query.x[i];
    std::array<Vector3, 4> there;
    for (int i = 0; i < 4; ++i) there[i] = query.x[i] + query.p[i];
    const exact::Impact truth = exact::edge_edge_impact(query.x, there);
    hits += truth.hit ? 1 : 0;
    for (const Ccd* ccd : {additive.get(), inclusion.get()}) {
      const CcdAnswer impact = ccd->edge_edge_impact(query, {});
      if (truth.hit) {
        EXPECT_TRUE(impact.hit) << trial;
        EXPECT_LE(impact.time, truth.not_after) << trial;
        EXPECT_LE(ccd->edge_edge(query, {}), truth.not_after) << trial;
      }
    }
  }
  EXPECT_GT(hits, 300);
}

TEST(PlanarContact, ACornerThatPassesFarFromASegmentIsNotHeldBack) {
  const auto ccd = make_additive_ccd();
  CcdQuery query;
  query.x = {Vector3(0, 1, 0), Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(1, 0, 0)};
  query.p = {Vector3(5, 0, 0), Vector3(5, 0, 0), Vector3::Zero(), Vector3::Zero()};
  EXPECT_EQ(ccd->edge_edge(query, {}), 1);
  query.p[0] = query.p[1] = Vector3(0, -2, 0);
  CcdOptions options;
  options.keep_fraction = 0.01;
  EXPECT_NEAR(ccd->edge_edge(query, options), 0.495, 1e-6);
}

}  // namespace
}  // namespace bulwark
