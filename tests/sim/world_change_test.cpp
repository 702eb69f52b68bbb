// The world changes between steps: what is there goes on undisturbed, what comes begins right, and nothing
// can be put into something else.
#include <bulwark/base/error.hpp>
#include <bulwark/sim/body_state.hpp>
#include <bulwark/sim/remove_body.hpp>
#include <bulwark/sim/remove_joint.hpp>

#include <sim/stiff_scene.hpp>

namespace bulwark {
namespace {

using test::add_ground;
using test::at;

const SurfaceMesh box = surface_mesh(BoxShape{{0.2, 0.2, 0.2}});

Settings with(const std::string& integrator) {
  Settings settings;
  settings.time.integrator = integrator;
  settings.contact.friction = 0.3;
  return settings;
}

Motion along_x(double speed) {
  Motion motion;
  motion.linear_velocity.x() = speed;
  return motion;
}

ElasticMaterial rubber() {
  ElasticMaterial material;
  material.young = 1e5;
  return material;
}

int add_soft_ball(World& world, const std::string& name, const Vector3& position) {
  return add_deformable(world, solid_mesh(SphereShape{0.1}, 0.06), rubber(), at(name, position));
}

/// A soft ball, an affine and (where it can be) a rigid box above the ground.
World mixed(const std::string& integrator) {
  World world;
  add_ground(world);
  add_affine(world, box, {}, at("affine", {0, 0.12, 0}));
  add_soft_ball(world, "soft", {0.02, 0.34, 0});
  if (integrator == "implicit-euler") add_rigid(world, box, {}, at("rigid", {0.5, 0.15, 0}));
  return world;
}

void steps(Simulation& simulation, int count) {
  for (int i = 0; i < count; ++i) simulation.step();
}

int body_of(const Simulation& simulation, const std::string& name) {
  const std::vector<Body>& bodies = simulation.world().bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

std::string refusal(Simulation& simulation, const std::function<void(World&)>& edit) {
  try {
    simulation.change(edit);
  } catch (const IntersectionError& error) {
    return error.what();
  }
  return "";
}

class WorldChange : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Integrators, WorldChange, testing::Values("implicit-euler", "bdf2", "newmark"),
                         [](const auto& tested) {
                           return tested.param == "implicit-euler" ? std::string("euler") : tested.param;
                         });

TEST(WorldChangeOfThinBodies, RemovedShellsAndRodsLeaveTheOthersAlone) {
  const auto build = [](bool with_others) {
    World world;
    const auto add_cloth = [&](const std::string& name, double x) {
      SurfaceMesh grid = surface_mesh(GridShape{{0.4, 0.4}, {4, 4}});
      const int body = add_shell(world, grid, {}, at(name, {x, 1, 0}));
      hold(world, body, SelectNodes{{0}});
    };
    const auto add_wire = [&](const std::string& name, double x) {
      SurfaceMesh line = surface_mesh(LineShape{{0, 0, 0}, {0.4, 0, 0}, 5});
      const int body = add_rod(world, line, {}, at(name, {x, 0.5, 0}));
      hold(world, body, SelectNodes{{0, 1}});
    };
    if (with_others) add_cloth("cloth", 0);
    if (with_others) add_wire("rod", 0);
    add_cloth("kept cloth", 1);
    add_wire("kept rod", 1);
    return world;
  };
  Settings settings;
  settings.contact.enabled = false;
  settings.solver.tolerance = 1e-4;
  Simulation all(build(true), settings), few(build(false), settings);
  all.change([](World& world) {
    remove_body(world, 1);
    remove_body(world, 0);
  });
  EXPECT_EQ(all.world().control_count(), few.world().control_count());
  EXPECT_EQ(all.world().elements.size(), few.world().elements.size());
  steps(all, 10);
  steps(few, 10);
  // The tolerance is that of the larger scene.
  EXPECT_LT((all.world().state.position - few.world().state.position).norm(), 1e-3);
}

TEST_P(WorldChange, ANewBodyFallsLikeOneThatWasThereFromTheStart) {
  Settings settings = with(GetParam());
  settings.contact.distance = {1e-3, false};
  Simulation simulation(mixed(GetParam()), settings);
  steps(simulation, 7);
  const Vector3 start(3, 5, 0), velocity(1, 2, 0);
  simulation.change([&](World& world) {
    BodyOptions options = at("new", start);
    options.velocity = velocity;
    add_affine(world, box, {}, options);
    options.name = "new soft";
    options.pose.position.x() += 1;
    add_deformable(world, solid_mesh(BoxShape{{0.2, 0.2, 0.2}}, 0.1), rubber(), options);
  });
  constexpr int count = 20;
  steps(simulation, count);
  const double h = settings.time.step, t = count * h, g = -9.81;
  // Implicit Euler falls faster by half a step; the others are exact in a parabola, from the first step on.
  const double fall = GetParam() == "implicit-euler" ? 0.5 * g * t * (t + h) : 0.5 * g * t * t;
  for (const auto& [name, x] : {std::pair{"new", 3.0}, std::pair{"new soft", 4.0}}) {
    const RigidMotion motion = rigid_motion(simulation.world(), body_of(simulation, name));
    EXPECT_NEAR(motion.center.x(), x + t * velocity.x(), 1e-9) << name;
    EXPECT_NEAR(motion.center.y(), start.y() + t * velocity.y() + fall, 1e-7) << name;
    EXPECT_NEAR(motion.velocity.y(), velocity.y() + g * t, 1e-6) << name;
  }
}

TEST_P(WorldChange, WhatWasThereGoesOnAsIfNothingHadCome) {
  Settings settings = with(GetParam());
  settings.solver.tolerance = 1e-5;  // what comes later ends some solves earlier or later
  Simulation alone(mixed(GetParam()), settings), changed(mixed(GetParam()), settings);
  steps(alone, 6);
  steps(changed, 6);
  const Derived before = changed.derived();
  changed.change([](World& world) {
    add_affine(world, box, {}, at("far", {0, 50, 0}));
    add_soft_ball(world, "far soft", {10, 50, 0});
  });
  EXPECT_EQ(changed.derived().length, before.length);
  EXPECT_EQ(changed.derived().contact_distance, before.contact_distance);
  EXPECT_EQ(changed.derived().static_speed, before.static_speed);
  steps(alone, 10);
  steps(changed, 10);
  const Eigen::Index count = alone.world().control_count();
  EXPECT_LT(
      (changed.world().state.position.leftCols(count) - alone.world().state.position).cwiseAbs().maxCoeff(),
      // What Newmark gives back is a root, of what little a solve ended earlier or later by.
      GetParam() == std::string("newmark") ? 5e-6 : 1e-7);
}

TEST_P(WorldChange, AnAdditionIntoABodyIsRefusedByNameAndLeavesNoTrace) {
  Simulation alone(mixed(GetParam()), with(GetParam())), asked(mixed(GetParam()), with(GetParam()));
  steps(alone, 5);
  steps(asked, 5);
  const Vector3 inside =
      rigid_motion(asked.world(), body_of(asked, "affine")).center + Vector3(0.1, 0.05, 0.05);
  const std::string message =
      refusal(asked, [&](World& world) { add_affine(world, box, {}, at("intruder", inside)); });
  EXPECT_NE(message.find("'intruder'"), std::string::npos) << message;
  EXPECT_NE(message.find("'affine'"), std::string::npos) << message;
  EXPECT_NE(refusal(asked, [](World& world) { add_affine(world, box, {}, at("sunk", {5, 0.05, 0})); })
                .find("'ground'"),
            std::string::npos);
  EXPECT_EQ(asked.world().bodies.size(), alone.world().bodies.size());
  steps(alone, 5);
  steps(asked, 5);
  EXPECT_EQ(asked.world().state.position, alone.world().state.position);
  EXPECT_EQ(asked.world().state.velocity, alone.world().state.velocity);
}

TEST_P(WorldChange, ARunContinuesBitByBitFromAStateAfterChanges) {
  const auto add = [](World& world) {
    add_affine(world, box, {}, at("second", {0, 0.7, 0}));
    const int pusher = add_obstacle(world, box, at("pusher", {-0.6, 0.15, 0}), along_x(0.5));
    EXPECT_EQ(world.bodies[pusher].name, "pusher");
  };
  const auto remove = [](World& world) { remove_body(world, 2); };
  Simulation whole(mixed(GetParam()), with(GetParam()));
  steps(whole, 4);
  whole.change(add);
  steps(whole, 4);
  whole.change(remove);
  steps(whole, 2);
  const State saved = whole.world().state;
  const double added_at = 4 * whole.settings().time.step;
  steps(whole, 8);

  Simulation again(mixed(GetParam()), with(GetParam()));
  again.change([&](World& world) {
    world.state.time = added_at;
    add(world);
    remove(world);
    world.state = saved;
  });
  again.restore(saved);
  steps(again, 8);
  EXPECT_EQ(again.world().state.position, whole.world().state.position);
  EXPECT_EQ(again.world().state.velocity, whole.world().state.velocity);
}

TEST_P(WorldChange, WhatStoodOnARemovedBodyFallsOntoTheGround) {
  World world;
  add_ground(world);
  add_affine(world, box, {}, at("lower", {0, 0.101, 0}));
  add_affine(world, box, {}, at("upper", {0, 0.303, 0}));
  Simulation simulation(std::move(world), with(GetParam()));
  steps(simulation, 20);
  EXPECT_GT(rigid_motion(simulation.world(), body_of(simulation, "upper")).center.y(), 0.29);
  simulation.change([&](World& edited) { remove_body(edited, body_of(simulation, "lower")); });
  const int upper = body_of(simulation, "upper");
  EXPECT_EQ(upper, 1);
  steps(simulation, 80);
  const double height = rigid_motion(simulation.world(), upper).center.y();
  EXPECT_GT(height, 0.1);
  // BDF-2 keeps part of its bounces, and Newmark all.
  if (GetParam() != "newmark") {
    EXPECT_LT(height, GetParam() == "bdf2" ? 0.16 : 0.11);
  }
  EXPECT_TRUE(test::free_of_intersections(simulation));
}

TEST_P(WorldChange, ABodySetElsewhereMovesOnFromThereWithoutAMemory) {
  Settings settings = with(GetParam());
  settings.contact.distance = {1e-3, false};
  Simulation simulation(mixed(GetParam()), settings);
  steps(simulation, 10);
  State state = simulation.world().state;
  for (const char* name : {"affine", "soft"}) {
    const int body = body_of(simulation, name);
    place_body(simulation.world(), body, {name[0] == 'a' ? 5.0 : 7.0, 4, 0}, Matrix3::Identity(), state);
    set_body_velocity(simulation.world(), body, {0, 3, 0}, {0, 0, 0}, state);
  }
  simulation.move_to(state.position, state.velocity);
  constexpr int count = 10;
  steps(simulation, count);
  const double h = settings.time.step, t = count * h;
  const double fall = GetParam() == "implicit-euler" ? -0.5 * 9.81 * t * (t + h) : -0.5 * 9.81 * t * t;
  for (const char* name : {"affine", "soft"}) {
    const RigidMotion motion = rigid_motion(simulation.world(), body_of(simulation, name));
    EXPECT_NEAR(motion.center.y(), 4 + 3 * t + fall, 1e-6) << name;
    EXPECT_NEAR(motion.center.x(), name[0] == 'a' ? 5 : 7, 1e-6) << name;
  }
}

TEST(WorldChangeOfPlaces, AreRefusedInsideOfOthersAndForWhatFollowsAScript) {
  Simulation simulation(mixed("implicit-euler"), with("implicit-euler"));
  steps(simulation, 3);
  const State before = simulation.world().state;
  State state = before;
  const Vector3 there = rigid_motion(simulation.world(), body_of(simulation, "affine")).center;
  place_body(simulation.world(), body_of(simulation, "rigid"), there + Vector3(0.1, 0.1, 0.1),
             Matrix3::Identity(), state);
  EXPECT_THROW(simulation.move_to(state.position, state.velocity), IntersectionError);
  EXPECT_EQ(simulation.world().state.position, before.position);

  state = before;
  state.position.col(simulation.world().bodies[0].first_control).y() -= 1;
  EXPECT_THROW(simulation.move_to(state.position, state.velocity), InputError);
  EXPECT_THROW(place_body(simulation.world(), 0, {0, -1, 0}, Matrix3::Identity(), state), InputError);

  state = before;
  const int first = simulation.world().bodies[body_of(simulation, "rigid")].first_control;
  state.position.col(first + 1) *= 1.1;
  EXPECT_THROW(simulation.move_to(state.position, state.velocity), InputError);
  state.position.col(first + 1).setConstant(std::nan(""));
  EXPECT_THROW(simulation.move_to(state.position, state.velocity), InputError);
}

TEST(RemoveBody, LeavesTheWorldThatWouldHaveBeenBuiltWithoutIt) {
  const auto build = [](int without) {
    World world;
    if (without != 0) add_ground(world);
    if (without != 1) {
      const int body = add_affine(world, box, {}, at("affine", {0, 0.2, 0}));
      add_torque(world, body, Table::constant({0, 1, 0}));
    }
    if (without != 2) {
      const int body = add_soft_ball(world, "soft", {0, 0.6, 0});
      add_force(world, body, SelectAll{}, Table::constant({1, 0, 0}));
    }
    if (without != 3) hold(world, add_rigid(world, box, {}, at("rigid", {1, 0.2, 0})), SelectAll{});
    if (without != 4) add_soft_ball(world, "second soft", {0, 1, 0});
    if (without != 5) add_obstacle(world, box, at("wall", {2, 0, 0}), along_x(1));
    return world;
  };
  for (int removed = 0; removed < 6; ++removed) {
    World world = build(-1);
    remove_body(world, removed);
    const World wanted = build(removed);
    EXPECT_EQ(world.state.position, wanted.state.position);
    EXPECT_EQ(world.rest, wanted.rest);
    EXPECT_EQ(world.gravity_mass, wanted.gravity_mass);
    EXPECT_EQ(world.elements.controls, wanted.elements.controls);
    EXPECT_EQ(world.scripted, wanted.scripted);
    EXPECT_EQ(world.held, wanted.held);
    EXPECT_EQ(world.collision.triangles, wanted.collision.triangles);
    EXPECT_EQ(world.collision.edges, wanted.collision.edges);
    EXPECT_EQ(world.collision.points, wanted.collision.points);
    EXPECT_EQ(world.collision.vertex_body, wanted.collision.vertex_body);
    EXPECT_EQ(world.collision.planes.size(), wanted.collision.planes.size());
    EXPECT_EQ(world.collision.rest, wanted.collision.rest);
    EXPECT_EQ((world.collision.weights - wanted.collision.weights).norm(), 0);
    ASSERT_EQ(world.mass_entries.size(), wanted.mass_entries.size());
    for (std::size_t i = 0; i < wanted.mass_entries.size(); ++i) {
      EXPECT_EQ(world.mass_entries[i].row(), wanted.mass_entries[i].row());
      EXPECT_EQ(world.mass_entries[i].col(), wanted.mass_entries[i].col());
    }
    ASSERT_EQ(world.scripts.size(), wanted.scripts.size());
    for (std::size_t i = 0; i < wanted.scripts.size(); ++i)
      EXPECT_EQ(world.scripts[i].controls, wanted.scripts[i].controls);
    ASSERT_EQ(world.loads.size(), wanted.loads.size());
    for (std::size_t i = 0; i < wanted.loads.size(); ++i)
      EXPECT_EQ(world.loads[i].controls, wanted.loads[i].controls);
    ASSERT_EQ(world.torques.size(), wanted.torques.size());
    ASSERT_EQ(world.stiff.size(), wanted.stiff.size());
    for (std::size_t i = 0; i < wanted.stiff.size(); ++i) {
      EXPECT_EQ(world.stiff[i].body, wanted.stiff[i].body);
      EXPECT_EQ(world.stiff[i].first_control, wanted.stiff[i].first_control);
    }
    ASSERT_EQ(world.bodies.size(), wanted.bodies.size());
    for (std::size_t i = 0; i < wanted.bodies.size(); ++i) {
      EXPECT_EQ(world.bodies[i].name, wanted.bodies[i].name);
      EXPECT_EQ(world.bodies[i].first_control, wanted.bodies[i].first_control);
      EXPECT_EQ(world.bodies[i].first_vertex, wanted.bodies[i].first_vertex);
      EXPECT_EQ(world.bodies[i].first_element, wanted.bodies[i].first_element);
      EXPECT_EQ(world.bodies[i].stiff, wanted.bodies[i].stiff);
    }
  }
}

TEST(AddedScript, BeginsWhenItComes) {
  World world;
  add_soft_ball(world, "ball", {0, 5, 0});
  Simulation simulation(std::move(world), with("implicit-euler"));
  steps(simulation, 30);
  simulation.change([](World& edited) { add_obstacle(edited, box, at("wall", {3, 0, 0}), along_x(2)); });
  const int wall = body_of(simulation, "wall");
  EXPECT_EQ(rigid_motion(simulation.world(), wall).center.x(), 3);
  steps(simulation, 10);
  EXPECT_NEAR(rigid_motion(simulation.world(), wall).center.x(), 3.2, 1e-12);
}

TEST(AppliedForce, AcceleratesStiffAndSoftBodiesUntilItIsTakenAway) {
  World world;
  const int stiff = add_rigid(world, box, {}, at("stiff", {0, 0, 0}));
  const int soft = add_soft_ball(world, "soft", {3, 0, 0});
  Settings settings;
  settings.gravity.setZero();
  Simulation simulation(std::move(world), settings);
  const double soft_mass =
      simulation.world().gravity_mass.tail(simulation.world().bodies[soft].control_count).sum();
  const StiffBody body = simulation.world().stiff[0];
  const Matrix3 inertia = body.second_moment.trace() * Matrix3::Identity() - body.second_moment;
  simulation.apply(stiff, {{body.mass, 0, 0}, inertia * Vector3(0, 0, 2)});
  simulation.apply(soft, {{0, soft_mass, 0}, Vector3::Zero()});
  steps(simulation, 10);
  EXPECT_NEAR(rigid_motion(simulation.world(), stiff).velocity.x(), 0.1, 1e-9);
  EXPECT_NEAR(rigid_motion(simulation.world(), stiff).angular_velocity.z(), 0.2, 1e-4);
  EXPECT_NEAR(rigid_motion(simulation.world(), soft).velocity.y(), 0.1, 1e-6);
  simulation.apply(stiff, {});
  simulation.apply(soft, {});
  simulation.applied_to_controls().col(body.first_control) = Vector3(0, 0, body.mass);
  steps(simulation, 10);
  EXPECT_NEAR(rigid_motion(simulation.world(), stiff).velocity.x(), 0.1, 1e-9);
  EXPECT_NEAR(rigid_motion(simulation.world(), stiff).velocity.z(), 0.1, 1e-9);
  EXPECT_NEAR(rigid_motion(simulation.world(), soft).velocity.y(), 0.1, 1e-6);
  EXPECT_THROW(simulation.apply(soft, {Vector3::Zero(), {1, 0, 0}}), InputError);
  EXPECT_THROW(simulation.apply(stiff, {{std::nan(""), 0, 0}, Vector3::Zero()}), InputError);
}

TEST(EmptyStart, TakesItsScaleFromTheFirstBodiesThatMove) {
  World world;
  add_ground(world);
  Simulation simulation(std::move(world), {});
  simulation.step();
  simulation.change([](World& edited) { add_affine(edited, box, {}, at("box", {0, 0.15, 0})); });
  World built;
  add_ground(built);
  add_affine(built, box, {}, at("box", {0, 0.15, 0}));
  EXPECT_EQ(simulation.derived().contact_distance,
            Simulation(std::move(built), {}).derived().contact_distance);
  steps(simulation, 50);
  EXPECT_NEAR(rigid_motion(simulation.world(), 1).center.y(), 0.1, 0.01);
}

/// A bar that hangs from a hinge in the world; returns the joint.
int add_pendulum(World& world, const std::string& name, double x) {
  const int bar = add_affine(world, surface_mesh(BoxShape{{0.4, 0.05, 0.05}}), {}, at(name, {x + 0.2, 2, 0}));
  JointOptions hinge;
  hinge.name = "hinge of " + name;
  hinge.kind = JointKind::hinge;
  hinge.body_a = bar;
  hinge.point = {x, 2, 0};
  hinge.axis = {0, 0, 1};
  hinge.damping = 0.1;
  return add_joint(world, hinge);
}

void add_motor(World& world, int joint) {
  JointOptions motor;
  motor.name = "motor of " + world.joints[joint].name;
  motor.kind = JointKind::motor;
  motor.driven_joint = joint;
  motor.law = MotorLaw::force;
  motor.value = Table::constant({20, 0, 0});
  add_joint(world, motor);
}

TEST(RemovedJoints, LeaveTheOthersAsIfTheyHadBeenAlone) {
  for (const bool whole_body : {true, false}) {
    World both, alone;
    const int first = add_pendulum(both, "first", 0);
    add_motor(both, first);
    add_motor(both, add_pendulum(both, "second", 1));
    add_motor(alone, add_pendulum(alone, "second", 1));
    Settings settings;
    settings.contact.distance = {1e-3, false};
    settings.solver.tolerance = 1e-6;
    Simulation changed(std::move(both), settings), other(std::move(alone), settings);
    steps(changed, 6);
    steps(other, 6);
    const double speed = rigid_motion(changed.world(), 0).velocity.y();
    changed.change([&](World& world) {
      if (whole_body) return remove_body(world, 0);
      remove_joints(world, {1, 0, 0, 0});  // the motor goes too
    });
    ASSERT_EQ(changed.world().joints.size(), 2u);
    EXPECT_EQ(changed.world().joints[0].name, "hinge of second");
    steps(changed, 6);
    steps(other, 6);
    const RigidMotion motion = rigid_motion(changed.world(), body_of(changed, "second")),
                      wanted = rigid_motion(other.world(), 0);
    EXPECT_LT((motion.center - wanted.center).norm(), 1e-6);
    EXPECT_NEAR(changed.world().state.joint_coordinates[0], other.world().state.joint_coordinates[0], 1e-6);
    EXPECT_GT(std::abs(changed.world().state.joint_coordinates[0]), 1e-3);
    ASSERT_EQ(changed.joint_states().size(), 2u);
    EXPECT_LT((changed.joint_states()[0].force - other.joint_states()[0].force).norm(), 1e-2);
    if (!whole_body) {
      EXPECT_NEAR(rigid_motion(changed.world(), 0).velocity.y(), speed - 6 * 0.01 * 9.81, 1e-4);  // free now
    }
  }
}

TEST(JointedBodies, AreNotSetApart) {
  World world;
  add_pendulum(world, "bar", 0);
  Simulation simulation(std::move(world), {});
  steps(simulation, 2);
  State state = simulation.world().state;
  place_body(simulation.world(), 0, {3, 3, 0}, Matrix3::Identity(), state);
  EXPECT_THROW(simulation.move_to(state.position, state.velocity), InputError);
  steps(simulation, 2);
}

}  // namespace
}  // namespace bulwark
