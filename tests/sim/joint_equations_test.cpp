// What joints forbid, by elimination: equations that hold to rounding, reactions, sparsity.
#include <bulwark/base/error.hpp>

#include <gtest/gtest.h>

#include <sim/jointed_world.hpp>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace bulwark {
namespace {

TEST(JointEquations, TriplePendulumKeepsItsPointsTogether) {
  World world;
  int last = world_body;
  for (int k = 0; k < 3; ++k) {
    const int rod = box(world, fmt::format("rod{}", k), {0.9, 0.05, 0.05}, {0.5 + k, 0, 0});
    add_joint(world, joint(fmt::format("j{}", k), JointKind::point, rod, last, {double(k), 0, 0}));
    last = rod;
  }
  Simulation simulation(std::move(world), without_contact(1e-2));
  const WatchedRun run = watched_run(simulation, 300);
  EXPECT_LT(run.error, 1e-12);
  EXPECT_LT(run.rigidity, 1e-6);
  EXPECT_LT(run.iterations, 12);
}

TEST(JointEquations, ReactionsBalanceTheWeightInStatics) {
  World world;
  const int a = box(world, "a", {1, 0.1, 0.1}, {0.5, 0, 0});
  const int b = box(world, "b", {1, 0.1, 0.1}, {1.5, 0, 0});
  // A beam of two welded halves, clamped at its left end.
  add_joint(world, joint("clamp", JointKind::weld, a, world_body, {0, 0, 0}));
  add_joint(world, joint("middle", JointKind::weld, b, a, {1, 0, 0}));
  Simulation simulation(std::move(world), without_contact(1e-2));
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

TEST(JointEquations, LongChainStaysSparseAndTogether) {
  World world;
  int last = world_body;
  const int links = 60;
  for (int k = 0; k < links; ++k) {
    const int link = box(world, fmt::format("link{}", k), {0.09, 0.02, 0.02}, {0.05 + 0.1 * k, 0, 0});
    add_joint(world, joint(fmt::format("j{}", k), JointKind::point, link, last, {0.1 * k, 0, 0}));
    last = link;
  }
  const Elimination elimination = eliminate_joints(world);
  std::size_t longest = 0;
  for (const Follower& f : elimination.followers) longest = std::max(longest, f.on.size());
  EXPECT_LE(longest, 30u);
  Simulation simulation(std::move(world), without_contact(1e-2));
  const WatchedRun run = watched_run(simulation, 100);
  EXPECT_LT(run.error, 1e-11);
  EXPECT_LT(run.rigidity, 1e-4);
}

TEST(JointEquations, SoftBodyAttachedToAStiffOneMovesWithIt) {
  World world;
  const int plate = box(world, "plate", {0.4, 0.1, 0.4}, {0, 0.35, 0});
  const int soft = add_deformable(world, solid_mesh(BoxShape{{0.4, 0.5, 0.4}}, 0.2),
                                  {ElasticModel::neo_hookean, 1000, 1e5, 0.4}, named("soft", {0, 0.05, 0}));
  add_joint(world, joint("hinge", JointKind::hinge, plate, world_body, {0, 0.35, 0}));
  JointOptions attach = joint("glue", JointKind::attach, soft, plate, {0, 0, 0});
  attach.selection = SelectHalfSpace{{0, 0.3, 0}, {0, 1, 0}};
  add_joint(world, attach);
  Simulation simulation(std::move(world), without_contact(1e-2));
  EXPECT_LT(watched_run(simulation, 50).error, 1e-12);
  // The hinge carries both.
  const double weight = 9.81 * (16 + 80);
  double total = 0;
  watched_run(simulation, 400, [&](int step) {
    if (step >= 200) total += simulation.joint_states()[0].force.y() / 200;
  });
  EXPECT_NEAR(total, weight, 0.02 * weight);
}

TEST(JointEquations, BodyFollowsAScriptedOneThroughAJoint) {
  World world;
  const int handle = box(world, "handle", {0.1, 0.1, 0.1}, {0, 0, 0});
  const int rod = box(world, "rod", {0.1, 0.8, 0.1}, {0, -0.5, 0});
  Motion motion;
  motion.linear_velocity = {1, 0, 0};
  motion.angular_velocity = {0, 0, 2};
  hold(world, handle, SelectAll{}, motion);
  add_joint(world, joint("hinge", JointKind::hinge, rod, handle, {0, -0.1, 0}));
  Simulation simulation(std::move(world), without_contact(1e-2));
  EXPECT_LT(watched_run(simulation, 200).error, 1e-11);
  EXPECT_NEAR(simulation.world().state.position(0, 0), 2, 1e-9);
  EXPECT_GT(simulation.world().state.position(0, 4), 1.2);
}

TEST(JointEquations, SameBitsOnAnyNumberOfThreads) {
  auto run = [](int threads) {
    World world;
    int last = world_body;
    for (int k = 0; k < 8; ++k) {
      const int link = box(world, fmt::format("link{}", k), {0.09, 0.02, 0.02}, {0.05 + 0.1 * k, 0, 0});
      JointOptions hinge = joint(fmt::format("j{}", k), JointKind::hinge, link, last, {0.1 * k, 0, 0});
      hinge.range = JointRange{-0.6, 0.5};
      add_joint(world, hinge);
      last = link;
    }
    add_plane(world, {0, -0.3, 0}, {0, 1, 0}, named("ground", {0, 0, 0}));
    Settings s = without_contact(1e-2);
    s.contact.enabled = true;
    s.contact.friction = 0.3;
    s.solver.threads = threads;
    Simulation simulation(std::move(world), s);
    for (int step = 0; step < 60; ++step) simulation.step();
    return simulation.world().state.position;
  };
  const Vectors one = run(1);
  EXPECT_EQ(one, run(2));
  EXPECT_EQ(one, run(5));
}

TEST(JointEquations, RedundantEquationsAreDroppedAndContradictionsNamed) {
  World world;
  const int a = box(world, "a", {0.2, 0.2, 0.2}, {0, 0, 0});
  add_joint(world, joint("first", JointKind::weld, a, world_body, {0, 0, 0}));
  add_joint(world, joint("second", JointKind::hinge, a, world_body, {0.1, 0, 0}));
  EXPECT_EQ(eliminate_joints(world).redundant.size(), 6u);
  // A scripted body pulls on what is welded to the world.
  const int b = box(world, "b", {0.2, 0.2, 0.2}, {1, 0, 0});
  Motion motion;
  motion.linear_velocity = {1, 0, 0};
  hold(world, b, SelectAll{}, motion);
  add_joint(world, joint("third", JointKind::point, a, b, {0.5, 0, 0}));
  try {
    eliminate_joints(world);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("third"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("first"), std::string::npos);
  }
}

TEST(JointEquations, JointedBodiesMayOverlapWhereTheirContactIsOff) {
  World world;
  const int a = box(world, "a", {1, 0.1, 0.1}, {0, 0, 0}), b = box(world, "b", {1, 0.11, 0.12}, {0.9, 0, 0}),
            c = box(world, "c", {0.1, 0.1, 0.1}, {0, 1, 0});
  JointOptions options = joint("hinge", JointKind::hinge, b, a, {0.45, 0, 0});
  options.contact = false;
  add_joint(world, options);
  EXPECT_FALSE(world.collision.may_collide(a, b));
  EXPECT_TRUE(world.collision.may_collide(a, c) && world.collision.may_collide(b, c));
  Settings with_contact = without_contact(1e-2);
  with_contact.contact.enabled = true;
  Simulation simulation(world, with_contact);
  for (int step = 0; step < 3; ++step) simulation.step();
  options.name = "to the world";
  options.body_b = world_body;
  EXPECT_THROW(add_joint(world, options), InputError);
}

TEST(JointEquations, BadOnesAreRefused) {
  World world;
  const int a = box(world, "a", {0.2, 0.2, 0.2}, {0, 0, 0});
  auto message = [&](const JointOptions& options) -> std::string {
    try {
      add_joint(world, options);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message(joint("j", JointKind::point, a, a, {0, 0, 0})).find("to itself"), std::string::npos);
  EXPECT_NE(
      message(joint("j", JointKind::hinge, a, world_body, {0, 0, 0}, Vector3::Zero())).find("no length"),
      std::string::npos);
  JointOptions outside = joint("j", JointKind::hinge, a, world_body, {0, 0, 0});
  outside.range = JointRange{0.1, 0.2};
  EXPECT_NE(message(outside).find("outside its range"), std::string::npos);
  JointOptions empty = outside;
  empty.range = JointRange{0.2, -0.2};
  EXPECT_NE(message(empty).find("empty"), std::string::npos);
}

}  // namespace
}  // namespace bulwark
