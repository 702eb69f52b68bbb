// Motors and springs that a program steers: what is set acts from the next step on, and belongs to the state.
#include <bulwark/base/error.hpp>
#include <bulwark/sim/remove_joint.hpp>
#include <bulwark/sim/steered_joint.hpp>

#include <gtest/gtest.h>

#include <sim/jointed_world.hpp>

#include <limits>

namespace bulwark {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Settings weightless(double h) {
  Settings settings = without_contact(h);
  settings.gravity.setZero();
  return settings;
}

/// A rod of 2.5 kg on a hinge through its middle, with a motor that follows a course.
World driven_rod(MotorLaw law = MotorLaw::speed) {
  World world;
  const int rod = box(world, "rod", {1, 0.05, 0.05}, {0, 0, 0});
  const int hinge = add_joint(world, joint("elbow", JointKind::hinge, rod, world_body, {0, 0, 0}));
  JointOptions drive = motor(hinge, law, 0);
  drive.value.times = {0, 1};
  drive.value.values = {Vector3::Zero(), Vector3(1, 0, 0)};
  add_joint(world, drive);
  return world;
}
constexpr double inertia = 2.5 * (1 + 0.05 * 0.05) / 12;

void expect_refused(Simulation& simulation, const std::string& joint, const Steering& steering,
                    const std::string& why) {
  try {
    simulation.steer(joint, steering);
    FAIL() << joint << ": expected: " << why;
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find(joint), std::string::npos) << text;
    EXPECT_NE(text.find(why), std::string::npos) << text;
    EXPECT_NE(text.find("\n  "), std::string::npos) << "no remedy: " << text;
  }
  EXPECT_TRUE(simulation.world().state.steered.empty());
}

TEST(JointSteering, AMotorFollowsWhatIsSetUntilItIsReleased) {
  const double h = 0.01;
  Simulation simulation(driven_rod(), weightless(h));
  SteeredJoint elbow = simulation.joint("elbow");
  EXPECT_NEAR(*elbow.speed(), 0, 1e-15);
  simulation.step();
  EXPECT_NEAR(*elbow.speed(), h, 1e-15) << "the scene's course";

  elbow.set_speed(3);
  double before = *elbow.coordinate();
  simulation.step();
  EXPECT_NEAR(*elbow.coordinate() - before, 3 * h, 1e-3 * h);
  EXPECT_NEAR(*elbow.rate(), 3, 1e-2);
  EXPECT_EQ(elbow.speed(), 3.0);
  EXPECT_FALSE(elbow.target());

  elbow.set_target(0.2);
  for (int i = 0; i < 3; ++i) simulation.step();
  EXPECT_NEAR(*elbow.coordinate(), 0.2, 1e-6);
  EXPECT_EQ(elbow.target(), 0.2);
  EXPECT_FALSE(elbow.speed());

  elbow.set_force(0.7);
  before = *elbow.rate();
  simulation.step();
  EXPECT_NEAR((*elbow.rate() - before) / h, 0.7 / inertia, 1e-2 * 0.7 / inertia);
  EXPECT_NEAR(simulation.joint("motor").reaction().torque.z(), 0.7, 1e-9);

  elbow.set_max_force(2);
  elbow.set_speed(100);
  before = *elbow.rate();
  simulation.step();
  EXPECT_NEAR((*elbow.rate() - before) / h, 2 / inertia, 1e-2 * 2 / inertia)
      << "no faster than its largest force";

  elbow.release();
  EXPECT_NEAR(*elbow.speed(), simulation.world().state.time, 1e-12) << "the scene's course again";
  EXPECT_EQ(elbow.drive()->max_force, infinity);
}

TEST(JointSteering, AJointAndItsMotorAreSteeredAlikeAndLikeAScene) {
  auto run = [](World world, const std::string& name) {
    Simulation simulation(std::move(world), weightless(0.01));
    if (!name.empty()) simulation.joint(name).set_speed(2);
    for (int i = 0; i < 5; ++i) simulation.step();
    return simulation.world().state.position;
  };
  World constant;
  const int rod = box(constant, "rod", {1, 0.05, 0.05}, {0, 0, 0});
  const int hinge = add_joint(constant, joint("elbow", JointKind::hinge, rod, world_body, {0, 0, 0}));
  add_joint(constant, motor(hinge, MotorLaw::speed, 2));
  const Vectors expected = run(constant, "");
  EXPECT_EQ(run(driven_rod(), "elbow"), expected);
  EXPECT_EQ(run(driven_rod(), "motor"), expected);
  EXPECT_EQ(run(driven_rod(MotorLaw::force), "motor"), expected) << "whatever the scene lets it follow";
}

TEST(JointSteering, ASpringGetsAnotherRestAndStiffness) {
  World world;
  const int body = box(world, "body", {0.1, 0.1, 0.1}, {0, -1, 0});  // 1 kg
  JointOptions spring = joint("spring", JointKind::spring, body, world_body, {0, -1, 0});
  spring.second_point = Vector3::Zero();
  spring.stiffness = 100;
  add_joint(world, spring);
  JointOptions torsion = joint("torsion", JointKind::spring, body, world_body, {0, -1, 0});
  torsion.angular = true;
  torsion.stiffness = 5;
  add_joint(world, torsion);
  Settings settings = without_contact(100);  // each step ends in balance
  settings.solver.tolerance = 1e-10;
  Simulation simulation(std::move(world), settings);
  SteeredJoint handle = simulation.joint("spring");
  EXPECT_NEAR(*handle.target(), 1, 1e-12);
  EXPECT_EQ(handle.drive()->stiffness, 100);
  simulation.step();
  EXPECT_NEAR(*handle.coordinate(), 1 + 9.81 / 100, 1e-6);
  handle.steer({.target = 1.5, .stiffness = 200});
  simulation.joint("torsion").set_target(0.3);
  simulation.step();
  EXPECT_NEAR(*handle.coordinate(), 1.5 + 9.81 / 200, 1e-6);
  EXPECT_NEAR(*simulation.joint("torsion").coordinate(), 0.3, 1e-6);
  EXPECT_NEAR(handle.reaction().force.y(), 9.81, 1e-4);
}

TEST(JointSteering, WhatHasNothingToSteerIsRefusedWithTheRemedy) {
  World world;
  const int a = box(world, "a", {1, 0.05, 0.05}, {0, 0, 0}), b = box(world, "b", {1, 0.05, 0.05}, {0, 1, 0}),
            c = box(world, "c", {1, 0.05, 0.05}, {0, 2, 0});
  add_joint(world, joint("bare", JointKind::hinge, a, world_body, {0, 0, 0}));
  add_joint(world, joint("ball", JointKind::point, b, world_body, {0, 1, 0}));
  const int twice = add_joint(world, joint("twice", JointKind::hinge, c, world_body, {0, 2, 0}));
  add_joint(world, motor(twice, MotorLaw::force, 0));
  JointOptions second = motor(twice, MotorLaw::force, 0);
  second.name = "other";
  add_joint(world, second);
  JointOptions spring = joint("spring", JointKind::spring, b, world_body, {0, 1, 0});
  spring.angular = true;
  spring.stiffness = 1;
  add_joint(world, spring);
  Simulation simulation(std::move(world), weightless(0.01));
  expect_refused(simulation, "bare", {.target = 1}, "no motor drives it");
  expect_refused(simulation, "bare", {.target = 1}, R"({"kind": "motor", "joint": "bare", "torque": 0})");
  expect_refused(simulation, "ball", {.speed = 1}, "a point has nothing that a motor could drive");
  expect_refused(simulation, "twice", {.force = 1}, "2 motors drive it: 'motor', 'other'");
  expect_refused(simulation, "spring", {.speed = 1}, "a spring has a target and a stiffness");
  expect_refused(simulation, "motor", {.speed = infinity}, "not finite");
  expect_refused(simulation, "motor", {.target = 1, .force = 1}, "a target, a speed or a force");
  expect_refused(simulation, "motor", {.stiffness = -1}, "stiffness is negative");
  expect_refused(simulation, "motor", {.max_force = 0}, "not positive");
  expect_refused(simulation, "nobody", {.speed = 1}, "there is no such joint");
  EXPECT_FALSE(simulation.joint("bare").drive());
  EXPECT_FALSE(simulation.joint("bare").target());
  simulation.joint("other").set_force(1);
  EXPECT_EQ(simulation.joint("other").force(), 1.0);
  EXPECT_EQ(simulation.joint("motor").force(), 0.0);
}

TEST(JointSteering, GoingBackToAStateGoesBackToItsSteering) {
  Simulation simulation(driven_rod(), weightless(0.01));
  simulation.joint("elbow").set_speed(2);
  simulation.step();
  const State middle = simulation.world().state;
  for (int i = 0; i < 3; ++i) simulation.step();
  const Vectors expected = simulation.world().state.position;
  simulation.joint("elbow").steer({.target = -1, .max_force = 0.1});
  simulation.step();
  simulation.restore(middle);
  EXPECT_EQ(simulation.joint("elbow").speed(), 2.0);
  for (int i = 0; i < 3; ++i) simulation.step();
  EXPECT_EQ(simulation.world().state.position, expected);

  Simulation resumed(driven_rod(), weightless(0.01));
  resumed.restore(middle);
  for (int i = 0; i < 3; ++i) resumed.step();
  EXPECT_EQ(resumed.world().state.position, expected);

  State foreign = middle;
  foreign.steered[0].joint = "nobody";
  EXPECT_THROW(resumed.restore(foreign), InputError);
}

TEST(JointSteering, ItFollowsItsJointWhileOthersComeAndGo) {
  World world;
  const int first = box(world, "first", {0.1, 0.1, 0.1}, {0, 1, 0});
  const int rod = box(world, "rod", {1, 0.05, 0.05}, {0, 0, 0});
  add_joint(world, joint("early", JointKind::hinge, first, world_body, {0, 1, 0}));
  const int hinge = add_joint(world, joint("elbow", JointKind::hinge, rod, world_body, {0, 0, 0}));
  add_joint(world, motor(hinge, MotorLaw::speed, 0));
  Simulation simulation(std::move(world), weightless(0.01));
  simulation.joint("elbow").set_speed(2);
  simulation.change([](World& w) { remove_joints(w, {1, 0, 0}); });
  SteeredJoint elbow = simulation.joint("elbow");
  EXPECT_EQ(elbow.speed(), 2.0);
  simulation.step();
  EXPECT_NEAR(*elbow.rate(), 2, 1e-2);
  simulation.change([](World& w) { remove_joints(w, {0, 1}); });
  EXPECT_THROW(elbow.set_speed(1), InputError);
  simulation.change([](World& w) { add_joint(w, motor(0, MotorLaw::speed, 0)); });
  EXPECT_EQ(elbow.speed(), 0.0) << "a new motor of that name was never steered";
}

}  // namespace
}  // namespace bulwark
