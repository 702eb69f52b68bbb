// Ranges of joints: never left, whatever the speed.
#include <gtest/gtest.h>

#include <sim/jointed_world.hpp>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace bulwark {
namespace {

constexpr double pi = std::numbers::pi;

TEST(JointRanges, HingeStaysWithinItsRange) {
  World world;
  const int rod = box(world, "rod", {1, 0.05, 0.05}, {0.5, 0, 0});
  JointOptions hinge = joint("hinge", JointKind::hinge, rod, world_body, {0, 0, 0});
  hinge.range = JointRange{-pi / 4, pi / 6};
  add_joint(world, hinge);
  Simulation simulation(std::move(world), without_contact(1e-2));
  const WatchedRun run = watched_run(simulation, 300);
  EXPECT_GT(run.lowest(0), -pi / 4);
  EXPECT_LT(run.highest(0), pi / 6);
  EXPECT_LT(run.error, 1e-12);
  // It lies on its lower limit, which carries it.
  EXPECT_NEAR(run.coordinates[0].back(), -pi / 4, 0.035);
  EXPECT_NEAR(simulation.joint_states()[0].torque.z(), 2.5 * 9.81 * 0.5 * std::cos(pi / 4), 0.4);
}

TEST(JointRanges, FastHingeDoesNotJumpOverItsRange) {
  World world;
  BodyOptions options = named("rod", {0.5, 0, 0});
  options.angular_velocity = {0, 0, 60};
  options.velocity = {0, 30, 0};
  const int rod = add_affine(world, surface_mesh(BoxShape{{1, 0.05, 0.05}}), {}, options);
  JointOptions hinge = joint("hinge", JointKind::hinge, rod, world_body, {0, 0, 0});
  hinge.range = JointRange{-0.1, 0.2};
  add_joint(world, hinge);
  Settings s = without_contact(0.05);
  s.gravity.setZero();
  Simulation simulation(std::move(world), s);
  const WatchedRun run = watched_run(simulation, 20);
  EXPECT_GT(run.lowest(0), -0.1);
  EXPECT_LT(run.highest(0), 0.2);
}

TEST(JointRanges, SliderKeepsToItsLineAndItsLimits) {
  for (const Turning turning : {Turning::none, Turning::about_axis, Turning::freely}) {
    World world;
    BodyOptions options = named("body", {0, 0, 0});
    options.angular_velocity = {1, 2, 3};
    const int body = add_affine(world, surface_mesh(BoxShape{{0.4, 0.2, 0.3}}), {}, options);
    const Vector3 axis = Vector3(1, -2, 0.5).normalized();
    JointOptions slider = joint("slider", JointKind::slider, body, world_body, {0, 0, 0}, axis);
    slider.turning = turning;
    slider.range = JointRange{-0.1, 0.5};
    add_joint(world, slider);
    Simulation simulation(std::move(world), without_contact(1e-2));
    const WatchedRun run = watched_run(simulation, 100, [&](int) {
      const Vector3 p = simulation.world().state.position.col(0);
      EXPECT_LT((p - axis * axis.dot(p)).norm(), 1e-12);
    });
    EXPECT_LT(run.error, 1e-12);
    EXPECT_GT(run.lowest(0), -0.1);
    EXPECT_LT(run.highest(0), 0.5);
    // Free fall along the line until the limit is near.
    if (turning == Turning::none) {
      EXPECT_NEAR(run.coordinates[0][20], -0.5 * 9.81 * axis.y() * 0.21 * 0.22, 1e-6);
    }
  }
}

TEST(JointRanges, ConeTwistKeepsItsThreeRanges) {
  World world;
  BodyOptions options = named("arm", {0.5, 0, 0});
  options.angular_velocity = {9, 5, -7};
  options.velocity = options.angular_velocity.cross(Vector3(0.5, 0, 0));
  const int arm = add_affine(world, surface_mesh(BoxShape{{0.9, 0.1, 0.1}}), {}, options);
  JointOptions cone = joint("shoulder", JointKind::cone_twist, arm, world_body, {0, 0, 0}, Vector3::UnitX());
  cone.second_axis = Vector3::UnitY();
  cone.twist = JointRange{-0.2, 0.3};
  cone.bend_y = JointRange{-0.5, 0.6};
  cone.bend_z = JointRange{-2, 0.4};
  add_joint(world, cone);
  Simulation simulation(std::move(world), without_contact(5e-3));
  Vector3 low = Vector3::Zero(), high = Vector3::Zero();
  watched_run(simulation, 400, [&](int) {
    const Vector3 now = simulation.world().state.joint_coordinates.head<3>();
    low = low.cwiseMin(now);
    high = high.cwiseMax(now);
    // Independently: the angles of the rotation Rz Ry Rx.
    const Matrix3 R = simulation.world().state.position.middleCols<3>(1);
    EXPECT_NEAR(now[0], std::atan2(R(2, 1), R(2, 2)), 1e-6);
    EXPECT_NEAR(now[1], std::asin(-R(2, 0)), 1e-6);
    EXPECT_NEAR(now[2], std::atan2(R(1, 0), R(0, 0)), 1e-6);
  });
  EXPECT_TRUE((low.array() > Eigen::Array3d(-0.2, -0.5, -2)).all()) << low.transpose();
  EXPECT_TRUE((high.array() < Eigen::Array3d(0.3, 0.6, 0.4)).all()) << high.transpose();
}

}  // namespace
}  // namespace bulwark
