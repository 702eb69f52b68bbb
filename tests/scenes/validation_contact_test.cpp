// The validation scenes of contact, with the barrier: brick on a slope, oblique impact, stack of spheres, piston in a cup. The
// default tests take fewer or longer steps than the scenes; the slow ones run these as they are.
#include <scenes/scene_run.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace bulwark {
namespace {

using Overrides = std::vector<std::string>;

constexpr double gravity = 9.81;

std::string tilted(double angle) {
  return fmt::format("/gravity=[{},0,{}]", -gravity * std::sin(angle), -gravity * std::cos(angle));
}

/// Speed down the slope after each step.
std::vector<double> brick_speeds(double angle, double friction, Overrides overrides, int steps) {
  overrides.push_back(tilted(angle));
  overrides.push_back(fmt::format("/contact/friction={}", friction));
  SceneRun run("validation/brick_on_slope.json", overrides);
  run.check_every(100);
  std::vector<double> speeds;
  run.each_step([&](const SceneRun& now) { speeds.push_back(-now.motion("brick").velocity.x()); });
  run.run(steps);
  return speeds;
}

/// Between a time after which the brick has settled on the slope and the end.
double acceleration(const std::vector<double>& speeds, double h, int from) {
  return (speeds.back() - speeds[from]) /
         (h * static_cast<double>(static_cast<int>(speeds.size()) - 1 - from));
}

TEST(BrickOnSlope, SlidesWhereFrictionDoesNotSuffice) {
  const std::vector<double> speeds = brick_speeds(0.25, 0.2, {"/time/step=2e-3"}, 100);
  const double expected = gravity * (std::sin(0.25) - 0.2 * std::cos(0.25));
  EXPECT_NEAR(expected, 0.526, 1e-3);
  EXPECT_NEAR(acceleration(speeds, 2e-3, 40), expected, 0.01 * expected);
}

TEST(BrickOnSlope, SticksWhereItDoes) {
  for (const double angle : {0.18, std::atan(0.2)}) {
    const std::vector<double> speeds = brick_speeds(angle, 0.25, {"/time/step=2e-3"}, 60);
    EXPECT_LT(std::abs(speeds.back()), 1.1e-4);  // static_speed
  }
}

struct Impact {
  double degrees, friction, viscosity;
};

void expect_sliding_impact(const Impact& impact, const Overrides& more, double within) {
  SCOPED_TRACE(fmt::format("{} degrees, friction {}", impact.degrees, impact.friction));
  const double angle = impact.degrees * M_PI / 180, radius = 0.15;
  Overrides overrides = more;
  overrides.insert(overrides.end(),
                   {fmt::format("/bodies/1/velocity=[{},0,{}]", std::sin(angle), -std::cos(angle)),
                    fmt::format("/contact/friction={}", impact.friction),
                    fmt::format("/materials/rubber/damping/shear={}", impact.viscosity),
                    fmt::format("/materials/rubber/damping/bulk={}", impact.viscosity)});
  SceneRun run("validation/oblique_impact.json", overrides);
  run.check_every(50);
  run.run();
  const RigidMotion end = run.motion("ball");
  const double normal = std::cos(angle), along = std::sin(angle);
  const double bounce = end.velocity.z() / normal;
  EXPECT_GT(bounce, 0.8);
  EXPECT_LT(bounce, 1.001);
  const double taken = impact.friction * (1 + bounce) * normal / along;
  ASSERT_GT(std::tan(angle), 3.5 * impact.friction * (1 + bounce)) << "it sticks";
  EXPECT_NEAR(end.velocity.x() / along, 1 - taken, within * (1 - taken));
  const double spin = 2.5 * impact.friction * (1 + bounce) * normal / radius;
  EXPECT_NEAR(end.angular_velocity.y(), spin, within * spin);
  EXPECT_LT(std::abs(end.velocity.y()), 0.01);
}

TEST(ObliqueImpact, LeavesSpeedAndSpinOfTheory) {
  expect_sliding_impact({70, 0.3, 50}, {"/time/step=2e-4"}, 0.03);
}

/// Forces on the ground over a ball's weight, and the height of the top ball.
struct Stack {
  std::vector<double> normal, inward;
  double top = 0;
};
Stack stack(const Overrides& overrides, int steps) {
  SceneRun run("validation/sphere_stack.json", overrides);
  run.check_every(20);
  run.run(steps);
  Stack result;
  const double weight = -run.contact_force("floor").z() / 4;
  result.top = run.motion("top").center.z();
  const int floor = run.body("floor");
  for (const std::string ball : {"left", "middle", "right"}) {
    Vector3 force = Vector3::Zero();
    const int other = run.body(ball);
    for (const ContactForce& contact : run.simulation().contacts()) {
      if (contact.body_a == floor && contact.body_b == other)
        force += contact.normal_force + contact.friction_force;
      if (contact.body_b == floor && contact.body_a == other)
        force -= contact.normal_force + contact.friction_force;
    }
    result.normal.push_back(-force.z() / weight);
    result.inward.push_back(force.head<2>().norm() / weight);
  }
  return result;
}

/// tan(a / 2), with a the angle of the line between the centres and the vertical.
const double stack_friction = std::tan(0.5 * std::asin(0.104 / std::sqrt(3.0) / 0.1));

void expect_standing(const Stack& standing, double within) {
  EXPECT_GT(standing.top, 0.125);
  for (int ball = 0; ball < 3; ++ball) {
    EXPECT_NEAR(standing.normal[ball], 4.0 / 3, 4.0 / 3 * within);
    EXPECT_NEAR(standing.inward[ball], stack_friction / 3, stack_friction / 3 * within);
  }
}

TEST(SphereStack, StandsWithTheForcesOfStatics) {
  expect_standing(stack({"/time/step=1e-2", "/contact/friction_iterations=1"}, 32), 0.12);
}

/// How far the piston's point of a joint is from the cup's axis through its own point of it.
double radial_drift(const Joint& joint, const Vectors& q) {
  const Vector3 axis = joint.axis_a.at(q).normalized();
  return axis.cross(joint.point_b.at(q) - joint.point_a.at(q)).norm();
}

void expect_jointed_piston(const Overrides& overrides, int steps, double least, double most) {
  SceneRun run("validation/piston_in_cup.json", overrides);
  run.check_every(50);
  double worst = 0, drift = 0;
  run.each_step([&](const SceneRun& now) {
    for (const JointState& joint : now.simulation().joint_states()) worst = std::max(worst, joint.error);
    const World& world = now.simulation().world();
    for (const Joint& joint : world.joints)
      drift = std::max(drift, radial_drift(joint, world.state.position));
  });
  const double before = run.motion("piston").center.y();
  run.run(steps);
  EXPECT_LT(worst, 1e-8);
  EXPECT_LT(drift, 1.3e-6);
  const double slide = run.motion("piston").center.y() - before;
  EXPECT_GT(slide, least);
  EXPECT_LT(slide, most);
  EXPECT_GT(run.motion("piston").center.x(), 1e-4);
}

TEST(PistonInCup, SlidesOnJointsThatStayClosed) {
  const double fall = 0.5 * gravity * 0.016 * 0.018;  // implicit Euler falls n (n + 1) / 2 steps
  expect_jointed_piston({"/time/step=2e-3"}, 8, 0.95 * fall, 1.05 * fall);
}

TEST(SlowBrickOnSlope, SlidesAndSticksForASecond) {
  const double expected = gravity * (std::sin(0.25) - 0.2 * std::cos(0.25));
  EXPECT_NEAR(acceleration(brick_speeds(0.25, 0.2, {}, 2000), 5e-4, 400), expected, 0.01 * expected);
  for (const double angle : {0.18, std::atan(0.2)})
    EXPECT_LT(std::abs(brick_speeds(angle, 0.25, {}, 2000).back()), 1.1e-4);
  // At the limit a contact that sticks needs more than its static speed to give the whole friction, and creeps.
  EXPECT_LT(std::abs(brick_speeds(std::atan(0.25), 0.25, {}, 2000).back()), 3e-3);
}

TEST(SlowObliqueImpact, FollowsTheoryAboveTheCriticalAngle) {
  for (const double degrees : {65, 70, 75, 80, 87}) expect_sliding_impact({degrees, 0.3, 50}, {}, 0.03);
  for (const double degrees : {67, 70, 75, 80, 87}) expect_sliding_impact({degrees, 0.35, 500}, {}, 0.03);
}

TEST(SlowSphereStack, StandsOrCollapsesByItsFriction) {
  expect_standing(stack({}, -1), 0.06);
  EXPECT_LT(stack({"/contact/friction=0.25"}, -1).top, 0.06);
}

TEST(SlowPistonInCup, SlidesOut) {
  // The push has a part along the axis that it tilts: more than a fall, 0.196 m.
  expect_jointed_piston({}, -1, 0.2, 0.3);
}

}  // namespace
}  // namespace bulwark
