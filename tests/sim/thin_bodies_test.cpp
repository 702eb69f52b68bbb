// Shells and rods against the closed-form answers of beams, plates, chains and shafts.
#include <bulwark/base/error.hpp>
#include <bulwark/base/parallel.hpp>
#include <bulwark/collision/exact_intersection.hpp>
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/simulation.hpp>
#include <bulwark/terms/shells.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace bulwark {
namespace {

constexpr double pi = std::numbers::pi;

BodyOptions named(const std::string& name) {
  BodyOptions options;
  options.name = name;
  return options;
}

/// Steps so long that inertia has no part: each ends in static balance.
Settings statics() {
  Settings settings;
  settings.time.step = 1e3;
  settings.contact.enabled = false;
  settings.solver.tolerance = 1e-12;
  return settings;
}

Selection before(double x) {
  return SelectHalfSpace{{x, 0, 0}, {-1, 0, 0}};
}

/// A rod of length L along +x from the origin, clamped there. Bending is concentrated in the vertices, and a
/// vertex stands for half a segment on either side: so the clamped segment lies across the origin.
int add_cantilever(World& world, const RodMaterial& material, double L, int segments) {
  const double l = L / (segments - 0.5);
  const LineShape line{{-0.5 * l, 0, 0}, {L, 0, 0}, segments};
  const int rod = add_rod(world, surface_mesh(line), material, named("rod"));
  hold(world, rod, before(0.6 * l));
  return rod;
}

TEST(Cantilever, RodBendsUnderItsWeightAsEulerAndBernoulliSay) {
  World world;
  RodMaterial material;
  material.density = 1000;
  material.radius = 0.01;
  material.young = material.bending_young = 1e9;
  add_cantilever(world, material, 1, 20);
  Settings settings = statics();
  settings.gravity = {0, -0.01, 0};
  Simulation simulation(std::move(world), settings);
  const StepReport report = simulation.step();
  const double load = material.density * material.area() * 0.01;
  const double expected = load / (8 * material.bending_stiffness());
  EXPECT_NEAR(-simulation.world().state.position(1, 20), expected, 0.01 * expected);
  EXPECT_GT(report.energies.elastic, 0);
}

TEST(Cantilever, RodFollowsTheElasticaUnderALargeTipLoad) {
  // Tip of a cantilever under P L^2 / EI = 1, 5, 10: down and inward, in parts of L (Mattiasson 1981).
  const double expected[3][3] = {{1, 0.30172, 0.05643}, {5, 0.71379, 0.38763}, {10, 0.81061, 0.55500}};
  for (const auto& [load, down, inward] : expected) {
    World world;
    RodMaterial material;
    material.radius = 0.01;
    material.young = 1e7;  // hardly stretches
    material.bending_young = 1e6;
    const int rod = add_cantilever(world, material, 1, 40);
    const double force = load * material.bending_stiffness();
    add_force(world, rod, SelectNodes{{40}}, Table::constant({0, -force, 0}));
    Settings settings = statics();
    settings.solver.tolerance = 1e-9;
    settings.gravity.setZero();
    Simulation simulation(std::move(world), settings);
    simulation.step();
    const Vector3 tip = simulation.world().state.position.col(40);
    EXPECT_NEAR(-tip.y(), down, 2e-3) << load;
    EXPECT_NEAR(1 - tip.x(), inward, 2e-3) << load;
    EXPECT_NEAR(tip.z(), 0, 1e-6);
  }
}

/// Deflection of a cantilever strip of 1 m under its weight, in parts of that of a beam with EI = Y t^3/12
/// per width.
double strip_deflection(bool along_z, double poisson) {
  World world;
  ClothMaterial material;
  material.density = 1000;
  material.thickness = 0.01;
  material.young = material.bending_young = 1e8;
  material.poisson = poisson;
  const int n = 20;
  const double L = 1, cell = L / (n - 0.5);
  GridShape grid{{n * cell, 4 * cell}, {n, 4}};
  BodyOptions options = named("strip");
  options.pose.position = {0.5 * n * cell - 0.5 * cell, 0, 0};
  if (along_z) {
    grid = {{4 * cell, n * cell}, {4, n}};
    options.pose.rotation = Eigen::AngleAxisd(pi / 2, Vector3::UnitY());
  }
  const int strip = add_shell(world, surface_mesh(grid), material, options);
  EXPECT_EQ(hold(world, strip, before(0.6 * cell)), 10);
  Settings settings = statics();
  settings.gravity = {0, -0.01, 0};
  Simulation simulation(std::move(world), settings);
  simulation.step();
  const double stiffness = material.bending_young * std::pow(material.thickness, 3) / 12;
  const double expected = material.density * material.thickness * 0.01 / (8 * stiffness);
  return -simulation.world().state.position.row(1).minCoeff() / expected;
}

TEST(Cantilever, ShellStripBendsAsABeam) {
  for (const bool along_z : {false, true}) EXPECT_NEAR(strip_deflection(along_z, 0), 1, 0.005);
}

TEST(Cantilever, ShellStripWithPoissonsRatioIsBetweenABeamAndAWidePlate) {
  // Near the clamp it can't curve across.
  for (const bool along_z : {false, true}) {
    EXPECT_LT(strip_deflection(along_z, 0.3), 1);
    EXPECT_GT(strip_deflection(along_z, 0.3), 1 - 0.3 * 0.3);
  }
}

TEST(Chain, HangsAsACatenary) {
  World world;
  RodMaterial material;
  material.radius = 1e-3;
  material.young = 1e9;
  material.bending_young = material.twisting_shear = 1;
  const LineShape line{{0, 0, 0}, {1.2, 0, 0}, 60};
  const int rod = add_rod(world, surface_mesh(line), material, named("chain"));
  hold(world, rod, SelectNodes{{0}});
  Motion motion;
  motion.keyframes.resize(2);
  motion.keyframes[1].time = 0.5;
  motion.keyframes[1].displacement = {-0.2, 0, 0};
  hold(world, rod, SelectNodes{{60}}, motion);
  Settings settings = statics();
  settings.time.step = 0.05;
  settings.solver.tolerance = 1e-6;
  Simulation simulation(std::move(world), settings);
  for (int i = 0; i < 200; ++i) simulation.step();
  // 2 a sinh(1 / (2 a)) = 1.2
  double low = 0.1, high = 10;
  for (int i = 0; i < 100; ++i) {
    const double a = 0.5 * (low + high);
    (2 * a * std::sinh(0.5 / a) > 1.2 ? low : high) = a;
  }
  const double sag = low * (std::cosh(0.5 / low) - 1);
  EXPECT_NEAR(-simulation.world().state.position.row(1).head(61).minCoeff(), sag, 5e-3 * sag);
}

TEST(HangingRod, StretchesUnderItsOwnWeight) {
  World world;
  RodMaterial material;
  material.radius = 0.01;
  material.young = 1e6;
  const LineShape line{{0, 0, 0}, {0, -1, 0}, 20};
  const int rod = add_rod(world, surface_mesh(line), material, named("rod"));
  hold(world, rod, SelectNodes{{0}});
  Simulation simulation(std::move(world), statics());
  simulation.step();
  const double expected = material.density * 9.81 / (2 * material.young);
  EXPECT_NEAR(-simulation.world().state.position(1, 20) - 1, expected, 1e-3 * expected);
}

TEST(HangingCloth, StretchesUnderItsOwnWeight) {
  World world;
  ClothMaterial material;
  material.young = 1e6;
  material.poisson = 0;
  BodyOptions options = named("cloth");
  options.pose.rotation = Eigen::AngleAxisd(pi / 2, Vector3::UnitX());  // z becomes -y
  const int cloth = add_shell(world, surface_mesh(GridShape{{0.5, 1}, {8, 16}}), material, options);
  hold(world, cloth, SelectHalfSpace{{0, 0.499, 0}, {0, 1, 0}});
  Simulation simulation(std::move(world), statics());
  simulation.step();
  const double expected = material.density * 9.81 / (2 * material.young);
  EXPECT_NEAR(-simulation.world().state.position.row(1).minCoeff() - 0.5, expected, 0.01 * expected);
}

struct Twisted {
  Energies energies;
  RodMaterial material;
  double sag;  ///< distance from the axis
};

/// A rod along x with both end segments held, the last one turned about x by `turn` within a second. The
/// weight, across it, only shows the rod where it may go.
Twisted twisted_rod(double turn, double weight) {
  World world;
  RodMaterial material;
  material.radius = 0.01;
  material.young = 1e5;
  material.bending_young = 1e6;
  material.twisting_shear = 1e6;
  const int n = 40;
  const double l = 1.0 / (n - 1);  // the middles of the held segments are 1 m apart
  const LineShape line{{-0.5 * l, 0, 0}, {1 + 0.5 * l, 0, 0}, n};
  const int rod = add_rod(world, surface_mesh(line), material, named("rod"));
  hold(world, rod, SelectNodes{{0, 1}});
  Motion motion;
  motion.keyframes.resize(2);
  motion.keyframes[1].time = 1;
  motion.keyframes[1].rotation = {turn, 0, 0};
  hold(world, rod, SelectNodes{{n - 1, n}}, motion);
  Settings settings;
  settings.time.step = 0.1;
  settings.contact.enabled = false;
  settings.solver.tolerance = 1e-7;
  settings.gravity = {0, -weight, 0};
  Simulation simulation(std::move(world), settings);
  StepReport report;
  for (int i = 0; i < 100; ++i) report = simulation.step();
  const double sag =
      simulation.world().state.position.leftCols(n + 1).bottomRows<2>().colwise().norm().maxCoeff();
  return {report.energies, material, sag};
}

TEST(TwistedRod, HasTheEnergyOfAShaft) {
  const double turn = 4;  // rad: more than half a turn
  const Twisted rod = twisted_rod(turn, 0);
  const double expected = 0.5 * rod.material.twisting_stiffness() * turn * turn;
  EXPECT_NEAR(rod.energies.elastic, expected, 1e-4 * expected);
}

TEST(TwistedRod, BucklesAtTheTurnThatGreenhillFound) {
  // A shaft with clamped ends buckles at the moment M = 8.987 EI / L, twice the first root of tan x = x. With
  // M = GJ turn / L and here GJ = 2 EI that is a turn of 4.493 rad.
  EXPECT_LT(twisted_rod(0.95 * 4.4934, 1e-4).sag, 5e-4);
  EXPECT_GT(twisted_rod(1.05 * 4.4934, 1e-4).sag, 5e-3);
}

TEST(CurvedRod, IsAtRestInItsOwnShapeAndSpinsWithoutStrain) {
  World world;
  RodMaterial material;
  material.young = 1e8;
  BodyOptions options = named("ring");
  options.angular_velocity = {3, 5, 2};
  add_rod(world, surface_mesh(CircleShape{0.1, 24}), material, options);
  Settings settings;
  settings.gravity.setZero();
  settings.time.step = 0.01;
  settings.solver.tolerance = 1e-5;
  Simulation simulation(std::move(world), settings);
  StepReport report;
  for (int i = 0; i < 50; ++i) {
    report = simulation.step();
    EXPECT_LT(report.energies.elastic, 1e-2 * report.energies.kinetic);
  }
  EXPECT_GT(rigid_motion(simulation.world(), 0).angular_velocity.norm(), 1);
}

/// Acceleration of a cloth of 0.5 m down a slope of tangent 0.5.
double cloth_slides(double friction) {
  World world;
  ClothMaterial material;
  material.young = 1e5;
  BodyOptions options = named("cloth");
  options.pose.position = {0, 8e-4, 0};
  add_shell(world, surface_mesh(GridShape{{0.5, 0.5}, {8, 8}}), material, options);
  add_plane(world, {0, 0, 0}, {0, 1, 0}, named("ground"));
  Settings settings;
  const double angle = std::atan(0.5);
  settings.gravity = 9.81 * Vector3(std::sin(angle), -std::cos(angle), 0);
  settings.time.step = 0.01;
  settings.contact.friction_iterations = 0;
  settings.contact.static_speed = {1e-5, false};
  settings.contact.distance = {1e-3, false};
  settings.solver.tolerance = 1e-8;
  settings.contact.friction = 0.6;  // while it settles
  Simulation settling(world, settings);
  for (int i = 0; i < 60; ++i) settling.step();
  settings.contact.friction = friction;
  Simulation simulation(std::move(world), settings);
  simulation.restore(settling.world().state);
  auto speed = [&] { return rigid_motion(simulation.world(), 0).velocity.x(); };
  for (int i = 0; i < 10; ++i) simulation.step();
  const double start = speed();
  for (int i = 0; i < 20; ++i) simulation.step();
  return (speed() - start) / 0.2;
}

TEST(ClothOnSlope, SticksAtTheCriticalFriction) {
  EXPECT_LT(std::abs(cloth_slides(0.5)), 1e-4);
}

TEST(ClothOnSlope, SlidesWithTheClosedFormAccelerationJustBelow) {
  const double angle = std::atan(0.5), expected = 9.81 * (std::sin(angle) - 0.49 * std::cos(angle));
  EXPECT_NEAR(cloth_slides(0.49), expected, 0.01 * expected);
}

TEST(StrainLimit, IsNeverPassed) {
  for (const double limit : {1.02, 1.2}) {
    World world;
    ClothMaterial material;
    material.young = 1e4;
    material.strain_limit = limit;
    const int cloth = add_shell(world, surface_mesh(GridShape{{0.5, 0.5}, {6, 6}}), material, named("cloth"));
    hold(world, cloth, SelectNodes{{0, 6}});
    // Without a limit this weight would stretch it several times over.
    add_force(world, cloth, SelectNodes{{42, 48}}, Table::constant({0, -20, 0}));
    Settings settings;
    settings.time.step = 0.02;
    Simulation simulation(world, settings);
    Shells shells(world.elements, world.rest);
    double largest = 0;
    for (int i = 0; i < 20; ++i) {
      simulation.step();
      largest = std::max(largest, shells.largest_stretch_of_all(simulation.world().state.position));
    }
    EXPECT_LT(largest, limit);
    EXPECT_GT(largest, 0.5 * (1 + limit));
  }
}

/// A cloth, crossing rods and a ring over a ball.
World thin_pile() {
  World world;
  BodyOptions options = named("cloth");
  options.pose.position = {0, 0.12, 0};
  add_shell(world, surface_mesh(GridShape{{0.4, 0.4}, {12, 12}}), {}, options);
  RodMaterial wire;
  wire.young = 1e8;
  wire.bending_young = 1e8;
  for (int k = 0; k < 4; ++k) {
    BodyOptions own = named("rod " + std::to_string(k));
    own.pose.position = {0.02 * k, 0.14 + 0.02 * k, 0.01};
    own.pose.rotation = Eigen::AngleAxisd(0.8 * k, Vector3::UnitY());
    own.velocity = {0, -0.5, 0};
    add_rod(world, surface_mesh(LineShape{{-0.1, 0, 0}, {0.1, 0, 0}, 10}), wire, own);
  }
  BodyOptions ring = named("ring");
  ring.pose.position = {0, 0.23, 0};
  ring.angular_velocity = {2, 1, 0};
  add_rod(world, surface_mesh(CircleShape{0.06, 20}), wire, ring);
  add_obstacle(world, surface_mesh(SphereShape{0.1}, 0.03), named("ball"));
  return world;
}

TEST(ThinBodies, GiveTheSameBitsOnAnyNumberOfThreadsAndAfterARestart) {
  Settings settings;
  settings.contact.friction = 0.3;
  auto run = [&](int threads, bool restart) {
    set_thread_count(threads);
    auto simulation = std::make_unique<Simulation>(thin_pile(), settings);
    for (int i = 0; i < 15; ++i) {
      if (restart && i == 7) {
        const State saved = simulation->world().state;
        simulation = std::make_unique<Simulation>(thin_pile(), settings);
        simulation->restore(saved);
      }
      simulation->step();
    }
    set_thread_count(0);
    return simulation->world().state.position;
  };
  const Vectors alone = run(1, false);
  EXPECT_EQ(alone, run(2, false));
  EXPECT_EQ(alone, run(2, true));
}

TEST(ThinBodies, FallOntoEachOtherWithoutPassingThrough) {
  Settings settings;
  settings.contact.minimum_distance = 2e-3;
  settings.contact.friction = 0.2;
  Simulation simulation(thin_pile(), settings);
  const CollisionMesh& mesh = simulation.world().collision;
  double nearest = 1;
  for (int i = 0; i < 20; ++i) {
    nearest = std::min(nearest, simulation.step().min_distance);
    ASSERT_TRUE(
        find_intersections(mesh, vertex_positions(mesh, simulation.world().state.position), 1).empty());
  }
  EXPECT_GT(nearest, 2e-3);
  EXPECT_LT(nearest, 4e-3);  // they did meet
}

TEST(ThinBodies, KeepTheirGapsUnderALoadOfManyTimesTheirWeight) {
  World world;
  BodyOptions cloth = named("cloth");
  cloth.pose.position = {0, 0.0015, 0};
  add_shell(world, surface_mesh(GridShape{{0.1, 0.1}, {4, 4}}), {}, cloth);
  BodyOptions block = named("block");
  block.pose.position = {0, 0.0435, 0};
  add_affine(world, surface_mesh(BoxShape{{0.08, 0.08, 0.08}}), {.density = 20000}, block);
  add_plane(world, Vector3::Zero(), Vector3::UnitY(), named("ground"));
  Settings settings;
  settings.contact.distance = {2e-3, false};
  Simulation simulation(std::move(world), settings);
  double nearest = 0;
  int iterations = 0;
  for (int i = 0; i < 20; ++i) {
    const StepReport report = simulation.step();
    nearest = report.min_distance;
    if (i >= 10) iterations += report.newton_iterations;
  }
  EXPECT_GT(nearest, 0.1 * 2e-3);
  EXPECT_LT(iterations, 10 * 10);
}

TEST(ThinBodies, RefuseMeshesThatAreNone) {
  World world;
  EXPECT_THROW(add_shell(world, surface_mesh(LineShape{}), {}, named("a")), InputError);
  EXPECT_THROW(add_rod(world, surface_mesh(GridShape{}), {}, named("b")), InputError);
  ClothMaterial material;
  material.strain_limit = 1;
  EXPECT_THROW(add_shell(world, surface_mesh(GridShape{}), material, named("c")), InputError);
  SurfaceMesh lonely = surface_mesh(LineShape{});
  lonely.vertices.conservativeResize(3, 3);
  lonely.vertices.col(2) = Vector3(0, 1, 0);
  EXPECT_THROW(add_rod(world, lonely, {}, named("d")), InputError);
}

}  // namespace
}  // namespace bulwark
