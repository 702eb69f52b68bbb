// The area-weighted formulation of contact: gaps and pressures that do not depend on the mesh, in any mixture
// of bodies.
#include <bulwark/collision/exact_intersection.hpp>
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/math/rotation.hpp>
#include <bulwark/sim/simulation.hpp>
#include <bulwark/stencils/barrier.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace bulwark {
namespace {

constexpr double load = 1000;               // Pa
constexpr double contact_distance = 0.01;   // m
constexpr double pressure_half_way = 1500;  // Pa

BodyOptions placed(const std::string& name, const Vector3& position) {
  BodyOptions options;
  options.name = name;
  options.pose.position = position;
  return options;
}

enum class Ground { plane, coarse, fine };

/// Gaps and pressures of the vertices under a soft block, away from its edges.
struct Pressed {
  double smallest_gap = 1, largest_gap = 0, smallest_pressure = 1e300, largest_pressure = 0;

  double mean_gap() const { return 0.5 * (smallest_gap + largest_gap); }
};

/// A block of 0.6 x 0.3 x 0.6 m that a traction on its top presses on the ground until it rests.
Pressed press(double resolution, Ground ground, const std::string& formulation, double stiffness) {
  World world;
  ElasticMaterial material;
  material.young = 1e5;
  material.poisson = 0.3;
  const int block = add_deformable(world, solid_mesh(BoxShape{{0.6, 0.3, 0.6}}, resolution), material,
                                   placed("block", {0, 0.158, 0}));
  add_traction(world, block, SelectHalfSpace{{0, 0.3079, 0}, {0, 1, 0}}, Table::constant({0, -load, 0}));
  if (ground == Ground::plane) {
    add_plane(world, {0, 0, 0}, {0, 1, 0}, placed("ground", {0, 0, 0}));
  } else {
    const int cells = ground == Ground::coarse ? 3 : 17;
    add_obstacle(world, surface_mesh(GridShape{{1.93, 1.87}, {cells, cells}}),
                 placed("ground", {0.013, 0, 0.031}));
  }
  Settings settings;
  settings.gravity.setZero();
  settings.time.step = 0.1;
  settings.contact.formulation = formulation;
  settings.contact.distance = {contact_distance, false};
  settings.contact.stiffness = stiffness;
  settings.solver.tolerance = 1e-6;
  Simulation simulation(std::move(world), settings);
  for (int i = 0; i < 30; ++i) simulation.step();
  const World& end = simulation.world();
  const ContactPressure contact = simulation.contact_pressure();
  const Vectors positions = vertex_positions(end.collision, end.state.position);
  Pressed result;
  for (int v = end.bodies[block].first_vertex;
       v < end.bodies[block].first_vertex + end.bodies[block].vertex_count; ++v) {
    const Vector3 rest = end.collision.rest.col(v);
    if (rest.y() > 0.0081 || std::max(std::abs(rest.x()), std::abs(rest.z())) > 0.29) continue;
    result.smallest_gap = std::min(result.smallest_gap, positions(1, v));
    result.largest_gap = std::max(result.largest_gap, positions(1, v));
    result.smallest_pressure = std::min(result.smallest_pressure, contact.pressure[v]);
    result.largest_pressure = std::max(result.largest_pressure, contact.pressure[v]);
  }
  return result;
}

/// The gap at which the barrier, which has the pressure p at half its distance, has that of the load.
double gap_under_load() {
  const BarrierRange range = {contact_distance, 0};
  const double half = barrier_force(0.25 * contact_distance * contact_distance, range);
  double lower = 0, upper = contact_distance;
  for (int i = 0; i < 100; ++i) {
    const double gap = 0.5 * (lower + upper);
    (pressure_half_way * barrier_force(gap * gap, range) / half > load ? lower : upper) = gap;
  }
  return lower;
}

TEST(AreaWeightedContact, GapAndPressureUnderABlockAreThoseOfTheLoadOnAnyMesh) {
  for (const double resolution : {0.3, 0.15, 0.1}) {
    const Pressed pressed = press(resolution, Ground::plane, "area-weighted", pressure_half_way);
    EXPECT_NEAR(pressed.smallest_pressure, load, 0.02 * load) << resolution;
    EXPECT_NEAR(pressed.largest_pressure, load, 0.02 * load) << resolution;
    EXPECT_NEAR(pressed.smallest_gap, gap_under_load(), 0.02 * gap_under_load()) << resolution;
    EXPECT_NEAR(pressed.largest_gap, gap_under_load(), 0.02 * gap_under_load()) << resolution;
  }
}

// How often edges of the two meshes cross differs from place to place, and their part with it.
TEST(AreaWeightedContact, GapAndPressureOnAMeshOfTrianglesStayNearThoseOfTheLoad) {
  for (const Ground ground : {Ground::coarse, Ground::fine}) {
    for (const double resolution : {0.15, 0.1}) {
      const Pressed pressed = press(resolution, ground, "area-weighted", pressure_half_way);
      EXPECT_NEAR(pressed.smallest_pressure, load, 0.15 * load) << resolution;
      EXPECT_NEAR(pressed.largest_pressure, load, 0.15 * load) << resolution;
      EXPECT_NEAR(pressed.mean_gap(), gap_under_load(), 0.15 * gap_under_load()) << resolution;
    }
  }
}

TEST(AreaWeightedContact, WithoutItTheGapDependsOnTheMesh) {
  const double stiffness = 1e7;  // J/m^4
  const double coarse = press(0.3, Ground::plane, "ipc", stiffness).mean_gap();
  const double fine = press(0.1, Ground::plane, "ipc", stiffness).mean_gap();
  EXPECT_GT(fine, 1.2 * coarse);
}

/// All kinds of bodies at random places over each other, and over a plane and an obstacle.
World mixture(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  World world;
  auto options = [&](const std::string& name, double height) {
    BodyOptions result = placed(name, {0.06 * number(random), height, 0.06 * number(random)});
    result.pose.rotation = rotation_matrix(0.5 * Vector3(number(random), number(random), number(random)));
    return result;
  };
  ElasticMaterial soft;
  soft.young = 2e4;
  const SurfaceMesh box = surface_mesh(BoxShape{{0.2, 0.1, 0.15}});
  add_affine(world, box, {}, options("affine", 0.2));
  add_rigid(world, box, {}, options("rigid", 0.42));
  add_rigid(world, round_surface(SphereShape{0.06}), {}, options("ball", 0.57));
  add_deformable(world, solid_mesh(BoxShape{{0.15, 0.1, 0.15}}, 0.08), soft, options("soft", 0.75));
  add_affine(world, round_surface(CapsuleShape{0.03, 0.2}), {}, options("capsule", 0.97));
  add_rod(world, surface_mesh(LineShape{{-0.2, 0, 0}, {0.2, 0, 0}, 8}), {}, placed("rod", {0, 1.13, 0.02}));
  add_rod(world, surface_mesh(LineShape{{0, 0, -0.2}, {0.05, 0, 0.2}, 8}), {}, placed("rod 2", {0, 1.16, 0}));
  add_shell(world, surface_mesh(GridShape{{0.3, 0.3}, {6, 6}}), {}, placed("cloth", {0.01, 1.2, 0}));
  add_particles(world, surface_mesh(PointsShape{{{0, 0, 0}, {0.05, 0.01, 0}}}), 0.01, {},
                placed("points", {0, 1.25, 0}));
  add_obstacle(world, surface_mesh(LineShape{{-0.5, 0, 0}, {0.5, 0, 0}, 1}), placed("wire", {0, 0.05, 0}));
  add_plane(world, {0, 0, 0}, {0, 1, 0}, placed("ground", {0, 0, 0}));
  return world;
}

TEST(AreaWeightedContact, AllKindsOfBodiesFallOntoEachOtherWithoutIntersection) {
  for (const std::string integrator : {"implicit-euler", "bdf2", "newmark"}) {
    for (const unsigned seed : {1u, 2u}) {
      Vectors first;
      for (const int threads : {1, 2}) {
        Settings settings;
        settings.time.integrator = integrator;
        settings.contact.formulation = "area-weighted";
        settings.contact.friction = 0.3;
        settings.contact.restitution_damping = seed == 2 ? 1e-4 : 0;
        settings.solver.threads = threads;
        Simulation simulation(mixture(seed), settings);
        int contacts = 0;
        for (int i = 0; i < 40; ++i) {
          contacts = std::max(contacts, simulation.step().contacts);
          const World& world = simulation.world();
          const Vectors positions = vertex_positions(world.collision, world.state.position);
          ASSERT_TRUE(positions.allFinite());
          ASSERT_TRUE(find_intersections(world.collision, positions, 1).empty())
              << integrator << " step " << i;
        }
        EXPECT_GE(contacts, 4);
        if (threads == 1) first = simulation.world().state.position;
        EXPECT_EQ(simulation.world().state.position, first) << integrator << ", " << threads << " threads";
      }
    }
  }
}

TEST(ContactPressure, OfAStiffBoxOnTheFloorCarriesItsWeight) {
  for (const std::string formulation : {"ipc", "area-weighted"}) {
    World world;
    const int box =
        add_affine(world, surface_mesh(BoxShape{{0.4, 0.2, 0.5}}), {1000}, placed("box", {0, 0.1005, 0}));
    add_plane(world, {0, 0, 0}, {0, 1, 0}, placed("ground", {0, 0, 0}));
    Settings settings;
    settings.contact.formulation = formulation;
    settings.solver.tolerance = 1e-6;
    Simulation simulation(std::move(world), settings);
    for (int i = 0; i < 60; ++i) simulation.step();
    const ContactPressure contact = simulation.contact_pressure();
    const double expected = 1000 * 0.2 * 9.81;
    double sum = 0;
    for (int v = 0; v < simulation.world().bodies[box].vertex_count; ++v) sum += contact.pressure[v];
    // A corner carries a quarter of the weight. Two of them have a third of the base, the others a sixth.
    EXPECT_NEAR(sum, (2 * 0.75 + 2 * 1.5) * expected, 0.02 * expected) << formulation;
    EXPECT_LT(contact.traction.norm(), 1e-3 * expected) << formulation;
  }
}

}  // namespace
}  // namespace bulwark
