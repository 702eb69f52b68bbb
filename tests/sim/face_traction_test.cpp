// Contact pressure as a field on faces of quadratic elements, hexahedra and ANCF elements.
#include <bulwark/bodies/face_surface.hpp>
#include <bulwark/geometry/hexahedral_box.hpp>
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/math/quadrature.hpp>
#include <bulwark/sim/face_traction.hpp>

#include <gtest/gtest.h>
#include <Eigen/Geometry>
#include <Eigen/QR>

#include <sim/at_rest.hpp>
#include <sim/curved_ball.hpp>
#include <sim/jointed_world.hpp>

#include <algorithm>
#include <cmath>

namespace bulwark {
namespace {

SolidMesh tetrahedral_box(const Vector3& size, double resolution, int order) {
  return raised(as_solid_mesh(solid_mesh(BoxShape{size}, resolution)), order);
}

/// Pressures at the vertices of a pressed body's lower face that are away from its rim, and what they should be.
struct Pressures {
  double smallest = 1e300, largest = 0, mean = 0;
};

/// A block between two planes, of which the upper comes down: all of its lower face has the pressure force / area.
Pressures pressed_block(const SolidMesh& mesh, int cuts, const std::string& formulation) {
  World world;
  ElasticMaterial m;
  m.young = 1e6;
  m.poisson = 0.3;
  const double distance = 1e-4;
  const int block = add_deformable(world, mesh, m, named("block", {0, 0.1 + 0.9 * distance, 0}),
                                   MassKind::consistent, {cuts, {}});
  add_plane(world, {0, 0, 0}, {0, 1, 0}, named("below", {0, 0, 0}));
  Motion down;
  down.linear_velocity = {0, -2e-3, 0};
  add_plane(world, {0, 0, 0}, {0, -1, 0}, named("above", {0, 0.2 + 1.8 * distance, 0}), down);
  Settings settings = test::at_rest(2);
  settings.contact.distance = {distance, false};
  settings.contact.formulation = formulation;
  Simulation simulation(std::move(world), settings);
  for (int step = 0; step < 2; ++step) simulation.step();
  const World& end = simulation.world();
  double force = 0;
  for (const ContactForce& contact : simulation.contacts())
    force += contact.body_a == block && contact.position.y() < 0.1 ? contact.normal_force.y() : 0;
  const Vectors positions = vertex_positions(end.collision, end.state.position);
  const auto held = positions.leftCols(end.bodies[block].vertex_count);
  const double sides = held.row(0).maxCoeff() - held.row(0).minCoeff();
  const double expected = std::abs(force) / (sides * sides);
  const ContactPressure contact = simulation.contact_pressure();
  Pressures result;
  int count = 0;
  for (int v = 0; v < end.bodies[block].vertex_count; ++v) {
    if (positions(1, v) > 0.05) continue;
    if (std::max(std::abs(positions(0, v)), std::abs(positions(2, v))) > 0.09) continue;
    const double ratio = contact.pressure[v] / expected;
    result.smallest = std::min(result.smallest, ratio);
    result.largest = std::max(result.largest, ratio);
    result.mean += ratio;
    ++count;
  }
  result.mean /= count;
  std::printf("[ %s cuts %d order %d: %.5f to %.5f, mean %.5f, p %g ]\n", formulation.c_str(), cuts,
              mesh.order, result.smallest, result.largest, result.mean, expected);
  return result;
}

TEST(FaceTraction, PressureUnderABlockIsForceByAreaAtEveryNode) {
  for (const int cuts : {2, 3, 4}) {
    for (const bool hexahedra : {false, true}) {
      const SolidMesh mesh = hexahedra ? hexahedral_box({0.2, 0.2, 0.2}, {2, 2, 2}, 2)
                                       : tetrahedral_box({0.2, 0.2, 0.2}, 0.1, 2);
      const Pressures found = pressed_block(mesh, cuts, "area-weighted");
      EXPECT_NEAR(found.smallest, 1, 1e-3);
      EXPECT_NEAR(found.largest, 1, 1e-3);
    }
  }
}

// Vertices at the rim count with the largest part of a face there (collision/contact_areas.hpp): of sides that are half
// as high again as the pressed faces are wide it is half as large again. They carry more, and those beside them less.
TEST(FaceTraction, HigherSidesMakePressureAtTheRimUneven) {
  for (const int cuts : {2, 3, 4}) {
    const Pressures found =
        pressed_block(hexahedral_box({0.2, 0.2, 0.2}, {3, 2, 3}, 2), cuts, "area-weighted");
    EXPECT_NEAR(found.smallest, 1, 0.04);
    EXPECT_NEAR(found.largest, 1, 0.04);
    EXPECT_NEAR(found.mean, 1, 0.01);
  }
}

/// Forces on the vertices of a body that act on its nodes as the pressure does on its true faces.
Vectors consistent_forces(const World& world, const Body& body, double pressure) {
  const RidingSurface faces = face_surface(world.elements, world.rest, *body.face_cuts);
  const QuadratureRule line = interval_rule(4);
  Vectors on_nodes = Vectors::Zero(3, body.control_count);
  for (const FacePart& part : faces.parts) {
    const Element& element = world.elements.elements[part.element];
    const ElementGeometry geometry = element_geometry(world.elements, element, world.rest);
    const Vector3 first = part.parent[1] - part.parent[0], second = part.parent[2] - part.parent[0];
    for (const QuadraturePoint& a : line) {
      for (const QuadraturePoint& b : line) {
        const double u = 0.5 * (1 + a.place[0]), v = 0.5 * (1 + b.place[0]) * (1 - u);
        const ShapeFunctions s = geometry.functions(part.parent[0] + u * first + v * second);
        const Matrix3 map = geometry.rest * s.gradient.transpose();
        const Vector3 area = 0.25 * a.weight * b.weight * (1 - u) * (map * first).cross(map * second);
        const std::span<const int> controls = world.elements.controls_of(element);
        for (std::size_t k = 0; k < controls.size(); ++k)
          on_nodes.col(controls[k]) -= pressure * s.value[static_cast<Eigen::Index>(k)] * area;
      }
    }
  }
  const MatrixX weights = world.collision.weights;
  const MatrixX square = weights.transpose() * weights;
  const MatrixX x = square.completeOrthogonalDecomposition().solve(on_nodes.transpose());
  return (weights * x).transpose();
}

TEST(FaceTraction, AUniformPressureOnCurvedFacesIsUniform) {
  for (const int cuts : {2, 3, 4}) {
    World world;
    const SolidMesh mesh = test::curved_ball(0.1, 0.06, 2);
    const int ball =
        add_deformable(world, mesh, {}, named("ball", {0, 0, 0}), MassKind::consistent, {cuts, {}});
    const Vectors forces = consistent_forces(world, world.bodies[ball], 100);
    const FaceTraction found =
        face_traction(world, world.bodies[ball], {forces, Vectors::Zero(3, forces.cols())});
    const auto [least, most] = std::minmax_element(found.pressure.begin(), found.pressure.end());
    EXPECT_NEAR(*least, 100, 1) << cuts;
    EXPECT_NEAR(*most, 100, 1) << cuts;
    EXPECT_LT((found.normal_force - forces.rowwise().sum()).norm(), 1e-6 * 100 * 0.1 * 0.1);
  }
}

}  // namespace
}  // namespace bulwark
