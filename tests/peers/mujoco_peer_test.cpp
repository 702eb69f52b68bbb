#include <bulwark/base/error.hpp>
#include <bulwark/scene/load.hpp>
#include <mujoco_peer.hpp>

#include <gtest/gtest.h>

#include <string>

namespace bulwark::app {
namespace {

constexpr double step = 1.0 / 240, margin = 1e-4;

Scene scene_with(const std::string& body) {
  return parse_scene(R"({
  "bulwark": 1,
  "time": { "step": 0.004166666666666667, "steps": 1 },
  "bodies": [
    { "name": "ground", "kind": "obstacle", "shape": { "plane": { "point": [0, 0.25, 0] } } },)" +
                         body + R"(],
  "contact": { "friction": 0.5 } })",
                     "test");
}

Scene falling_ball() {
  return scene_with(R"({ "name": "ball", "kind": "rigid", "shape": { "sphere": 0.3 },
    "material": { "model": "rigid", "density": 600 }, "position": [-1, 0.65, 2], "velocity": [0.5, 0, 0] })");
}

class Mujoco : public testing::Test {
 protected:
  void SetUp() override {
    if (!mujoco_version()) GTEST_SKIP() << "this build has no MuJoCo (libmujoco-dev)";
  }
};

TEST_F(Mujoco, StartsWhereTheWorldIs) {
  const Scene scene = falling_ball();
  const MujocoPeer peer(scene.world, scene.settings, margin);
  const Vectors start = vertex_positions(scene.world.collision, scene.world.state.position);
  EXPECT_LT((peer.vertex_positions() - start).cwiseAbs().maxCoeff(), 1e-12);
}

TEST_F(Mujoco, FallsFreelyByHalfGravityTimesTimeSquared) {
  const Scene scene = falling_ball();
  MujocoPeer peer(scene.world, scene.settings, margin);
  constexpr int steps = 20;
  for (int i = 0; i < steps; ++i) peer.step();
  const Vector3 ball = peer.vertex_positions().col(scene.world.bodies[1].first_vertex);
  EXPECT_NEAR(ball.x(), -1 + 0.5 * steps * step, 1e-9);
  EXPECT_NEAR(ball.y(), 0.65 - 9.81 * step * step * steps * (steps + 1) / 2, 1e-9);
  EXPECT_EQ(peer.contacts(), 0);
}

TEST_F(Mujoco, ASphereComesToRestAtItsRadiusAndRollsOn) {
  const Scene scene = falling_ball();
  MujocoPeer peer(scene.world, scene.settings, margin);
  for (int i = 0; i < 480; ++i) peer.step();
  const Vector3 ball = peer.vertex_positions().col(scene.world.bodies[1].first_vertex);
  EXPECT_NEAR(ball.y(), 0.25 + 0.3,
              1e-3);          // its contacts are soft: they yield by some tenths of a millimetre
  EXPECT_GT(ball.x(), -0.5);  // it keeps 5/7 of its speed
  EXPECT_EQ(peer.contacts(), 1);
}

TEST_F(Mujoco, RefusesWhatIsNoSphere) {
  const Scene scene = scene_with(R"({ "name": "block", "kind": "rigid", "shape": { "box": [1, 1, 1] },
    "material": { "model": "rigid", "density": 600 }, "position": [0, 5, 0] })");
  EXPECT_THROW(MujocoPeer(scene.world, scene.settings, margin), InputError);
}

TEST(MujocoPeer, IsRefusedWhereTheProgramHasNone) {
  if (mujoco_version()) GTEST_SKIP() << "this build has MuJoCo";
  EXPECT_THROW(MujocoPeer(World{}, Settings{}, margin), InputError);
}

}  // namespace
}  // namespace bulwark::app
