// The methods that hold what is not linear, or what is not to be eliminated: multipliers and springs.
#include <bulwark/base/error.hpp>

#include <gtest/gtest.h>

#include <sim/jointed_world.hpp>

#include <cmath>

namespace bulwark {
namespace {

constexpr JointMethod automatic = JointMethod::automatic, penalty = JointMethod::penalty,
                      lagrangian = JointMethod::augmented_lagrangian;

/// A bead on a rail that turns, thrown outwards.
World bead_on_a_rail(JointMethod method) {
  World world;
  BodyOptions options = named("rail", {0, 0, 0});
  options.angular_velocity = {0, 0, 3};
  const int rail = add_affine(world, surface_mesh(BoxShape{{2, 0.1, 0.1}}), {}, options);
  const int bead = box(world, "bead", {0.1, 0.1, 0.1}, {0.3, 0.5, 0});
  add_joint(world, joint("axle", JointKind::hinge, rail, world_body, {0, 0, 0}));
  JointOptions slider = joint("slider", JointKind::slider, bead, rail, {0.3, 0.5, 0}, Vector3::UnitX());
  slider.range = JointRange{-1.2, 0.6};
  slider.method = method;
  add_joint(world, slider);
  return world;
}

World bob_on_a_rod(JointMethod method) {
  World world;
  const int bob = box(world, "bob", {0.1, 0.1, 0.1}, {1, 0, 0});
  JointOptions rod = joint("rod", JointKind::distance, bob, world_body, {1, 0, 0});
  rod.second_point = Vector3::Zero();
  rod.method = method;
  add_joint(world, rod);
  return world;
}

World universal_joint(JointMethod method) {
  World world;
  const int a = box(world, "a", {1, 0.1, 0.1}, {-0.6, 0, 0});
  const int b = box(world, "b", {1, 0.1, 0.1}, {0.6, 0, 0});
  add_joint(world, joint("axle", JointKind::hinge, a, world_body, {-1.1, 0, 0}, Vector3::UnitX()));
  JointOptions universal = joint("universal", JointKind::universal, a, b, {0, 0, 0}, Vector3::UnitY());
  universal.second_axis = Vector3::UnitZ();
  universal.method = method;
  add_joint(world, universal);
  return world;
}

WatchedRun run_of(World world, int steps = 200, double gravity = -9.81) {
  Settings s = without_contact(5e-3);
  s.gravity = {0, gravity, 0};
  Simulation simulation(std::move(world), s);
  return watched_run(simulation, steps);
}

TEST(JointMethods, RelativeSliderFollowsItsBody) {
  const WatchedRun run = run_of(bead_on_a_rail(automatic), 200, 0);
  EXPECT_LT(run.error, 1e-8 * 0.1 * std::sqrt(3.0));
  EXPECT_GT(run.highest(1), 0.5);  // thrown outwards
  EXPECT_LT(run.highest(1), 0.6);
}

TEST(JointMethods, DistanceKeepsItsLength) {
  EXPECT_LT(run_of(bob_on_a_rod(automatic), 400).error, 1e-8 * 0.1 * std::sqrt(3.0));
}

TEST(JointMethods, UniversalJointKeepsItsRightAngle) {
  EXPECT_LT(run_of(universal_joint(automatic)).error, 1e-8);
}

TEST(JointMethods, RopeKeepsItsLimit) {
  World world;
  const int bob = box(world, "bob", {0.1, 0.1, 0.1}, {0.3, 0, 5});
  JointOptions rope = joint("rope", JointKind::distance, bob, world_body, {0.3, 0, 5});
  rope.second_point = Vector3(0, 0, 5);
  rope.range = JointRange{0, 1};
  rope.method = JointMethod::barrier;
  add_joint(world, rope);
  const WatchedRun run = run_of(std::move(world), 400);
  EXPECT_LT(run.highest(0), 1);
  EXPECT_GT(run.highest(0), 0.9);
}

TEST(JointMethods, MultipliersHoldBetterThanSpringsForFewIterations) {
  for (const auto make : {bead_on_a_rail, bob_on_a_rod, universal_joint}) {
    const WatchedRun springs = run_of(make(penalty)), multipliers = run_of(make(lagrangian));
    EXPECT_LT(springs.error, 1e-4);
    EXPECT_LT(multipliers.error, 1.01e-8);
    EXPECT_LT(multipliers.error, 0.2 * springs.error);
    EXPECT_LT(multipliers.iterations, springs.iterations + 2);
  }
}

/// A rod on a hinge, turned out and let go.
World hinged_rod(JointMethod method, double stiffness = 0, double tolerance = 0) {
  World world;
  const int rod = pendulum(world, 1);
  JointOptions hinge = joint("hinge", JointKind::hinge, rod, world_body, Vector3::Zero());
  hinge.method = method;
  hinge.stiffness = stiffness;
  hinge.tolerance = tolerance;
  add_joint(world, hinge);
  return world;
}

TEST(JointMethods, AllMoveAHingeAlike) {
  const WatchedRun eliminated = run_of(hinged_rod(JointMethod::eliminate)),
                   multipliers = run_of(hinged_rod(lagrangian)), springs = run_of(hinged_rod(penalty));
  EXPECT_LT(eliminated.error, 1e-12);
  EXPECT_LT(multipliers.error, 1.5e-8);
  EXPECT_GT(multipliers.error, 1e-12);
  EXPECT_LT(springs.error, 1e-5);
  for (std::size_t k = 0; k < eliminated.coordinates[0].size(); ++k) {
    EXPECT_NEAR(multipliers.coordinates[0][k], eliminated.coordinates[0][k], 1e-6);
    EXPECT_NEAR(springs.coordinates[0][k], eliminated.coordinates[0][k], 1e-3);
  }
}

TEST(JointMethods, StiffnessAndToleranceAreMeant) {
  EXPECT_LT(run_of(hinged_rod(lagrangian, 0, 1e-11)).error, 1e-11);
  EXPECT_GT(run_of(hinged_rod(lagrangian, 0, 1e-5)).error, 1e-8);
  // At rest a spring of 1e4 N/m gives way by the weight over its stiffness.
  World world;
  const int body = box(world, "body", {0.1, 0.1, 0.1}, {0, 0, 0});
  JointOptions weld = joint("weld", JointKind::weld, body, world_body, {0, 0, 0});
  weld.method = penalty;
  weld.stiffness = 1e4;
  add_joint(world, weld);
  Simulation simulation(std::move(world), without_contact(5e-3));
  watched_run(simulation, 400);
  EXPECT_NEAR(simulation.joint_states()[0].error, 9.81e-4, 1e-6);
}

TEST(JointMethods, RestartGoesOnBitByBit) {
  Settings s = without_contact(5e-3);
  Simulation whole(bob_on_a_rod(automatic), s);
  watched_run(whole, 20);
  const State middle = whole.world().state;
  EXPECT_GT(middle.joint_multipliers.cwiseAbs().maxCoeff(), 0);
  watched_run(whole, 20);
  Simulation resumed(bob_on_a_rod(automatic), s);
  resumed.restore(middle);
  watched_run(resumed, 20);
  EXPECT_EQ(whole.world().state.position, resumed.world().state.position);
  EXPECT_EQ(whole.world().state.joint_multipliers, resumed.world().state.joint_multipliers);
}

TEST(JointMethods, WhatCanNotBeIsRefused) {
  World world;
  const int a = box(world, "a", {0.2, 0.2, 0.2}, {0, 0, 0}), b = box(world, "b", {0.2, 0.2, 0.2}, {1, 0, 0});
  const int rigid = add_stiff(world, BodyKind::rigid, {0.2, 0.2, 0.2}, named("stone", {3, 0, 0}));
  auto refusal = [&](JointOptions options, JointMethod method) -> std::string {
    options.method = method;
    try {
      add_joint(world, options);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const auto eliminate = JointMethod::eliminate;
  EXPECT_NE(refusal(joint("j", JointKind::hinge, rigid, a, {2, 0, 0}), eliminate).find("'stone' is rigid"),
            std::string::npos);
  EXPECT_NE(refusal(joint("j", JointKind::slider, a, b, {0, 0, 0}), eliminate).find("not linear"),
            std::string::npos);
  EXPECT_EQ(refusal(joint("j", JointKind::slider, a, world_body, {0, 0, 0}), eliminate), "");
  JointOptions distance = joint("j", JointKind::distance, a, b, {0, 0, 0});
  distance.second_point = Vector3(1, 0, 0);
  EXPECT_NE(refusal(distance, eliminate).find("not linear"), std::string::npos);
  distance.range = JointRange{0.5, 2};
  EXPECT_NE(refusal(distance, lagrangian).find("no equation"), std::string::npos);
  EXPECT_NE(refusal(joint("j", JointKind::hinge, a, b, {0, 0, 0}), JointMethod::barrier).find("no limits"),
            std::string::npos);
}

}  // namespace
}  // namespace bulwark
