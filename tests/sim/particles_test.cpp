// Particles and springs against closed-form answers, in contact, and against bad input.
#include <bulwark/base/error.hpp>
#include <bulwark/collision/exact_intersection.hpp>
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/simulation.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace bulwark {
namespace {

BodyOptions at(const std::string& name, const Vector3& place) {
  BodyOptions options;
  options.name = name;
  options.pose.position = place;
  return options;
}

SurfaceMesh chain(const std::vector<Vector3>& points, const std::vector<Edge>& springs) {
  SurfaceMesh mesh;
  mesh.vertices.resize(3, static_cast<Eigen::Index>(points.size()));
  for (std::size_t k = 0; k < points.size(); ++k) mesh.vertices.col(static_cast<Eigen::Index>(k)) = points[k];
  mesh.edges = springs;
  return mesh;
}

Settings without_gravity(const std::string& integrator, double step) {
  Settings settings;
  settings.time.integrator = integrator;
  settings.time.step = step;
  settings.gravity.setZero();
  settings.solver.tolerance = 1e-9;
  return settings;
}

TEST(Particles, AMassOnASpringHangsWhereItsWeightBalancesIt) {
  World world;
  const double mass = 0.5, stiffness = 200;
  add_particles(world, chain({{0, 0, 0}, {0, -1, 0}}, {{0, 1}}), mass, SpringMaterial{stiffness, 0},
                at("weight", {0, 0, 0}));
  hold(world, 0, SelectNodes{{0}});
  Settings settings;
  settings.time.step = 1e3;  // so long that inertia has no part
  settings.solver.tolerance = 1e-12;
  Simulation simulation(std::move(world), settings);
  for (int k = 0; k < 3; ++k) simulation.step();
  EXPECT_NEAR(simulation.world().state.position(1, 1), -1 - mass * 9.81 / stiffness, 1e-9);
  ASSERT_EQ(simulation.reactions().size(), 1u);
  EXPECT_NEAR(simulation.reactions()[0].wrench.force.y(), 2 * mass * 9.81, 1e-6);
}

TEST(Particles, TwoMassesOnASpringSwingWithTheirPeriod) {
  const double mass = 0.2, stiffness = 80, period = 2 * std::numbers::pi / std::sqrt(2 * stiffness / mass);
  World world;
  add_particles(world, chain({{0, 0, 0}, {1, 0, 0}}, {{0, 1}}), mass, SpringMaterial{stiffness, 0},
                at("pair", {0, 0, 0}));
  world.state.velocity(0, 0) = -0.5;
  world.state.velocity(0, 1) = 0.5;
  Simulation simulation(std::move(world), without_gravity("newmark", period / 200));
  const double energy = mass * 0.5 * 0.5;
  double greatest = 0;
  for (int k = 0; k < 200; ++k) {
    const StepReport report = simulation.step();
    const auto& q = simulation.world().state.position;
    greatest = std::max(greatest, q(0, 1) - q(0, 0) - 1);
    EXPECT_NEAR(report.energies.total(), energy, 1e-4 * energy);
  }
  const auto& q = simulation.world().state.position;
  EXPECT_NEAR(q(0, 1) - q(0, 0), 1, 2e-3 * greatest);
  EXPECT_NEAR(greatest, 1 / std::sqrt(2 * stiffness / mass), 1e-3 * greatest);
}

TEST(Particles, DampingTakesAwayTheVibrationAndLeavesTheFlight) {
  World world;
  add_particles(world, chain({{0, 0, 0}, {1, 0, 0}}, {{0, 1}}), 0.2, SpringMaterial{80, 0.05},
                at("pair", {0, 0, 0}));
  world.state.velocity << 1.5, 2.5, 0, 0, 0, 0;
  Simulation simulation(std::move(world), without_gravity("newmark", 0.005));
  for (int k = 0; k < 600; ++k) simulation.step();
  const auto& v = simulation.world().state.velocity;
  EXPECT_NEAR(v(0, 0), 2, 1e-3);
  EXPECT_NEAR(v(0, 1), 2, 1e-3);
}

TEST(Particles, FallAndComeToRestOnWhatTheyHit) {
  for (const bool plane : {true, false}) {
    World world;
    if (plane) {
      add_plane(world, {0, 0, 0}, {0, 1, 0}, at("ground", {0, 0, 0}));
    } else {
      add_obstacle(world, surface_mesh(BoxShape{{2, 0.2, 2}}), at("table", {0, -0.1, 0}));
    }
    const int body = add_particles(world, surface_mesh(PointsShape{{{0, 0.2, 0}, {0.3, 0.4, 0.1}}}), 0.01, {},
                                   at("beads", {0, 0, 0}));
    Settings settings;
    settings.contact.friction = 0.5;
    Simulation simulation(std::move(world), settings);
    const double distance = simulation.derived().bodies[body].contact_distance;
    for (int k = 0; k < 100; ++k) simulation.step();
    const Body& beads = simulation.world().bodies[body];
    for (int k = 0; k < 2; ++k) {
      const double height = simulation.world().state.position(1, beads.first_control + k);
      EXPECT_GT(height, 0);
      EXPECT_LT(height, distance);
    }
  }
}

TEST(Particles, AreStoppedByAThinPlateHoweverFast) {
  for (const double speed : {10.0, 300.0, 5000.0}) {
    World world;
    add_obstacle(world, surface_mesh(GridShape{{1, 1}, {2, 2}}), at("plate", {0, 0, 0}));
    BodyOptions options = at("bullet", {0.1, 0.5, 0.2});
    options.velocity = {0, -speed, 0};
    const int body = add_particles(world, surface_mesh(PointsShape{{{0, 0, 0}}}), 0.01, {}, options);
    Simulation simulation(std::move(world), without_gravity("implicit-euler", 0.01));
    for (int k = 0; k < 20; ++k) simulation.step();
    const World& now = simulation.world();
    EXPECT_GT(now.state.position(1, now.bodies[body].first_control), 0) << speed;
    EXPECT_TRUE(
        find_intersections(now.collision, vertex_positions(now.collision, now.state.position), 1).empty());
  }
}

TEST(Particles, AreJoinedToBodiesByTheirPoints) {
  // A bead that hangs from a heavy box by a spring joint; the box falls with it.
  World world;
  const int box = add_rigid(world, surface_mesh(BoxShape{{0.2, 0.2, 0.2}}), {}, at("box", {0, 1, 0}));
  const int bead =
      add_particles(world, surface_mesh(PointsShape{{{0, 0, 0}}}), 0.1, {}, at("bead", {0, 0.5, 0}));
  JointOptions joint;
  joint.kind = JointKind::distance;
  joint.name = "thread";
  joint.body_a = bead;
  joint.body_b = box;
  joint.point = {0, 0.5, 0};
  joint.second_point = Vector3(0, 0.9, 0);
  joint.method = JointMethod::augmented_lagrangian;
  add_joint(world, joint);
  Settings settings;
  Simulation simulation(std::move(world), settings);
  for (int k = 0; k < 20; ++k) simulation.step();
  const World& now = simulation.world();
  const Vector3 x = now.state.position.col(now.bodies[bead].first_control);
  EXPECT_NEAR((x - (rigid_motion(now, box).center - Vector3(0, 0.1, 0))).norm(), 0.4, 1e-5);
  EXPECT_LT(x.y(), 0.35);
}

TEST(Particles, BadOnesAreRefused) {
  const auto message = [](const SurfaceMesh& mesh, double mass) -> std::string {
    World world;
    try {
      add_particles(world, mesh, mass, {}, at("bad", {0, 0, 0}));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message(surface_mesh(BoxShape{{1, 1, 1}}), 1).find("triangles"), std::string::npos);
  EXPECT_NE(message(chain({}, {}), 1).find("no particles"), std::string::npos);
  EXPECT_NE(message(chain({{0, 0, 0}}, {}), 0).find("0 kg"), std::string::npos);
  EXPECT_NE(message(chain({{0, 0, 0}}, {}), std::nan("")).find("nan kg"), std::string::npos);
  EXPECT_NE(message(chain({{0, 0, 0}, {0, 0, 0}}, {{0, 1}}), 1).find("no length"), std::string::npos);
  EXPECT_NE(message(chain({{0, 0, 0}, {1, 0, 0}}, {{0, 1}, {1, 0}}), 1).find("twice"), std::string::npos);
}

}  // namespace
}  // namespace bulwark
