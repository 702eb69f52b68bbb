// Scenes of patch-penalty contact, against theory.
#include <scenes/scene_run.hpp>

#include <bulwark/sim/body_nodes.hpp>

#include <Eigen/Geometry>

#include <fmt/format.h>
#include <cmath>
#include <numbers>

namespace bulwark {
namespace {

std::string text(const Vector3& v) {
  return fmt::format("[{}, {}, {}]", v[0], v[1], v[2]);
}

/// The scene of the brick with a slope of another angle (rad), for that time.
SceneRun brick_on(double angle, double time) {
  const Vector3 normal(std::sin(angle), std::cos(angle), 0);
  const double depth = 9.81 * std::cos(angle) * 1000 * 0.05 / 1e8;
  return SceneRun(
      "validation/brick_slope_patch.json",
      {"/bodies/0/shape/plane/normal=" + text(normal), "/bodies/1/position=" + text((0.025 - depth) * normal),
       fmt::format("/bodies/1/rotation/degrees={}", -angle * 180 / std::numbers::pi),
       fmt::format("/time/steps={}", std::lround(time / 5e-4))});
}

void expect_brick(double time) {
  for (const double angle : {0.18, std::atan(0.2), 0.2449}) {
    SceneRun run = brick_on(angle, time);
    const Vector3 start = run.motion("brick").center;
    run.run();
    EXPECT_LT((run.motion("brick").center - start).norm(), 1e-5) << angle;
    EXPECT_LT(run.fastest(), 1e-5) << angle;
  }
  SceneRun run = brick_on(0.25, time);
  const Vector3 down(std::cos(0.25), -std::sin(0.25), 0);
  std::vector<double> speed;
  run.each_step([&](const SceneRun& now) { speed.push_back(down.dot(now.motion("brick").velocity)); });
  run.run();
  const double wanted = 9.81 * (std::sin(0.25) - 0.2 * std::cos(0.25));
  const std::size_t first = speed.size() / 2, last = speed.size() - 1;
  EXPECT_NEAR((speed[last] - speed[first]) / (5e-4 * static_cast<double>(last - first)), wanted,
              0.01 * wanted);
}

TEST(PatchScenes, BrickSticksAndSlides) {
  expect_brick(0.1);
}

TEST(SlowPatchScenes, BrickSticksAndSlidesForLong) {
  expect_brick(0.5);
}

TEST(PatchScenes, ObliqueImpactIsThatOfTheory) {
  SceneRun run("validation/oblique_impact_patch.json");
  run.check_every(20);
  run.run();
  const double angle = 70 * std::numbers::pi / 180, mu = 0.35, e = 0.9;
  const RigidMotion ball = run.motion("ball");
  const double along = 1 - mu * (1 + e) / std::tan(angle), spin = 2.5 * mu * (1 + e) * std::cos(angle) / 0.15;
  EXPECT_NEAR(ball.velocity.y() / std::cos(angle), e, 0.02);
  EXPECT_NEAR(ball.velocity.x() / std::sin(angle), along, 0.03 * along);
  EXPECT_NEAR(ball.angular_velocity.norm(), spin, 0.03 * spin);
}

/// Of the top ball where spheres stand on each other.
const double stack_height = 0.15 + std::sqrt(0.3 * 0.3 - 0.3 * 0.3 / 3);

/// The middles of facets with sides of 30 mm are 1 mm under the sphere, on both sides of a contact.
void expect_standing(int steps) {
  SceneRun run("validation/sphere_stack_patch.json");
  run.check_every(50);
  run.run(steps);
  EXPECT_NEAR(run.motion("ball 3").center.y(), stack_height - 1e-3, 1.5e-3);
  const double carried = 4.0 / 3 * 9.81;  // by each of the lower balls, which weigh 1 kg
  int pairs = 0;
  double sum = 0;
  for (const ContactForce& contact : run.simulation().contacts()) {
    if (contact.body_a != 0 && contact.body_b != 0) continue;
    const double force = std::abs((contact.normal_force + contact.friction_force).y());
    EXPECT_NEAR(force, carried, 0.05 * carried);  // it still rocks
    sum += force;
    ++pairs;
  }
  EXPECT_NEAR(sum, 3 * carried, 0.01 * carried);
  EXPECT_EQ(pairs, 3);
}

TEST(PatchScenes, StackOfSpheresStandsAndFallsWithoutFriction) {
  expect_standing(200);
  SceneRun run("validation/sphere_stack_patch.json", {"/contact/friction=0.05"});
  run.check_every(50);
  run.run(300);
  EXPECT_LT(run.motion("ball 3").center.y(), stack_height - 0.01);
}

TEST(SlowPatchScenes, StackOfSpheresStandsForLong) {
  expect_standing(-1);
}

}  // namespace
}  // namespace bulwark
