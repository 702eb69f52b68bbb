#include <bulwark/base/error.hpp>
#include <bulwark/base/parallel.hpp>
#include <bulwark/collision/broad_phase.hpp>
#include <collision/brute_force.hpp>
#include <collision/test_meshes.hpp>

#include <gtest/gtest.h>

namespace bulwark {
namespace {

using test::make_brute_force;
using test::TestMesh;

void expect_same(const Candidates& a, const Candidates& b) {
  EXPECT_EQ(a.point_triangle, b.point_triangle);
  EXPECT_EQ(a.edge_edge, b.edge_edge);
  EXPECT_EQ(a.point_plane, b.point_plane);
}

/// Every method against the reference over a series of motions, each a call to the same instance.
void expect_equal_over_motion(TestMesh& t, double speed, double inflation, std::mt19937& random,
                              int calls = 6) {
  const auto bvh = make_bvh();
  const auto reference = make_brute_force();
  std::vector<std::unique_ptr<BroadPhase>> others;
  for (const char* name : {"body-boxes", "auto"}) others.push_back(make_broad_phase(name));
  for (int call = 0; call < calls; ++call) {
    const Vectors end = t.positions + test::random_vectors(t.mesh.vertex_count(), speed, random);
    const VertexBoxes boxes = swept_boxes(t.positions, end, inflation);
    const Candidates expected = reference->find(t.mesh, boxes);
    expect_same(bvh->find(t.mesh, boxes), expected);
    expect_same(make_bvh()->find(t.mesh, boxes), expected);
    for (const auto& other : others) expect_same(other->find(t.mesh, boxes), expected);
    t.positions = end;
  }
}

TEST(BroadPhase, TreeFindsWhatBruteForceFindsInASoup) {
  std::mt19937 random(1);
  for (double size : {0.01, 0.1, 0.5}) {
    TestMesh t;
    t.add(test::soup(150, 50, size, random));
    expect_equal_over_motion(t, 0.02, 0.001, random);
    expect_equal_over_motion(t, 1.0, 0.0, random);
  }
}

TEST(BroadPhase, TreeFindsWhatBruteForceFindsOnSpheresAndAPlane) {
  std::mt19937 random(2);
  TestMesh t;
  t.add(test::sphere(8, 1.0));
  t.add(test::sphere(7, 0.6, Vector3(1.5, 0.2, 0)));
  t.add_plane(Vector3(0.1, -0.8, 0), Vector3(0.6, 0.8, 0));
  t.add_plane(Vector3(0, 0.9, 0), -Vector3::UnitY());
  expect_equal_over_motion(t, 0.1, 0.05, random);
}

TEST(BroadPhase, RulesOfBodiesHoldInTheTree) {
  std::mt19937 random(3);
  TestMesh t;
  t.add(test::soup(40, 20, 0.3, random), {.self = false});
  t.add(test::soup(40, 20, 0.3, random), {.obstacle = true});
  t.add(test::soup(40, 20, 0.3, random), {.obstacle = true, .group = 2});
  t.add(test::soup(40, 20, 0.3, random), {.group = 1});
  t.add(test::soup(40, 20, 0.3, random), {.group = 1});
  t.add(test::soup(40, 20, 0.3, random), {.group = 2});
  t.add(test::soup(40, 20, 0.3, random), {.collides = false});
  t.add_plane(Vector3(0, 0.5, 0), Vector3(0, 1, 0), {.obstacle = true, .group = 1});
  t.mesh.exempt(5, 0);
  EXPECT_FALSE(t.mesh.may_collide(0, 5) || t.mesh.may_collide(5, 0));
  EXPECT_TRUE(t.mesh.may_collide(0, 3) && t.mesh.may_collide(5, 3));
  expect_equal_over_motion(t, 0.05, 0.01, random);

  const Vectors& x = t.positions;
  const Candidates c = make_bvh()->find(t.mesh, swept_boxes(x, x, 0.0));
  ASSERT_FALSE(c.point_triangle.empty() || c.edge_edge.empty() || c.point_plane.empty());
  for (const auto& [point, triangle] : c.point_triangle) {
    EXPECT_TRUE(
        t.mesh.may_collide(t.mesh.vertex_body[point], t.mesh.vertex_body[t.mesh.triangles[triangle][0]]));
  }
  for (const auto& [point, plane] : c.point_plane)
    EXPECT_NE(t.mesh.bodies[t.mesh.vertex_body[point]].group, 1);
}

TEST(BroadPhase, ATreeServesAnotherMeshAfterTheFirst) {
  std::mt19937 random(4);
  TestMesh first, second;
  first.add(test::soup(60, 10, 0.2, random));
  second.add(test::soup(60, 10, 0.2, random), {.self = false});
  second.add(test::soup(10, 0, 0.5, random));
  const auto bvh = make_bvh();
  for (TestMesh* t : {&first, &second, &first}) {
    const VertexBoxes boxes = swept_boxes(t->positions, t->positions, 0.01);
    expect_same(bvh->find(t->mesh, boxes), make_brute_force()->find(t->mesh, boxes));
  }
  // The same topology under other rules.
  second.mesh.bodies[0].self = true;
  const VertexBoxes boxes = swept_boxes(second.positions, second.positions, 0.01);
  const auto warm = make_bvh();
  warm->find(second.mesh, boxes);
  second.mesh.bodies[1].collides = false;
  expect_same(warm->find(second.mesh, boxes), make_brute_force()->find(second.mesh, boxes));
}

TEST(BroadPhase, BodiesThatFlyApartAndComeBackAreFollowed) {
  std::mt19937 random(5);
  TestMesh t;
  for (int i = 0; i < 4; ++i) t.add(test::soup(30, 10, 0.3, random));
  const auto bvh = make_bvh();
  const Vectors home = t.positions;
  for (double away : {0.0, 0.5, 5.0, 100.0, 3.0, 0.0}) {
    Vectors x = home;
    for (int v = 0; v < t.mesh.vertex_count(); ++v)
      x.col(v) += away * t.mesh.vertex_body[v] * Vector3(1, 0.3, -2);
    const VertexBoxes boxes = swept_boxes(x, x, 0.01);
    expect_same(bvh->find(t.mesh, boxes), make_brute_force()->find(t.mesh, boxes));
  }
}

TEST(BroadPhase, FewChangedBodiesAreSearchedAgain) {
  std::mt19937 random(12);
  TestMesh t;
  for (int k = 0; k < 8; ++k)
    t.add(test::sphere(4, 0.5, Vector3(0.9 * (k % 4), 0.9 * (k / 4), 0)), {.self = k % 2 == 0});
  t.add_plane(Vector3(0, -0.4, 0), Vector3::UnitY());
  for (const char* name : {"body-boxes", "auto", "bvh"}) {
    const auto method = make_broad_phase(name);
    Vectors x = t.positions;
    Candidates kept = method->find(t.mesh, swept_boxes(x, x, 0.05));
    std::size_t fewest = 1000000, most = 0;
    for (int call = 0; call < 20; ++call) {
      std::vector<char> changed(t.mesh.bodies.size(), 0);
      for (int k = 0; k < 3; ++k) changed[random() % 8] = 1;
      const Vectors moved = test::random_vectors(t.mesh.vertex_count(), 0.3, random);
      for (int v = 0; v < t.mesh.vertex_count(); ++v) {
        // The bodies move as a whole, by the random way of their first vertex.
        if (changed[t.mesh.vertex_body[v]]) x.col(v) = t.positions.col(v) + moved.col(t.mesh.vertex_body[v]);
      }
      const VertexBoxes boxes = swept_boxes(x, x, 0.05);
      kept = method->update(t.mesh, boxes, changed, kept, 1000000);
      const Candidates fresh = method->find(t.mesh, boxes);
      ASSERT_TRUE(kept.complete);
      expect_same(kept, fresh);
      ASSERT_EQ(kept.groups.size(), fresh.groups.size());
      for (std::size_t g = 0; g < fresh.groups.size(); ++g) {
        EXPECT_EQ(kept.groups[g].body_a, fresh.groups[g].body_a);
        EXPECT_EQ(kept.groups[g].body_b, fresh.groups[g].body_b);
        EXPECT_EQ(kept.groups[g].point_end, fresh.groups[g].point_end);
        EXPECT_EQ(kept.groups[g].edge_end, fresh.groups[g].edge_end);
      }
      fewest = std::min(fewest, fresh.edge_edge.size());
      most = std::max(most, fresh.edge_edge.size());
    }
    EXPECT_LT(fewest, most);
    EXPECT_FALSE(method->update(t.mesh, swept_boxes(x, x, 0.05), std::vector<char>(9, 1), kept, 5).complete);
  }
}

TEST(BroadPhase, TooManyPairsEndTheSearch) {
  std::mt19937 random(12);
  TestMesh t;
  t.add(test::soup(60, 30, 1.0, random));
  const VertexBoxes boxes = swept_boxes(t.positions, t.positions, 0.1);
  for (const char* name : {"bvh", "body-boxes", "auto"}) {
    const auto method = make_broad_phase(name);
    const Candidates few = method->find(t.mesh, boxes, 10);
    EXPECT_FALSE(few.complete) << name;
    EXPECT_TRUE(few.point_triangle.empty() && few.edge_edge.empty()) << name;
    EXPECT_TRUE(method->find(t.mesh, boxes, 1'000'000).complete) << name;
  }
}

TEST(BroadPhase, BoxesThatTouchOverlap) {
  TestMesh t;
  SurfaceMesh two;
  two.vertices.resize(3, 6);
  two.vertices << 0, 1, 0, 1, 2, 1,  //
      0, 0, 1, 1, 1, 2,              //
      0, 0, 0, 0, 0, 0;
  two.triangles = {{0, 1, 2}, {3, 4, 5}};
  t.add(two);
  const VertexBoxes boxes = swept_boxes(t.positions, t.positions, 0);
  const Candidates c = make_bvh()->find(t.mesh, boxes);
  EXPECT_FALSE(c.point_triangle.empty());
  expect_same(c, make_brute_force()->find(t.mesh, boxes));
}

TEST(BroadPhase, EmptyAndCoincidentMeshesAreSearched) {
  TestMesh t;
  const VertexBoxes none{Vectors(3, 0), Vectors(3, 0)};
  EXPECT_TRUE(make_bvh()->find(t.mesh, none).point_triangle.empty());

  std::mt19937 random(6);
  t.add(test::soup(50, 20, 0.1, random));
  t.positions.setConstant(0.25);
  const VertexBoxes boxes = swept_boxes(t.positions, t.positions, 0);
  expect_same(make_bvh()->find(t.mesh, boxes), make_brute_force()->find(t.mesh, boxes));
}

TEST(BroadPhase, AnswerIsTheSameOnOneThreadAndOnMany) {
  std::mt19937 random(7);
  TestMesh t;
  t.add(test::sphere(20, 1.0));
  t.add(test::soup(800, 100, 0.2, random));
  const VertexBoxes boxes = swept_boxes(t.positions, t.positions, 0.02);
  set_thread_count(1);
  const Candidates one = make_bvh()->find(t.mesh, boxes);
  set_thread_count(4);
  expect_same(make_bvh()->find(t.mesh, boxes), one);
  set_thread_count(0);
}

TEST(BroadPhase, SweptBoxesHoldThePathAndTheInflation) {
  std::mt19937 random(8);
  const Vectors start = test::random_vectors(100, 1e6, random), end = test::random_vectors(100, 1e-6, random);
  const VertexBoxes boxes = swept_boxes(start, end, 1e-7);
  for (int v = 0; v < 100; ++v) {
    for (int i = 0; i < 3; ++i) {
      const long double low = std::min(start(i, v), end(i, v)), high = std::max(start(i, v), end(i, v));
      EXPECT_LE(static_cast<long double>(boxes.lower(i, v)), low - 1e-7L);
      EXPECT_GE(static_cast<long double>(boxes.upper(i, v)), high + 1e-7L);
    }
  }
}

TEST(BroadPhase, UnknownNameIsAnsweredWithTheKnownOnes) {
  EXPECT_NE(make_broad_phase("auto"), nullptr);
  EXPECT_NE(make_broad_phase("bvh"), nullptr);
  EXPECT_NE(make_broad_phase("body-boxes"), nullptr);
  try {
    make_broad_phase("hash");
    FAIL() << "an unknown name was accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("body-boxes"), std::string::npos);
  }
}

}  // namespace
}  // namespace bulwark
