// What holds bodies, against the laws of statics and closed forms; contacts by pairs of bodies.
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/reactions.hpp>
#include <bulwark/sim/simulation.hpp>

#include <gtest/gtest.h>

#include <sim/jointed_world.hpp>

#include <cmath>

namespace bulwark {
namespace {

constexpr double g = 9.81;

/// Steps so long that inertia has no part: each ends in static balance.
Settings statics() {
  Settings settings = without_contact(1e3);
  settings.solver.tolerance = 1e-12;
  return settings;
}

SelectHalfSpace left_of(double x) {
  return {{x, 0, 0}, {-1, 0, 0}};
}
SelectHalfSpace right_of(double x) {
  return {{x, 0, 0}, {1, 0, 0}};
}

void expect_near(const Vector3& value, const Vector3& expected, double tolerance,
                 const std::string& what = "") {
  EXPECT_LT((value - expected).norm(), tolerance)
      << what << ": " << value.transpose() << " instead of " << expected.transpose();
}

/// Weight of a body as force and torque about a point, from where its masses are now.
Wrench weight_of(const World& world, int body, const Vector3& point, const Vector3& gravity) {
  const Body& b = world.bodies[body];
  Wrench sum;
  sum.point = point;
  if (b.stiff >= 0) {
    sum.add(Vector3(world.state.position.col(b.first_control)), world.stiff[b.stiff].mass * gravity);
    return sum;
  }
  for (int c = b.first_control; c < b.first_control + b.control_count; ++c)
    sum.add(Vector3(world.state.position.col(c)), world.gravity_mass[c] * gravity);
  return sum;
}

TEST(Reactions, ACantileverRootCarriesWeightTimesLever) {
  World world;
  ElasticMaterial material;
  material.young = 1e8;
  const Vector3 size(1, 0.1, 0.1);
  const int beam =
      add_deformable(world, solid_mesh(BoxShape{size}, 0.1), material, named("beam", {0.5, 0, 0}));
  hold(world, beam, left_of(0));
  Simulation simulation(std::move(world), statics());
  EXPECT_TRUE(simulation.reactions().empty());
  simulation.step();
  ASSERT_EQ(simulation.reactions().size(), 1U);
  const Reaction& root = simulation.reactions()[0];
  const double weight = 10 * g;
  expect_near(root.wrench.point, Vector3::Zero(), 1e-9);
  expect_near(root.wrench.force, {0, weight, 0}, 1e-6 * weight);
  EXPECT_NEAR(root.wrench.torque.z(), weight * 0.5, 1e-2 * weight) << "but for the little that it bends";
  const Wrench load = weight_of(simulation.world(), beam, root.wrench.point, {0, -g, 0});
  expect_near(root.wrench.torque, -load.torque, 1e-6 * weight);
}

TEST(Reactions, BalanceTheMomentumOfEveryKindOfBodyInMotion) {
  // Forces and torques on the whole body are the change of its momenta, in every step of implicit Euler.
  const double h = 0.01;
  for (const char* kind : {"deformable", "shell", "rod"}) {
    World world;
    const BodyOptions options = named("body", {0.5, 0, 0});
    int body = 0;
    if (kind == std::string("deformable")) {
      body = add_deformable(world, solid_mesh(BoxShape{{1, 0.2, 0.2}}, 0.2), {}, options);
    } else if (kind == std::string("shell")) {
      body = add_shell(world, surface_mesh(GridShape{{1, 1}, {4, 4}}), {}, options);
    } else {
      body = add_rod(world, surface_mesh(LineShape{{-0.5, 0, 0}, {0.5, 0, 0}, 8}), {}, options);
    }
    hold(world, body, left_of(0));
    Settings settings = without_contact(h);
    settings.solver.tolerance = 1e-8;
    Simulation simulation(std::move(world), settings);
    for (int step = 0; step < 5; ++step) {
      const Vectors before = simulation.world().state.velocity;
      simulation.step();
      const World& w = simulation.world();
      Wrench sum = simulation.reactions()[0].wrench;
      sum.add(weight_of(w, body, sum.point, settings.gravity));
      const Body& b = w.bodies[body];
      Wrench inertia;
      inertia.point = sum.point;
      double size = 0;
      for (int c = b.first_control; c < b.first_control + b.control_count; ++c) {
        const Vector3 f = w.gravity_mass[c] * (w.state.velocity.col(c) - before.col(c)) / h;
        inertia.add(Vector3(w.state.position.col(c)), f);
        size += f.norm();
      }
      expect_near(sum.force, inertia.force, 1e-4 * size, kind);
      expect_near(sum.torque, inertia.torque, 1e-4 * size, kind);
    }
  }
}

TEST(Reactions, ABarThatAScriptPullsAnswersWithItsStiffness) {
  World world;
  ElasticMaterial material;
  material.model = ElasticModel::linear_elastic;
  material.young = 1e6;
  material.poisson = 0;
  const int bar =
      add_deformable(world, solid_mesh(BoxShape{{1, 0.1, 0.1}}, 0.1), material, named("bar", {0.5, 0, 0}));
  hold(world, bar, left_of(0));
  Motion pull;
  pull.keyframes = {{0, Vector3::Zero(), Vector3::Zero()}, {1, Vector3(0.01, 0, 0), Vector3::Zero()}};
  hold(world, bar, right_of(1), pull);
  Settings settings = statics();
  settings.gravity.setZero();
  Simulation simulation(std::move(world), settings);
  simulation.step();
  ASSERT_EQ(simulation.reactions().size(), 2U);
  const double force = 1e6 * 0.01 * 0.01;  // E A strain
  expect_near(simulation.reactions()[0].wrench.force, {-force, 0, 0}, 1e-6 * force);
  expect_near(simulation.reactions()[1].wrench.force, {force, 0, 0}, 1e-6 * force);
  expect_near(simulation.reactions()[1].wrench.torque, Vector3::Zero(), 1e-6 * force);
}

TEST(Reactions, ATwistedRodPassesItsTorqueOn) {
  World world;
  RodMaterial material;
  material.radius = 0.01;
  material.twisting_shear = 1e7;
  const int segments = 20;
  const int rod = add_rod(world, surface_mesh(LineShape{{0, 0, 0}, {1, 0, 0}, segments}), material,
                          named("rod", {0, 0, 0}));
  hold(world, rod, SelectNodes{{0, 1}});
  Motion turn;
  turn.keyframes = {{0, Vector3::Zero(), Vector3::Zero()}, {1, Vector3::Zero(), Vector3(0.2, 0, 0)}};
  hold(world, rod, SelectNodes{{segments - 1, segments}}, turn);
  Settings settings = statics();
  settings.gravity.setZero();
  Simulation simulation(std::move(world), settings);
  simulation.step();
  // From the middle of one clamped segment to that of the other.
  const double torque = material.twisting_stiffness() * 0.2 / (1 - 1.0 / segments);
  ASSERT_EQ(simulation.reactions().size(), 2U);
  expect_near(simulation.reactions()[0].wrench.torque, {-torque, 0, 0}, 1e-3 * torque);
  expect_near(simulation.reactions()[1].wrench.torque, {torque, 0, 0}, 1e-3 * torque);
}

TEST(Reactions, StiffBodiesThatAreHeldOrMovedCarryWeightAndInertia) {
  for (const BodyKind kind : {BodyKind::affine, BodyKind::rigid}) {
    World world;
    Motion faster;  // 0.5 m/s^2 from step to step, by way of its keyframes
    for (int k = 0; k <= 20; ++k) {
      const double t = 0.1 * k;
      faster.keyframes.push_back({t, Vector3(0.25 * t * t, 0, 0), Vector3::Zero()});
    }
    const int still = add_stiff(world, kind, {0.1, 0.1, 0.1}, named("still", {0, 0, 0}));
    const int moved = add_stiff(world, kind, {0.1, 0.1, 0.1}, named("moved", {1, 0, 0}));
    const int axes = add_stiff(world, kind, {0.1, 0.1, 0.1}, named("axes", {2, 0, 0}));
    add_stiff(world, kind, {0.1, 0.1, 0.1}, named("free", {3, 0, 0}));
    hold(world, still, SelectAll{});
    hold(world, moved, SelectAll{}, faster);
    hold_axes(world, axes, {false, true, false}, {true, true, true});
    add_torque(world, axes, Table::constant({0, 0, 0.3}));
    add_torque(world, still, Table::constant({0.1, 0, 0.2}));
    Settings settings = without_contact(0.1);
    Simulation simulation(std::move(world), settings);
    for (int i = 0; i < 3; ++i) simulation.step();
    const std::vector<Reaction>& r = simulation.reactions();
    ASSERT_EQ(r.size(), 3U);
    const double weight = g;  // 1 kg each
    expect_near(r[0].wrench.force, {0, weight, 0}, 1e-8, "still");
    expect_near(r[0].wrench.torque, {-0.1, 0, -0.2}, 1e-8, "still");
    expect_near(r[1].wrench.force, {0.5, weight, 0}, 1e-8, "moved");
    expect_near(r[1].wrench.torque, Vector3::Zero(), 1e-8, "moved");
    expect_near(r[2].wrench.force, {0, weight, 0}, 1e-6, "axes");
    expect_near(r[2].wrench.torque, {0, 0, -0.3}, 1e-6, "axes");
    EXPECT_EQ(r[2].body, axes);
  }
}

TEST(Reactions, AHeldBodyCarriesWhatHangsOnItsJoints) {
  for (const BodyKind kind : {BodyKind::affine, BodyKind::rigid}) {
    for (const JointMethod method : {JointMethod::automatic, JointMethod::penalty}) {
      World world;
      const int held = add_stiff(world, kind, {0.1, 0.1, 0.1}, named("held", {0, 0, 0}));
      const int arm = add_stiff(world, kind, {1, 0.05, 0.05}, named("arm", {0.6, 0, 0}));
      hold(world, held, SelectAll{});
      JointOptions weld = joint("weld", JointKind::weld, arm, held, {0, 0, 0});
      weld.method = method;
      add_joint(world, weld);
      Simulation simulation(std::move(world), without_contact(0.01));
      for (int i = 0; i < 20; ++i) simulation.step();
      ASSERT_EQ(simulation.reactions().size(), 1U);
      const Wrench& r = simulation.reactions()[0].wrench;
      expect_near(r.force, {0, (1 + 2.5) * g, 0}, 1e-3);
      expect_near(r.torque, {0, 0, 2.5 * g * 0.6}, 1e-2);
    }
  }
}

/// A cube of 1 kg that lies on a table: a fixed body or an obstacle, turned or shifted against the cube.
struct Resting {
  double friction = 0;
  BodyKind kind = BodyKind::rigid;
  bool obstacle = false, plane = false;
};

TEST(ContactPairs, ARestingBodyAndItsTableCarryItsWeight) {
  for (const Resting& r :
       {Resting{}, Resting{0.5, BodyKind::affine, false, false}, Resting{0.3, BodyKind::rigid, true, false},
        Resting{0, BodyKind::rigid, true, true}}) {
    World world;
    int table = 0;
    if (r.plane) {
      table = add_plane(world, {0.2, 0, 0}, {0, 1, 0}, named("table", {0, 0, 0}));
    } else if (r.obstacle) {
      table = add_obstacle(world, surface_mesh(BoxShape{{1, 0.1, 1}}), named("table", {0.2, -0.05, 0}));
    } else {
      table = add_stiff(world, r.kind, {1, 0.1, 1}, named("table", {0.2, -0.05, 0}));
      hold(world, table, SelectAll{});
    }
    const int cube = add_stiff(world, r.kind, {0.1, 0.1, 0.1}, named("cube", {0, 0.0505, 0}));
    Settings settings;
    settings.contact.friction = r.friction;
    settings.solver.tolerance = 1e-6;
    Simulation simulation(std::move(world), settings);
    for (int i = 0; i < 150; ++i) simulation.step();
    const World& w = simulation.world();
    const std::vector<ContactForce> contacts = simulation.contacts();
    const std::vector<ContactPairForce> pairs = contact_pair_forces(contacts);
    ASSERT_EQ(pairs.size(), 1U);
    const ContactPairForce& pair = pairs[0];
    EXPECT_EQ(pair.body_a, table);
    EXPECT_EQ(pair.body_b, cube);
    EXPECT_EQ(pair.contacts, static_cast<int>(contacts.size()));
    expect_near(pair.wrench.force, {0, -g, 0}, 1e-2 * g, "on the table");
    expect_near(pair.wrench.point, {0, 0, 0}, 5e-3, "below the middle of the cube");
    EXPECT_LT(pair.wrench.torque.norm(), 1e-3 * g);

    const Vector3 middle = rigid_motion(w, cube).center;
    const Wrench on_cube = contact_wrench(cube, middle, contacts),
                 on_table = contact_wrench(table, middle, contacts);
    expect_near(on_cube.force, -on_table.force, 1e-12, "action and reaction");
    expect_near(on_cube.torque, -on_table.torque, 1e-12, "action and reaction");
    expect_near(on_cube.torque, Vector3::Zero(), 1e-2 * g * 0.05, "it does not turn");

    const Wrench holds =
        reaction_of_body(w, table, simulation.reactions(), contacts, simulation.joint_states());
    const double own = r.obstacle || r.plane ? 0 : 100 * g;
    expect_near(holds.force, {0, own + g, 0}, 1e-2 * g, "what holds the table");
    expect_near(holds.torque, (Vector3::Zero() - holds.point).cross(Vector3(0, g, 0)), 1e-2 * g,
                "about its middle");
    const Wrench nothing = reaction_of_body(w, cube, simulation.reactions(), contacts, {});
    EXPECT_TRUE(nothing.force.isZero(0) && nothing.torque.isZero(0)) << "nothing holds the cube";
  }
}

TEST(ContactPairs, AreOrderedAndLeaveOutABodyWithItself) {
  ContactForce one;
  one.body_a = 3;
  one.body_b = 1;
  one.position = {1, 0, 0};
  one.normal_force = {0, 2, 0};
  one.friction_force = {0, 0, 1};
  ContactForce other = one;
  std::swap(other.body_a, other.body_b);
  other.position = {3, 0, 0};
  other.normal_force = {0, -6, 0};
  other.friction_force = {0, 0, -1};
  ContactForce own = one;
  own.body_b = 3;
  const std::vector<ContactPairForce> pairs = contact_pair_forces({one, own, other});
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs[0].body_a, 1);
  EXPECT_EQ(pairs[0].body_b, 3);
  EXPECT_EQ(pairs[0].contacts, 2);
  expect_near(pairs[0].wrench.point, {2.5, 0, 0}, 1e-15);
  expect_near(pairs[0].wrench.force, {0, -8, -2}, 1e-15);
  // (-1.5) x (0, -2, -1) + 0.5 x (0, -6, -1)
  expect_near(pairs[0].wrench.torque, Vector3(0, 0.5 - 1.5, 3 - 3), 1e-15);
}

}  // namespace
}  // namespace bulwark
