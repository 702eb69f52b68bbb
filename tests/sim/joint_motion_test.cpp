// Jointed bodies in motion against closed forms: periods, springs, motors, linkages.
#include <gtest/gtest.h>

#include <sim/jointed_world.hpp>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace bulwark {
namespace {

constexpr double pi = std::numbers::pi;

TEST(JointMotion, HingedRodSwingsWithItsPeriod) {
  World world;
  const double start = 0.1;
  const int rod = pendulum(world, start);
  add_joint(world, joint("hinge", JointKind::hinge, rod, world_body, Vector3::Zero()));
  Simulation simulation(std::move(world), without_contact(1e-3));
  const WatchedRun run = watched_run(simulation, 2300);
  EXPECT_NEAR(run.period(0, -start, 1e-3), pendulum_period(start), 2e-3 * pendulum_period(start));
  EXPECT_LT(run.error, 1e-12);
  EXPECT_LT(run.iterations, 4);
}

TEST(JointMotion, SpringOscillatesWithItsPeriod) {
  World world;
  const int body = box(world, "body", {0.1, 0.1, 0.1}, {0, -1, 0});
  JointOptions spring = joint("spring", JointKind::spring, body, world_body, {0, -1, 0});
  spring.second_point = Vector3::Zero();
  spring.stiffness = 100;  // mass 1 kg
  spring.rest = 1 - 9.81 / 100 + 0.05;
  add_joint(world, spring);
  Simulation simulation(std::move(world), without_contact(1e-3));
  // At rest it would be 5 cm lower; it starts there without speed.
  const double low = 1 + 0.05, period = 2 * pi / 10;
  const WatchedRun run = watched_run(simulation, 1500);
  EXPECT_NEAR(run.period(0, low, 1e-3), period, 3e-3 * period);
}

TEST(JointMotion, TorsionSpringAndDampingSettleWhereTorquesBalance) {
  World world;
  const int rod = box(world, "rod", {1, 0.05, 0.05}, {0.5, 0, 0});
  JointOptions hinge = joint("hinge", JointKind::hinge, rod, world_body, {0, 0, 0});
  hinge.damping = 20;
  add_joint(world, hinge);
  JointOptions spring = joint("spring", JointKind::spring, rod, world_body, {0, 0, 0});
  spring.angular = true;
  spring.stiffness = 50;
  add_joint(world, spring);
  Simulation simulation(std::move(world), without_contact(1e-2));
  watched_run(simulation, 1000);
  const double angle = simulation.joint_states()[0].coordinate;
  EXPECT_NEAR(50 * angle, -2.5 * 9.81 * 0.5 * std::cos(angle), 1e-6);
  EXPECT_NEAR(simulation.joint_states()[1].torque.z(), -50 * angle, 1e-6);
}

TEST(JointMotion, MotorTurnsAtItsSpeedAndCountsTurns) {
  World world;
  const int rod = box(world, "rod", {1, 0.05, 0.05}, {0, 0, 0});
  const int hinge = add_joint(world, joint("hinge", JointKind::hinge, rod, world_body, {0, 0, 0}));
  add_joint(world, motor(hinge, MotorLaw::speed, 10));
  Simulation simulation(std::move(world), without_contact(1e-2));
  const WatchedRun run = watched_run(simulation, 200);
  EXPECT_NEAR(run.coordinates[0].back(), 20, 0.01);
  EXPECT_LT(run.iterations, 6);
}

TEST(JointMotion, MotorWithALargestTorqueSpeedsUpNoFasterThanThat) {
  World world;
  const int rod = box(world, "rod", {1, 0.05, 0.05}, {0, 0, 0});
  const int hinge = add_joint(world, joint("hinge", JointKind::hinge, rod, world_body, {0, 0, 0}));
  JointOptions weak = motor(hinge, MotorLaw::speed, 100);
  weak.largest_force = 2;
  add_joint(world, weak);
  Simulation simulation(std::move(world), without_contact(1e-3));
  watched_run(simulation, 500);
  const double inertia = 2.5 * (1 + 0.05 * 0.05) / 12, time = 0.5;
  EXPECT_NEAR(simulation.joint_states()[0].coordinate, 0.5 * 2 / inertia * time * time, 0.02);
}

/// A planar linkage in x and y: the angle of the rocker of a four-bar linkage with given crank angle.
double rocker_angle(double crank, double a, double b, double c, double d) {
  // Crank a at the origin, rocker c at (d, 0), coupler b: circle intersection with y > 0.
  const Vector2 p(a * std::cos(crank), a * std::sin(crank)), q(d, 0);
  const Vector2 r = q - p;
  const double l = r.norm(), x = (b * b - c * c + l * l) / (2 * l), y = std::sqrt(b * b - x * x);
  const Vector2 n(-r.y() / l, r.x() / l);
  const Vector2 m = p + x / l * r + y * n;
  return std::atan2(m.y(), m.x() - d);
}

TEST(JointMotion, FourBarLinkageFollowsItsClosedForm) {
  const double a = 0.4, b = 1.1, c = 0.9, d = 1.2;
  const double start = 1.0, rocker = rocker_angle(start, a, b, c, d);
  const Vector3 A(a * std::cos(start), a * std::sin(start), 0),
      B(d + c * std::cos(rocker), c * std::sin(rocker), 0), D(d, 0, 0);
  World world;
  auto bar = [&](const std::string& name, const Vector3& from, const Vector3& to, double z) {
    BodyOptions options = named(name, 0.5 * (from + to) + Vector3(0, 0, z));
    options.pose.rotation =
        Eigen::AngleAxisd(std::atan2(to.y() - from.y(), to.x() - from.x()), Vector3::UnitZ())
            .toRotationMatrix();
    return add_affine(world, surface_mesh(BoxShape{{(to - from).norm(), 0.05, 0.02}}), {}, options);
  };
  const int crank_bar = bar("crank", Vector3::Zero(), A, 0), coupler = bar("coupler", A, B, 0.05),
            rocker_bar = bar("rocker", B, D, 0);
  const int driven =
      add_joint(world, joint("crank", JointKind::hinge, crank_bar, world_body, Vector3::Zero()));
  add_joint(world, joint("a", JointKind::hinge, coupler, crank_bar, A));
  add_joint(world, joint("b", JointKind::hinge, rocker_bar, coupler, B));
  const int out = add_joint(world, joint("rocker", JointKind::hinge, rocker_bar, world_body, D));
  add_joint(world, motor(driven, MotorLaw::speed, 4));
  Simulation simulation(std::move(world), without_contact(5e-3));
  double worst = 0;
  const WatchedRun run = watched_run(simulation, 400, [&](int) {
    const auto& joints = simulation.joint_states();
    const double expected = rocker_angle(start + joints[driven].coordinate, a, b, c, d) - rocker;
    worst = std::max(worst, std::abs(joints[out].coordinate - expected));
  });
  EXPECT_LT(worst, 1e-5);
  EXPECT_LT(run.error, 1e-12);
}

TEST(JointMotion, SliderCrankFollowsItsClosedForm) {
  const double r = 0.3, l = 1;
  World world;
  const int crank = box(world, "crank", {r, 0.05, 0.05}, {r / 2, 0, 0});
  const int rod = box(world, "rod", {l, 0.05, 0.05}, {r + l / 2, 0, 0.1});
  const int piston = box(world, "piston", {0.2, 0.2, 0.2}, {r + l, 0, 0});
  const int driven = add_joint(world, joint("axle", JointKind::hinge, crank, world_body, {0, 0, 0}));
  add_joint(world, joint("pin", JointKind::hinge, rod, crank, {r, 0, 0}));
  add_joint(world, joint("wrist", JointKind::hinge, piston, rod, {r + l, 0, 0}));
  const int slide =
      add_joint(world, joint("bore", JointKind::slider, piston, world_body, {r + l, 0, 0}, Vector3::UnitX()));
  add_joint(world, motor(driven, MotorLaw::speed, 6));
  Simulation simulation(std::move(world), without_contact(5e-3));
  double worst = 0;
  const WatchedRun run = watched_run(simulation, 400, [&](int) {
    const double t = simulation.joint_states()[driven].coordinate;
    const double x = r * std::cos(t) + std::sqrt(l * l - r * r * std::sin(t) * std::sin(t)) - r - l;
    worst = std::max(worst, std::abs(simulation.joint_states()[slide].coordinate - x));
  });
  EXPECT_LT(run.error, 1e-12);
  EXPECT_LT(worst, 1e-6);
}

}  // namespace
}  // namespace bulwark
