// Area-weighted contact of elements of all orders, damped or not, and of ANCF elements: pressures under a load do not
// depend on the element.
#include <bulwark/geometry/hexahedral_box.hpp>
#include <bulwark/sim/simulation.hpp>

#include <gtest/gtest.h>

#include <sim/jointed_world.hpp>

#include <algorithm>
#include <string>

namespace bulwark {
namespace {

constexpr double load = 1000;  // Pa

/// Pressures over the load at the vertices of the body's lower side, away from its rim by the margin.
struct Range {
  double smallest = 1e300, largest = 0;
};

Range pressed_by_load(World world, int body, double half_side, double margin, int steps, double step) {
  add_plane(world, {0, 0, 0}, {0, 1, 0}, named("ground", {0, 0, 0}));
  Settings settings;
  settings.gravity.setZero();
  settings.time.step = step;
  settings.contact.formulation = "area-weighted";
  settings.contact.distance = {2e-3, false};
  settings.contact.stiffness = 1500;
  settings.solver.tolerance = 1e-6;
  Simulation simulation(std::move(world), settings);
  for (int i = 0; i < steps; ++i) simulation.step();
  const World& end = simulation.world();
  const ContactPressure contact = simulation.contact_pressure();
  const Body& b = end.bodies[body];
  const auto lowest = end.collision.rest.middleCols(b.first_vertex, b.vertex_count).row(1).minCoeff();
  Range range;
  for (int v = b.first_vertex; v < b.first_vertex + b.vertex_count; ++v) {
    const Vector3 rest = end.collision.rest.col(v);
    if (rest.y() > lowest + 1e-6) continue;
    if (std::max(std::abs(rest.x()), std::abs(rest.z())) > half_side - margin) continue;
    range.smallest = std::min(range.smallest, contact.pressure[v] / load);
    range.largest = std::max(range.largest, contact.pressure[v] / load);
  }
  return range;
}

ElasticMaterial soft() {
  ElasticMaterial m;
  m.young = 1e5;
  m.poisson = 0.3;
  return m;
}

Range pressed_block(const SolidMesh& mesh, const ElasticMaterial& material, int cuts) {
  World world;
  const int block =
      add_deformable(world, mesh, material, named("block", {0, 0.1515, 0}), MassKind::consistent, {cuts, {}});
  add_traction(world, block, SelectHalfSpace{{0, 0.3014, 0}, {0, 1, 0}}, Table::constant({0, -load, 0}));
  return pressed_by_load(std::move(world), block, 0.3, 0.05, 30, 0.1);
}

SolidMesh tetrahedra(double resolution, int order) {
  return raised(as_solid_mesh(solid_mesh(BoxShape{{0.6, 0.3, 0.6}}, resolution)), order);
}

void expect_even(const Range& range, double tolerance, const std::string& of) {
  EXPECT_NEAR(range.smallest, 1, tolerance) << of;
  EXPECT_NEAR(range.largest, 1, tolerance) << of;
}

TEST(FlexibleContact, DampedElementsOfAllOrdersRestWithThePressureOfTheLoad) {
  ElasticMaterial rayleigh = soft(), viscous = soft();
  rayleigh.rayleigh_damping = 0.05;
  viscous.shear_viscosity = 3000;
  viscous.bulk_viscosity = 1000;
  for (const ElasticMaterial& material : {soft(), rayleigh, viscous}) {
    expect_even(pressed_block(tetrahedra(0.2, 1), material, 0), 0.02, "order 1");
    expect_even(pressed_block(tetrahedra(0.3, 2), material, 0), 0.02, "order 2");
    expect_even(pressed_block(tetrahedra(0.6, 3), material, 0), 0.02, "order 3");
    expect_even(pressed_block(hexahedral_box({0.6, 0.3, 0.6}, {4, 2, 4}, 1), material, 0), 0.02, "hexahedra");
    expect_even(pressed_block(hexahedral_box({0.6, 0.3, 0.6}, {2, 1, 2}, 2), material, 0), 0.02,
                "hexahedra 2");
  }
}

/// A shell on the ground under a traction, of so many cells with so many cuts.
Range pressed_shell(int cells, int cuts) {
  World world;
  ElasticMaterial m;
  m.model = ElasticModel::svk;
  m.young = 1e7;
  m.poisson = 0.3;
  m.height = 0.02;
  const int shell =
      add_ancf(world, ancf_plate(0.6, 0.6, cells, cells), m, named("shell", {0, 0.0115, 0}), cuts);
  add_traction(world, shell, SelectAll{}, Table::constant({0, -load, 0}));
  return pressed_by_load(std::move(world), shell, 0.3, 0.01, 30, 0.1);
}

TEST(FlexibleContact, AnAncfShellUnderALoadHasItsPressureEverywhere) {
  for (const auto& [cells, cuts] : {std::pair{1, 2}, {2, 2}, {3, 3}, {4, 2}}) {
    const Range range = pressed_shell(cells, cuts);
    std::printf("[ shell %d cells, %d cuts: %.5f to %.5f ]\n", cells, cuts, range.smallest, range.largest);
    expect_even(range, 0.02, std::to_string(cells));
  }
}

}  // namespace
}  // namespace bulwark
