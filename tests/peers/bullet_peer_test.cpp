#include <bullet_peer.hpp>
#include <bulwark/base/error.hpp>
#include <bulwark/collision/exact_intersection.hpp>
#include <bulwark/scene/load.hpp>

#include <gtest/gtest.h>

#include <string>

namespace bulwark::app {
namespace {

constexpr double skin = 0.005;

std::string scene_with(const std::string& bodies) {
  return R"({
  "bulwark": 1,
  "time": { "step": 0.01, "steps": 1 },
  "materials": { "wood": { "model": "affine", "density": 600 } },
  "bodies": [
    { "name": "ground", "kind": "obstacle", "shape": { "plane": { "point": [0, 0.25, 0] } } },)" +
         bodies + R"(],
  "contact": { "friction": 0.5 } })";
}

/// A block of 0.6 x 0.4 x 0.8 m, turned about the vertical, 0.1 m above the ground, and a ball beside it.
Scene falling_block_and_ball() {
  return parse_scene(scene_with(R"(
    { "name": "block", "kind": "affine", "shape": { "box": [0.6, 0.4, 0.8] }, "material": "wood",
      "position": [1, 0.55, 2], "rotation": { "axis": [0, 1, 0], "degrees": 30 } },
    { "name": "ball", "kind": "affine", "shape": { "sphere": 0.3 }, "material": "wood", "position": [-1, 0.65, 2] })"),
                     "test");
}

double lowest(const World& world, const Vectors& positions, int body) {
  const Body& b = world.bodies[body];
  return positions.middleCols(b.first_vertex, b.vertex_count).row(1).minCoeff();
}

class BulletShape : public testing::TestWithParam<BulletShapes> {
 protected:
  void SetUp() override {
    if (!bullet_version()) GTEST_SKIP() << "this build has no Bullet (libbullet-dev)";
  }
};

TEST_P(BulletShape, StartsWhereTheWorldIs) {
  const Scene scene = falling_block_and_ball();
  const BulletPeer peer(scene.world, scene.settings, GetParam(), skin);
  const Vectors start = vertex_positions(scene.world.collision, scene.world.state.position);
  EXPECT_LT((peer.vertex_positions() - start).cwiseAbs().maxCoeff(), 1e-14);
}

TEST_P(BulletShape, FallsFreelyByHalfGravityTimesTimeSquared) {
  const Scene scene = falling_block_and_ball();
  BulletPeer peer(scene.world, scene.settings, GetParam(), skin);
  const double before = lowest(scene.world, peer.vertex_positions(), 1);
  constexpr int steps = 100;
  constexpr double step = 1e-3;
  for (int i = 0; i < steps; ++i) peer.step(step);
  // Bullet's steps are semi-implicit: n (n + 1) / 2 times g h^2.
  EXPECT_NEAR(before - lowest(scene.world, peer.vertex_positions(), 1),
              9.81 * step * step * steps * (steps + 1) / 2, 1e-9);
}

TEST_P(BulletShape, ComesToRestTwoSkinsAboveTheGround) {
  const Scene scene = falling_block_and_ball();
  BulletPeer peer(scene.world, scene.settings, GetParam(), skin);
  for (int i = 0; i < 480; ++i) peer.step(1.0 / 240);
  const Vectors positions = peer.vertex_positions();
  EXPECT_TRUE(find_intersections(scene.world.collision, positions).empty());
  EXPECT_NEAR(lowest(scene.world, positions, 1), 0.25 + 2 * skin, 1e-3);
  EXPECT_NEAR(lowest(scene.world, positions, 2), 0.25 + 0.3 + 2 * skin, 1e-3);  // its center
  EXPECT_EQ(peer.deepest_penetration(), 0);
}

TEST_P(BulletShape, ACapsuleLiesOnTheGroundAlongItsAxis) {
  const Scene scene = parse_scene(scene_with(R"(
    { "name": "capsule", "kind": "rigid", "shape": { "capsule": { "radius": 0.1, "height": 0.8 } },
      "material": { "model": "rigid", "density": 600 },
      "position": [0, 0.7, 0], "rotation": { "axis": [1, 0, 1], "degrees": 90 } })"),
                                  "test");
  BulletPeer peer(scene.world, scene.settings, GetParam(), skin);
  for (int i = 0; i < 480; ++i) peer.step(1.0 / 240);
  const Vectors ends = peer.vertex_positions().rightCols(2);
  EXPECT_NEAR(ends(1, 0), 0.25 + 0.1 + 2 * skin, 1e-3);
  EXPECT_NEAR(ends(1, 1), 0.25 + 0.1 + 2 * skin, 1e-3);
  EXPECT_NEAR((ends.col(0) - ends.col(1)).norm(), 0.6, 1e-9);
}

TEST_P(BulletShape, SpinsWithTheBodysOwnInertia) {
  // Torque-free: a body that spins about the axis of its largest inertia keeps doing so at the same speed.
  Scene scene = parse_scene(scene_with(R"(
    { "name": "block", "kind": "affine", "shape": { "box": [0.6, 0.1, 0.8] }, "material": "wood",
      "position": [0, 5, 0], "angular_velocity_degrees": [0, 90, 0] })"),
                            "test");
  scene.settings.gravity.setZero();
  BulletPeer peer(scene.world, scene.settings, GetParam(), skin);
  const Vectors before = peer.vertex_positions();
  for (int i = 0; i < 1000; ++i) peer.step(1e-3);
  const Vectors after = peer.vertex_positions();
  const Body& body = scene.world.bodies[1];
  for (int v = body.first_vertex; v < body.first_vertex + body.vertex_count; ++v) {
    EXPECT_NEAR(after(0, v), before(2, v), 1e-6);  // a quarter turn about y: z becomes x, x becomes -z
    EXPECT_NEAR(after(2, v), -before(0, v), 1e-6);
    EXPECT_NEAR(after(1, v), before(1, v), 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(HullsAndPrimitives, BulletShape,
                         testing::Values(BulletShapes::hulls, BulletShapes::primitives));

TEST(BulletPeer, RefusesBodiesThatAreNotConvex) {
  if (!bullet_version()) GTEST_SKIP() << "this build has no Bullet (libbullet-dev)";
  const Scene scene = parse_scene(scene_with(R"(
    { "name": "tyre", "kind": "affine", "shape": { "torus": { "major": 1, "minor": 0.2 } }, "material": "wood",
      "position": [0, 5, 0] })"),
                                  "test");
  try {
    BulletPeer(scene.world, scene.settings, BulletShapes::hulls, skin);
    FAIL() << "a torus was taken as convex";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'tyre': its shape is not convex"), std::string::npos)
        << error.what();
  }
}

TEST(BulletPeer, RefusesRoundedBoxes) {
  if (!bullet_version()) GTEST_SKIP() << "this build has no Bullet (libbullet-dev)";
  const Scene scene = parse_scene(scene_with(R"(
    { "name": "soap", "kind": "rigid", "shape": { "box": [1, 1, 1], "rounding": 0.1 },
      "material": { "model": "rigid", "density": 600 }, "position": [0, 5, 0] })"),
                                  "test");
  EXPECT_THROW(BulletPeer(scene.world, scene.settings, BulletShapes::hulls, skin), InputError);
}

TEST(BulletPeer, IsRefusedWhereTheProgramHasNone) {
  if (bullet_version()) GTEST_SKIP() << "this build has Bullet";
  EXPECT_THROW(BulletPeer(World{}, Settings{}, BulletShapes::hulls, skin), InputError);
}

}  // namespace
}  // namespace bulwark::app
