// Static equilibria against the closed forms of bars, beams and columns, and against the laws of statics.
#include <bulwark/base/error.hpp>
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/simulation.hpp>
#include <bulwark/sim/statics.hpp>

#include <gtest/gtest.h>

#include <sim/jointed_world.hpp>

#include <cmath>
#include <numbers>

namespace bulwark {
namespace {

constexpr double g = 9.81, pi = std::numbers::pi;

Settings static_settings(int steps = 1) {
  Settings settings;
  settings.time.integrator = "static";
  settings.time.step = 1.0 / steps;
  settings.time.steps = steps;
  return settings;
}

SelectHalfSpace above(double y) {
  return {{0, y, 0}, {0, 1, 0}};
}

ElasticMaterial linear_material(double young) {
  ElasticMaterial material;
  material.model = ElasticModel::linear_elastic;
  material.young = young;
  material.poisson = 0;
  return material;
}

int add_floor(World& world) {
  return add_plane(world, {0, 0, 0}, {0, 1, 0}, named("floor", {0, 0, 0}));
}

/// Total force of contact on a body.
Vector3 contact_force_on(const Simulation& simulation, int body) {
  Vector3 sum = Vector3::Zero();
  for (const ContactForce& contact : simulation.contacts()) {
    const Vector3 force = contact.normal_force + contact.friction_force;
    if (contact.body_a == body) sum += force;
    if (contact.body_b == body) sum -= force;
  }
  return sum;
}

double mass_of_body(const World& world, int body) {
  const Body& b = world.bodies[body];
  return b.is_stiff() ? world.stiff[b.stiff].mass
                      : world.gravity_mass.segment(b.first_control, b.control_count).sum();
}

/// The error that a step ends with.
std::string failure_of(Simulation& simulation) {
  try {
    simulation.step();
  } catch (const StepFailure& failure) {
    EXPECT_EQ(failure.report().outcome, Outcome::no_equilibrium);
    return failure.what();
  }
  ADD_FAILURE() << "an equilibrium was found";
  return "";
}

TEST(Statics, ABarGetsLongerUnderItsOwnWeight) {
  World world;
  const double L = 1, young = 1e6;
  const int bar = add_deformable(world, solid_mesh(BoxShape{{0.1, L, 0.1}}, 0.05), linear_material(young),
                                 named("bar", {0, -0.5 * L, 0}));
  hold(world, bar, above(0));
  Simulation simulation(std::move(world), static_settings());
  simulation.step();
  const double expected = 1000 * g * L * L / (2 * young);
  EXPECT_NEAR(-simulation.world().state.position.row(1).minCoeff() - L, expected, 5e-3 * expected);
  EXPECT_NEAR(simulation.reactions()[0].wrench.force.y(), 10 * g, 1e-6 * 10 * g);
  EXPECT_TRUE(simulation.world().state.velocity.isZero(0));
}

TEST(Statics, ConstantLoadsGrowOverTheStepsAndTablesActAsGiven) {
  World world;
  const int bar = add_deformable(world, solid_mesh(BoxShape{{0.1, 1, 0.1}}, 0.1), linear_material(1e7),
                                 named("bar", {0, -0.5, 0}));
  hold(world, bar, above(0));
  add_force(world, bar, SelectAll{}, Table::constant({3, 0, 0}));
  add_force(world, bar, SelectAll{}, Table{{0, 1}, {{0, 0, 0}, {0, 0, 8}}});
  Simulation simulation(world, static_settings(4));
  for (int step = 1; step <= 4; ++step) {
    simulation.step();
    const Vector3 force = simulation.reactions()[0].wrench.force;
    const Vector3 expected(-3 * step / 4.0, 10 * g * step / 4.0, -8 * step / 4.0);
    EXPECT_LT((force - expected).norm(), 1e-5 * expected.norm()) << force.transpose();
  }
  Settings at_once = static_settings(4);
  at_once.time.ramp = 0;
  Simulation full(std::move(world), at_once);
  full.step();
  EXPECT_LT((full.reactions()[0].wrench.force - Vector3(-3, 10 * g, -2)).norm(), 1e-3);
}

TEST(Statics, AFloorCarriesTheWeightOfASoftBlock) {
  World world;
  ElasticMaterial soft;
  soft.young = 1e5;
  const int block =
      add_deformable(world, solid_mesh(BoxShape{{0.2, 0.2, 0.2}}, 0.1), soft, named("block", {0, 0.11, 0}));
  const int floor = add_floor(world);
  const double weight = mass_of_body(world, block) * g;
  Simulation simulation(std::move(world), static_settings());
  simulation.step();
  EXPECT_NEAR(contact_force_on(simulation, floor).y(), -weight, 1e-6 * weight);
  EXPECT_LT(contact_force_on(simulation, floor).head<1>().norm(), 1e-6 * weight);
}

TEST(Statics, BodiesOfEveryKindFallOntoTheFloorAndRest) {
  World world;
  const Vector3 size(0.2, 0.2, 0.2);
  std::vector<int> bodies;
  bodies.push_back(add_deformable(world, solid_mesh(BoxShape{size}, 0.1), {}, named("soft", {0, 0.6, 0})));
  bodies.push_back(add_stiff(world, BodyKind::affine, size, named("affine", {0.5, 0.3, 0})));
  bodies.push_back(add_stiff(world, BodyKind::rigid, size, named("rigid", {1, 1.2, 0})));
  bodies.push_back(
      add_shell(world, surface_mesh(GridShape{{0.2, 0.2}, {4, 4}}), {}, named("sheet", {1.5, 0.2, 0})));
  bodies.push_back(
      add_rod(world, surface_mesh(LineShape{{-0.1, 0, 0}, {0.1, 0, 0}, 6}), {}, named("rod", {2, 0.2, 0})));
  const int floor = add_floor(world);
  double weight = 0;
  for (const int body : bodies) weight += mass_of_body(world, body) * g;
  Settings settings = static_settings();
  settings.contact.friction = 0.5;
  Simulation simulation(std::move(world), settings);
  const StepReport report = simulation.step();
  EXPECT_EQ(report.substeps, 1);
  EXPECT_EQ(report.energies.kinetic, 0);
  EXPECT_NEAR(contact_force_on(simulation, floor).y(), -weight, 1e-6 * weight);
  for (const int body : bodies) {
    const double own = mass_of_body(simulation.world(), body) * g;
    EXPECT_NEAR(contact_force_on(simulation, body).y(), own, 1e-5 * own)
        << simulation.world().bodies[body].name;
  }
}

TEST(Statics, WhatNothingHoldsIsNamed) {
  World world;
  add_stiff(world, BodyKind::rigid, {0.1, 0.1, 0.1}, named("kept", {0, 0.06, 0}));
  add_obstacle(world, surface_mesh(BoxShape{{1, 0.1, 1}}), named("table", {0, -0.05, 0}));
  const int lost =
      add_deformable(world, solid_mesh(BoxShape{{0.1, 0.1, 0.1}}, 0.1), {}, named("lost", {2, 0, 0}));
  {
    Simulation simulation(world, static_settings());
    const std::string message = failure_of(simulation);
    EXPECT_NE(message.find("'lost' moves away"), std::string::npos) << message;
    EXPECT_NE(message.find("Hold it"), std::string::npos) << message;
    EXPECT_EQ(simulation.world().state.step, 0);
    EXPECT_TRUE(simulation.world().state.position == world.state.position);
  }
  // Held by one corner it swings down to where it hangs.
  const Vector3 corner = world.rest.col(world.bodies[lost].first_control);
  hold(world, lost, SelectSphere{corner, 0.01});
  Simulation simulation(std::move(world), static_settings());
  simulation.step();
  const Vector3 center = rigid_motion(simulation.world(), lost).center;
  EXPECT_LT(center.y(), corner.y() - 0.08);
  EXPECT_NEAR(center.x(), corner.x(), 1e-3);
}

TEST(Statics, ABlockOnASlopeHoldsBelowTheAngleOfFriction) {
  for (const BodyKind kind : {BodyKind::affine, BodyKind::rigid, BodyKind::deformable}) {
    for (const double friction : {0.55, 0.45}) {
      World world;
      const double angle = std::atan(0.5);
      BodyOptions options = named("block", 0.0505 * Vector3(-std::sin(angle), std::cos(angle), 0));
      options.pose.rotation = Eigen::AngleAxisd(angle, Vector3::UnitZ()).toRotationMatrix();
      ElasticMaterial material;
      material.young = 1e7;
      const int block =
          kind == BodyKind::deformable
              ? add_deformable(world, solid_mesh(BoxShape{{0.1, 0.1, 0.1}}, 0.1), material, options)
              : add_stiff(world, kind, {0.1, 0.1, 0.1}, options);
      add_plane(world, {0, 0, 0}, {-std::sin(angle), std::cos(angle), 0}, named("slope", {0, 0, 0}));
      Settings settings = static_settings();
      settings.contact.friction = friction;
      Simulation simulation(std::move(world), settings);
      if (friction < 0.5) {
        EXPECT_NE(failure_of(simulation).find("'block' moves away"), std::string::npos)
            << static_cast<int>(kind);
        continue;
      }
      const Vector3 start = rigid_motion(simulation.world(), block).center;
      simulation.step();
      const double weight = mass_of_body(simulation.world(), block) * g;
      EXPECT_LT((contact_force_on(simulation, block) - Vector3(0, weight, 0)).norm(), 1e-5 * weight);
      EXPECT_LT((rigid_motion(simulation.world(), block).center - start).norm(), 2e-3);
    }
  }
}

TEST(Statics, APressMeetsTheStiffnessOfTheBlockAtEveryLoadStep) {
  World world;
  const double size = 0.1, young = 1e6;
  const int block = add_deformable(world, solid_mesh(BoxShape{{size, size, size}}, 0.025),
                                   linear_material(young), named("block", {0, 0.5 * size + 1e-5, 0}));
  const int floor = add_floor(world);
  Motion down;
  down.linear_velocity = {0, -0.005, 0};
  const int press = add_obstacle(world, surface_mesh(BoxShape{{0.2, 0.02, 0.2}}),
                                 named("press", {0, size + 0.01 + 2e-5, 0}), down);
  Settings settings = static_settings(5);
  settings.gravity.setZero();
  settings.contact.distance = {1e-5, false};
  Simulation simulation(std::move(world), settings);
  for (int step = 1; step <= 5; ++step) {
    simulation.step();
    const Vectors x = simulation.world().state.position.middleCols(
        simulation.world().bodies[block].first_control, simulation.world().bodies[block].control_count);
    const double shorter = size - (x.row(1).maxCoeff() - x.row(1).minCoeff());
    EXPECT_NEAR(shorter, 0.001 * step, 5e-5);
    const double expected = young * size * shorter;
    // But for the gaps, which are larger where pressure is less.
    EXPECT_NEAR(contact_force_on(simulation, press).y(), expected, 5e-3 * expected);
    EXPECT_NEAR(contact_force_on(simulation, floor).y(), -expected, 5e-3 * expected);
  }
}

/// A rod along y, clamped at the origin: bending is concentrated in the vertices, and a vertex stands for half
/// a segment on either side, so the clamped segment lies across the origin.
int add_column(World& world, const RodMaterial& material, double length, int segments) {
  const double l = length / (segments - 0.5);
  const int rod = add_rod(world, surface_mesh(LineShape{{0, -0.5 * l, 0}, {0, length, 0}, segments}),
                          material, named("column", {0, 0, 0}));
  hold(world, rod, SelectHalfSpace{{0, 0.6 * l, 0}, {0, -1, 0}});
  return rod;
}

RodMaterial wire() {
  RodMaterial material;
  material.radius = 0.01;
  material.young = material.bending_young = 1e9;
  material.twisting_shear = 4e8;
  return material;
}

TEST(Statics, ACantileverFollowsTheElastica) {
  // Tip under P L^2 / EI = 1, 5, 10: down and inward, in parts of L (Mattiasson 1981), in one step each.
  const double expected[3][3] = {{1, 0.30172, 0.05643}, {5, 0.71379, 0.38763}, {10, 0.81061, 0.55500}};
  for (const auto& [load, sideways, inward] : expected) {
    World world;
    const RodMaterial material = wire();
    const int rod = add_column(world, material, 1, 40);
    add_force(world, rod, above(1 - 1e-6), Table::constant({load * material.bending_stiffness(), 0, 0}));
    Settings settings = static_settings();
    settings.gravity.setZero();
    Simulation simulation(std::move(world), settings);
    simulation.step();
    const Vector3 tip = simulation.world().state.position.col(40);
    EXPECT_NEAR(tip.x(), sideways, 5e-3) << load;
    EXPECT_NEAR(1 - tip.y(), inward, 5e-3) << load;
  }
}

TEST(Statics, AColumnBucklesAtEulersLoad) {
  World world;
  const RodMaterial material = wire();
  const int rod = add_column(world, material, 1, 40);
  const double euler = pi * pi * material.bending_stiffness() / 4;
  // From 0.95 of Euler's load on, to where the tip has turned by 40 and 60 degrees (Timoshenko and Gere, 2.7);
  // the sideways force is the imperfection.
  Table load = {{0, 0.95, 1.063, 1.152}, {}};
  for (const double part : load.times) load.values.push_back({1e-4 * euler, -part * euler, 0});
  add_force(world, rod, above(1 - 1e-6), load);
  Settings settings = static_settings();
  settings.gravity.setZero();
  const double expected[3][3] = {{0.95, 0, 1}, {1.063, 0.422, 0.881}, {1.152, 0.593, 0.741}};
  for (const auto& [part, sideways, height] : expected) {
    settings.time.step = part;
    Simulation simulation(world, settings);
    simulation.step();
    const Vector3 tip = simulation.world().state.position.col(40);
    EXPECT_NEAR(tip.x(), sideways, 0.02) << part;
    EXPECT_NEAR(tip.y(), height, 0.01) << part;
  }
}

TEST(Statics, AHangingClothHoldsItsWeight) {
  World world;
  ClothMaterial cotton;
  const int cloth =
      add_shell(world, surface_mesh(GridShape{{1, 1}, {8, 8}}), cotton, named("cloth", {0, 0, 0}));
  for (const double x : {-0.5, 0.5}) hold(world, cloth, SelectSphere{{x, 0, -0.5}, 0.01});
  const double weight = mass_of_body(world, cloth) * g;
  Simulation simulation(std::move(world), static_settings());
  simulation.step();
  const std::vector<Reaction>& corners = simulation.reactions();
  ASSERT_EQ(corners.size(), 2U);
  EXPECT_NEAR(corners[0].wrench.force.y() + corners[1].wrench.force.y(), weight, 1e-5 * weight);
  EXPECT_NEAR(corners[0].wrench.force.x() + corners[1].wrench.force.x(), 0, 1e-5 * weight);
  EXPECT_LT(simulation.world().state.position.row(1).minCoeff(), -0.9);
}

TEST(Statics, APendulumHangsDownFromItsHinge) {
  for (const BodyKind kind : {BodyKind::affine, BodyKind::rigid}) {
    World world;
    const int rod = pendulum(world, 1.2, kind);
    add_joint(world, joint("hinge", JointKind::hinge, rod, world_body, {0, 0, 0}));
    const double weight = mass_of_body(world, rod) * g;
    Simulation simulation(std::move(world), static_settings());
    simulation.step();
    EXPECT_LT((rigid_motion(simulation.world(), rod).center - Vector3(0, -0.5, 0)).norm(), 1e-6);
    const JointState& hinge = simulation.joint_states()[0];
    EXPECT_LT((hinge.force - Vector3(0, weight, 0)).norm(), 1e-5 * weight) << hinge.force.transpose();
  }
}

TEST(Statics, AMotorWithASpeedIsRefused) {
  World world;
  const int rod = pendulum(world, 0.2);
  const int hinge = add_joint(world, joint("hinge", JointKind::hinge, rod, world_body, {0, 0, 0}));
  add_joint(world, motor(hinge, MotorLaw::speed, 1));
  try {
    Simulation simulation(std::move(world), static_settings());
    FAIL() << "it was taken";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("joint 'motor'"), std::string::npos) << error.what();
  }
}

/// A soft ball on a mat on the floor, pressed by a moving plate, with friction; a rod that hangs beside them.
World pressed_pile() {
  World world;
  ElasticMaterial soft;
  soft.young = 1e5;
  add_deformable(world, solid_mesh(BoxShape{{0.5, 0.1, 0.5}}, 0.1), soft, named("mat", {0, 0.051, 0}));
  add_deformable(world, solid_mesh(SphereShape{0.1}, 0.05), soft, named("ball", {0.05, 0.21, 0}));
  Motion down;
  down.linear_velocity = {0, -0.02, 0};
  add_obstacle(world, surface_mesh(BoxShape{{0.4, 0.02, 0.4}}), named("plate", {0, 0.33, 0}), down);
  add_floor(world);
  add_joint(world, joint("hinge", JointKind::hinge,
                         add_stiff(world, BodyKind::rigid, {0.3, 0.02, 0.02}, named("arm", {1, 1, 0})),
                         world_body, {0.85, 1, 0}));
  return world;
}

TEST(Statics, TheBitsAreTheSameOnAnyNumberOfThreadsAndAfterAPause) {
  Settings settings = static_settings(3);
  settings.contact.friction = 0.3;
  std::vector<State> states;
  for (const int threads : {1, 2}) {
    settings.solver.threads = threads;
    Simulation simulation(pressed_pile(), settings);
    for (int step = 0; step < 3; ++step) {
      simulation.step();
      states.push_back(simulation.world().state);
    }
  }
  for (int step = 0; step < 3; ++step)
    EXPECT_TRUE(states[step].position == states[3 + step].position) << step + 1;
  Simulation resumed(pressed_pile(), settings);
  resumed.restore(states[1]);
  resumed.step();
  EXPECT_TRUE(resumed.world().state.position == states[2].position);
}

}  // namespace
}  // namespace bulwark
