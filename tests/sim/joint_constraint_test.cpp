// The primitives DP1, DP2, DIST and CD by themselves, between points of any bodies.
#include <bulwark/base/error.hpp>

#include <bulwark/math/rotation.hpp>

#include <gtest/gtest.h>

#include <sim/jointed_world.hpp>

#include <string>
#include <vector>

namespace bulwark {
namespace {

JointOptions constraint(const std::string& name, ConstraintPrimitive primitive, int a, int b,
                        const std::vector<Vector3>& points, const Vector3& axis = Vector3::UnitX()) {
  JointOptions options = joint(name, JointKind::constraint, a, b, Vector3::Zero(), axis);
  options.primitive = primitive;
  options.points = points;
  return options;
}

/// Three of CD and two of DP1: a hinge about z at the origin.
void add_hinge_of_primitives(World& world, int a, int b) {
  const Vector3 o = Vector3::Zero(), x = 0.05 * Vector3::UnitX(), y = 0.05 * Vector3::UnitY(),
                z = 0.05 * Vector3::UnitZ();
  for (int axis = 0; axis < 3; ++axis)
    add_joint(world, constraint("cd" + std::to_string(axis), ConstraintPrimitive::cd, a, b, {o, o},
                                Vector3::Unit(axis)));
  add_joint(world, constraint("dp1x", ConstraintPrimitive::dp1, a, b, {o, z, o, x}));
  add_joint(world, constraint("dp1y", ConstraintPrimitive::dp1, a, b, {o, z, o, y}));
}

TEST(Constraints, ThreeCdAndTwoDp1AreAHinge) {
  for (const BodyKind kind : {BodyKind::affine, BodyKind::rigid}) {
    auto end_of = [&](bool primitives) {
      World world;
      const int rod = pendulum(world, 1, kind);
      if (primitives) {
        add_hinge_of_primitives(world, rod, world_body);
      } else {
        add_joint(world, joint("hinge", JointKind::hinge, rod, world_body, Vector3::Zero()));
      }
      Simulation simulation(std::move(world), without_contact(5e-3));
      const WatchedRun run = watched_run(simulation, 100);
      EXPECT_LT(run.error, 1.1e-8);
      Vector3 force = Vector3::Zero();
      for (const JointState& state : simulation.joint_states()) force += state.force;
      return std::pair<Vector3, Vector3>(simulation.world().state.position.col(0), force);
    };
    const auto [hinge, carried] = end_of(false);
    const auto [primitives, summed] = end_of(true);
    EXPECT_LT((hinge - primitives).norm(), 1e-6);
    EXPECT_LT((carried - summed).norm(), 1e-4 * carried.norm());
  }
}

TEST(Constraints, Dp2KeepsAPointInAPlaneOfTheOtherBody) {
  World world;
  BodyOptions turning = named("plate", {0, 0, 0});
  turning.angular_velocity = {0, 0, 2};
  const int plate = add_affine(world, surface_mesh(BoxShape{{1, 0.1, 1}}), {}, turning);
  const int bead = box(world, "bead", {0.1, 0.1, 0.1}, {0.2, 0.3, 0});
  // The bead's center stays 0.3 above the plate's middle plane.
  add_joint(world, constraint("plane", ConstraintPrimitive::dp2, plate, bead,
                              {{0, 0, 0}, {0, 0.05, 0}, {0, 0, 0}, {0.2, 0.3, 0}}));
  Settings settings = without_contact(5e-3);
  settings.gravity.setZero();
  Simulation simulation(std::move(world), settings);
  EXPECT_LT(watched_run(simulation, 100).error, 1.8e-9);
  const Vectors& q = simulation.world().state.position;
  const Vector3 normal = q.col(2), apart = q.col(4) - q.col(0);
  EXPECT_NEAR(normal.dot(apart), 0.3, 1e-6);
  EXPECT_GT(apart.x(), -10);
}

TEST(Constraints, FollowTheirTimeTable) {
  World world;
  const int bob = box(world, "bob", {0.1, 0.1, 0.1}, {0, -1, 0});
  JointOptions rod = constraint("rod", ConstraintPrimitive::dist, bob, world_body, {{0, -1, 0}, {0, 0, 0}});
  rod.wanted = Table{{0, 1}, {Vector3(1, 0, 0), Vector3(2, 0, 0)}};
  add_joint(world, rod);
  const int lift = box(world, "lift", {0.1, 0.1, 0.1}, {3, 0, 0});
  JointOptions height = constraint("height", ConstraintPrimitive::cd, world_body, lift,
                                   {{0, 0, 0}, {3, 0, 0}}, Vector3::UnitY());
  height.wanted = Table{{0, 1}, {Vector3(0, 0, 0), Vector3(0.5, 0, 0)}};
  add_joint(world, height);
  Simulation simulation(std::move(world), without_contact(1e-2));
  EXPECT_LT(watched_run(simulation, 100).error, 1.8e-9);
  const Vectors& q = simulation.world().state.position;
  EXPECT_NEAR(q.col(0).norm(), 2, 1e-8);
  EXPECT_NEAR(q(1, 4), 0.5, 1e-8);
  // The lift rises evenly: its constraint carries its weight. The force is that on the first body, which moves.
  EXPECT_NEAR(std::abs(simulation.joint_states()[1].force.y()), 9.81, 1e-4);
  // Where a constraint has gone with its table, bodies still fit together.
  simulation.change([](World&) {});
  simulation.step();
}

/// A body that is held on its way is held where it is, and what is joined to it stays there too.
TEST(Constraints, OfABodyThatIsHeldLaterAreThoseOfWhereItIs) {
  World world;
  const int upper = box(world, "upper", {0.1, 0.1, 0.1}, {0, 0, 0}),
            lower = box(world, "lower", {0.1, 0.1, 0.1}, {0, -0.3, 0});
  add_joint(world, joint("pin", JointKind::point, upper, lower, {0, -0.15, 0}));
  Simulation simulation(std::move(world), without_contact(1e-2));
  for (int step = 0; step < 30; ++step) simulation.step();
  const double before = rigid_motion(simulation.world(), lower).center.y();
  ASSERT_LT(before, -0.5);
  simulation.change([&](World& w) { hold(w, upper, SelectAll{}, {}); });
  simulation.step();
  EXPECT_NEAR(rigid_motion(simulation.world(), lower).center.y(), before, 0.05);
}

TEST(Constraints, SmallBodiesFarAwayMeetAsWellAsRoundingLetsThem) {
  World world;
  const Vector3 far(1e4, -2e4, 3e4);
  BodyOptions turned = named("turned", far);
  turned.pose.rotation = rotation_matrix(Vector3(0.3, -1, 2));
  const int first = add_affine(world, surface_mesh(BoxShape{{1e-3, 1e-3, 1e-3}}), {}, turned);
  const int second = box(world, "second", {1e-3, 1e-3, 1e-3}, far + Vector3(2e-3, 0, 0));
  EXPECT_NO_THROW(add_joint(
      world, joint("pin", JointKind::point, first, second, far + Vector3(1.1e-3, 0.13e-3, -0.37e-3))));
}

TEST(Constraints, WhatCanNotBeIsRefused) {
  World world;
  const int a = box(world, "a", {0.2, 0.2, 0.2}, {0, 0, 0}), b = box(world, "b", {0.2, 0.2, 0.2}, {1, 0, 0});
  EXPECT_THROW(add_joint(world, constraint("few", ConstraintPrimitive::dp1, a, b, {{0, 0, 0}, {1, 0, 0}})),
               InputError);
  EXPECT_THROW(add_joint(world, constraint("same", ConstraintPrimitive::dist, a, b, {{0, 0, 0}, {0, 0, 0}})),
               InputError);
  JointOptions product =
      constraint("product", ConstraintPrimitive::dp1, a, b, {{0, 0, 0}, {0.1, 0, 0}, {1, 0, 0}, {1, 0.1, 0}});
  product.method = JointMethod::eliminate;
  EXPECT_THROW(add_joint(world, product), InputError);
  JointOptions linear = constraint("linear", ConstraintPrimitive::cd, a, b, {{0, 0, 0}, {1, 0, 0}});
  linear.method = JointMethod::eliminate;
  EXPECT_NO_THROW(add_joint(world, linear));
}

}  // namespace
}  // namespace bulwark
