// Two bodies that one direction keeps apart: whatever is settled so must stay apart along the whole way.
#include <bulwark/collision/contact_set.hpp>
#include <bulwark/collision/open_queries.hpp>
#include <bulwark/math/rotation.hpp>

#include <gtest/gtest.h>

#include "brute_force.hpp"
#include "reference_distance.hpp"
#include "test_meshes.hpp"

namespace bulwark {
namespace {

SurfaceMesh box() {
  SurfaceMesh s;
  s.vertices.resize(3, 8);
  for (int v = 0; v < 8; ++v) s.vertices.col(v) << (v & 1) - 0.5, (v >> 1 & 1) - 0.5, (v >> 2 & 1) - 0.5;
  s.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                 {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return s;
}

struct Bodies {
  test::TestMesh made;
  VertexPath path;
  Vectors end;
  VertexBoxes boxes;
  Candidates candidates;
  NearCandidates near;

  /// A box at rest and one that is moved and turned about its center.
  Bodies(const Vector3& position, const Vector3& start_turn, const Vector3& way, const Vector3& turn) {
    made.add(box());
    SurfaceMesh other = box();
    other.vertices = rotation_matrix(start_turn) * other.vertices;
    other.vertices.colwise() += position;
    made.add(other);
    path = VertexPath::line(made.positions, made.positions);
    path.straight.rightCols(8).colwise() = way;
    path.turns.push_back({position, way, turn});
    path.turn_of_body = {-1, 0};
    end = path.at(made.mesh, 1);
    // Boxes that hold the whole way.
    boxes = {Vectors::Constant(3, 16, -100), Vectors::Constant(3, 16, 100)};
    candidates = test::make_brute_force()->find(made.mesh, boxes, max_pairs);
    group_by_bodies(made.mesh, candidates);
    near = near_candidates(made.mesh, candidates, boxes, ContactScales::uniform(made.mesh, {1, 0}));
  }

  bool is_settled(const CcdOptions& options, SeparatingDirections directions = {}) const {
    // The reach of which a part is kept at the most.
    const double reach = options.keep_at_most / options.keep_fraction;
    const ContactScales scales =
        ContactScales::uniform(made.mesh, {reach - options.minimum_distance, options.minimum_distance});
    const OpenQueries open =
        open_queries(made.mesh, candidates, near, path, end, boxes, options, scales, directions);
    bool settled = true;
    for (const std::uint32_t k : open.point_triangle)
      settled = settled && same_body(candidates.point_triangle[k]);
    for (const std::uint32_t k : open.edge_edge) settled = settled && same_body(candidates.edge_edge[k]);
    return settled;
  }

  /// The smallest distance of the two boxes at a time.
  double distance(double t) const {
    const Vectors x = path.at(made.mesh, t);
    Real smallest = 1e30L;
    auto look_at = [&](const auto& c, bool edge_edge) {
      if (same_body(c)) return;
      std::array<Point, 4> points;
      const std::array<int, 4> v = vertices_of(made.mesh, c);
      for (int i = 0; i < 4; ++i) points[i] = x.col(v[i]).cast<Real>();
      smallest = std::min(smallest, reference_distance(points, edge_edge));
    };
    for (const auto& c : candidates.point_triangle) look_at(c, false);
    for (const auto& c : candidates.edge_edge) look_at(c, true);
    return static_cast<double>(smallest);
  }

 private:
  static constexpr std::size_t max_pairs = 1'000'000;
  template <class Candidate>
  bool same_body(const Candidate& c) const {
    const std::array<int, 4> v = vertices_of(made.mesh, c);
    return made.mesh.vertex_body[v[0]] == made.mesh.vertex_body[v[3]];
  }
};

TEST(OpenQueries, WhatOneDirectionSettlesKeepsItsPartOfTheGapAllTheWay) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  auto vector = [&] { return Vector3(normal(random), normal(random), normal(random)); };
  CcdOptions options;
  options.keep_at_most = 0.02;
  int settled = 0, open = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    options.minimum_distance = trial % 3 == 0 ? 0.01 : 0;
    const double turn = std::pow(10, -3 + trial % 4);
    const Bodies bodies((0.8 + 0.4 * std::abs(normal(random))) * vector().normalized() * 1.2, vector(),
                        0.3 * vector(), turn * vector());
    const double gap = bodies.distance(0) - options.minimum_distance;
    if (!(gap > 0)) continue;
    if (!bodies.is_settled(options)) {
      ++open;
      continue;
    }
    ++settled;
    const double kept =
        options.minimum_distance + std::min(options.keep_fraction * gap, options.keep_at_most);
    for (int k = 0; k <= 40; ++k)
      EXPECT_GT(bodies.distance(k / 40.0), kept * (1 - 1e-9)) << trial << " at " << k;
  }
  EXPECT_GT(settled, 100);
  EXPECT_GT(open, 100);
}

TEST(OpenQueries, ABoxThatRestsOnAnotherIsSettledAndOneThatGoesThroughIsNot) {
  CcdOptions options;
  options.keep_at_most = 0.002;
  const Vector3 none = Vector3::Zero(), above(0.1, 1.001, 0.2);
  EXPECT_TRUE(Bodies(above, none, {0.01, -0.0005, 0}, {1e-4, 0.1, 1e-4}).is_settled(options));
  EXPECT_FALSE(Bodies(above, none, {0, -0.0009, 0}, none).is_settled(options));
  EXPECT_FALSE(Bodies(above, none, {0, -0.0005, 0}, {2e-3, 0, 0}).is_settled(options));
  EXPECT_FALSE(Bodies({0, 2, 0}, none, {0, -4, 0}, none).is_settled(options));
  // A full turn ends where it began.
  EXPECT_FALSE(Bodies({0, 1.05, 0}, none, none, {0, 0, 6.283185307179586}).is_settled(options));
}

}  // namespace
}  // namespace bulwark
