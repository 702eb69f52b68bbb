// Joints against closed forms: equations that hold to rounding, ranges that are never left, periods,
// reactions.
#include <bulwark/base/error.hpp>
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/simulation.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <cmath>
#include <numbers>

namespace bulwark {
namespace {

constexpr double pi = std::numbers::pi;

BodyOptions named(const std::string& name, const Vector3& position) {
  BodyOptions options;
  options.name = name;
  options.pose.position = position;
  return options;
}

JointOptions joint(const std::string& name, JointKind kind, int a, int b, const Vector3& point,
                   const Vector3& axis = Vector3::UnitZ()) {
  JointOptions options;
  options.name = name;
  options.kind = kind;
  options.body_a = a;
  options.body_b = b;
  options.point = point;
  options.axis = axis;
  return options;
}

Settings settings(double h) {
  Settings s;
  s.time.step = h;
  s.contact.enabled = false;
  s.solver.tolerance = 1e-6;
  return s;
}

int box(World& world, const std::string& name, const Vector3& size, const Vector3& position) {
  return add_affine(world, surface_mesh(BoxShape{size}), {}, named(name, position));
}

/// A thin rod of length 1 that hangs from the origin, turned out by `angle` about z.
int pendulum(World& world, double angle) {
  BodyOptions options = named("rod", 0.5 * Vector3(std::sin(angle), -std::cos(angle), 0));
  options.pose.rotation = Eigen::AngleAxisd(angle, Vector3::UnitZ()).toRotationMatrix();
  return add_affine(world, surface_mesh(BoxShape{{0.05, 1, 0.05}}), {}, options);
}

TEST(Joints, HingedRodSwingsWithItsPeriod) {
  World world;
  const double start = 0.1;
  const int rod = pendulum(world, start);
  add_joint(world, joint("hinge", JointKind::hinge, rod, world_body, Vector3::Zero()));
  Simulation simulation(std::move(world), settings(1e-3));
  // Physical pendulum, small swings: T = 2 pi sqrt(I / (m g d)) (1 + start^2 / 16).
  const double inertia = (1 + 0.05 * 0.05) / 12 + 0.25;
  const double period = 2 * pi * std::sqrt(inertia / (9.81 * 0.5)) * (1 + start * start / 16);
  std::vector<double> crossings;
  double before = start, worst = 0;
  int iterations = 0;
  for (int step = 1; step <= 3500; ++step) {
    iterations += simulation.step().newton_iterations;
    const JointState& state = simulation.joint_states()[0];
    worst = std::max(worst, state.error);
    const double angle = start + state.coordinate;
    if (before > 0 && angle <= 0) crossings.push_back((step - angle / (angle - before)) * 1e-3);
    before = angle;
  }
  ASSERT_GE(crossings.size(), 2u);
  EXPECT_NEAR(crossings[1] - crossings[0], period, 2e-3 * period);
  EXPECT_LT(worst, 1e-12);
  EXPECT_LT(iterations, 4 * 3500);
}

TEST(Joints, JointedBodiesMayOverlapWhereTheirContactIsOff) {
  World world;
  const int a = box(world, "a", {1, 0.1, 0.1}, {0, 0, 0}), b = box(world, "b", {1, 0.11, 0.12}, {0.9, 0, 0}),
            c = box(world, "c", {0.1, 0.1, 0.1}, {0, 1, 0});
  JointOptions options = joint("hinge", JointKind::hinge, b, a, {0.45, 0, 0});
  options.contact = false;
  add_joint(world, options);
  EXPECT_FALSE(world.collision.may_collide(a, b));
  EXPECT_TRUE(world.collision.may_collide(a, c) && world.collision.may_collide(b, c));
  Settings with_contact = settings(1e-2);
  with_contact.contact.enabled = true;
  Simulation simulation(world, with_contact);
  for (int step = 0; step < 3; ++step) simulation.step();
  options.name = "to the world";
  options.body_b = world_body;
  EXPECT_THROW(add_joint(world, options), InputError);
}

TEST(Joints, ReactionsBalanceTheWeightInStatics) {
  World world;
  const int a = box(world, "a", {1, 0.1, 0.1}, {0.5, 0, 0});
  const int b = box(world, "b", {1, 0.1, 0.1}, {1.5, 0, 0});
  // A beam of two welded halves, clamped at its left end.
  add_joint(world, joint("clamp", JointKind::weld, a, world_body, {0, 0, 0}));
  add_joint(world, joint("middle", JointKind::weld, b, a, {1, 0, 0}));
  Simulation simulation(std::move(world), settings(1e-2));
  for (int step = 0; step < 5; ++step) simulation.step();
  const double weight = 9.81 * 1000 * 0.01;
  const JointState clamp = simulation.joint_states()[0], middle = simulation.joint_states()[1];
  EXPECT_NEAR(clamp.force.y(), 2 * weight, 1e-6 * weight);
  EXPECT_NEAR(clamp.torque.z(), 2 * weight * 1.0, 1e-6 * weight);
  EXPECT_NEAR(middle.force.y(), weight, 1e-6 * weight);
  EXPECT_NEAR(middle.torque.z(), weight * 0.5, 1e-6 * weight);
  EXPECT_LT(clamp.error, 1e-12);
  EXPECT_LT(middle.error, 1e-12);
}

TEST(Joints, TriplePendulumKeepsItsPointsTogether) {
  World world;
  int last = world_body;
  for (int k = 0; k < 3; ++k) {
    const int rod = box(world, fmt::format("rod{}", k), {0.9, 0.05, 0.05}, {0.5 + k, 0, 0});
    add_joint(world, joint(fmt::format("j{}", k), JointKind::point, rod, last, {double(k), 0, 0}));
    last = rod;
  }
  Simulation simulation(std::move(world), settings(1e-2));
  double worst = 0, rigidity = 0;
  int iterations = 0;
  for (int step = 0; step < 300; ++step) {
    const StepReport report = simulation.step();
    iterations += report.newton_iterations;
    rigidity = std::max(rigidity, report.rigidity_error);
    for (const JointState& state : simulation.joint_states()) worst = std::max(worst, state.error);
  }
  EXPECT_LT(worst, 1e-12);
  EXPECT_LT(rigidity, 1e-6);
  EXPECT_LT(iterations, 12 * 300);
  std::printf("%g its a step, rigidity %g\n", iterations / 300.0, rigidity);
}

}  // namespace
}  // namespace bulwark
