// Soft bodies in the plane: triangles of order 1 to 4 against closed forms, in plane strain and plane stress.
#include <bulwark/bodies/element_geometry.hpp>
#include <bulwark/collision/exact_intersection.hpp>
#include <bulwark/geometry/planar_triangles.hpp>
#include <bulwark/sim/simulation.hpp>
#include <bulwark/sim/stress_field.hpp>

#include <gtest/gtest.h>

#include <sim/at_rest.hpp>

#include <cmath>
#include <numbers>

namespace bulwark {
namespace {

constexpr double pi = std::numbers::pi;

ElasticMaterial solid(ElasticModel model, double young, double poisson, bool plane_stress = false) {
  ElasticMaterial m;
  m.model = model;
  m.young = young;
  m.poisson = poisson;
  m.plane_stress = plane_stress;
  return m;
}

BodyOptions in_plane(double thickness, const Vector3& position = Vector3::Zero()) {
  BodyOptions options;
  options.name = "body";
  options.plane_thickness = thickness;
  options.pose.position = position;
  return options;
}

World planar_world(double thickness) {
  World world;
  world.thickness = thickness;
  return world;
}

SelectHalfSpace right_of(double x) {
  return {{x, 0, 0}, {1, 0, 0}};
}

TEST(PlanarSolids, UniformTensionGivesUniformStressOnAnyMeshOfAnyOrder) {
  for (int order = 1; order <= 4; ++order) {
    for (const bool plane_stress : {false, true}) {
      World world = planar_world(0.2);
      SolidMesh mesh = triangulated_rectangle({2, 1}, {4, 3});
      for (Eigen::Index v = 0; v < mesh.vertices.cols(); ++v) {  // inner nodes out of line
        if (std::abs(mesh.vertices(0, v)) < 0.9 && std::abs(mesh.vertices(1, v)) < 0.4)
          mesh.vertices.col(v) += Vector3(0.05 * std::sin(7.0 * v), 0.05 * std::cos(5.0 * v), 0);
      }
      add_deformable(world, raised(mesh, order), solid(ElasticModel::linear_elastic, 1e6, 0.3, plane_stress),
                     in_plane(0.2));
      for (int k = 0; k < world.control_count(); ++k) {
        if (world.rest(0, k) > -1 + 1e-9) continue;
        world.held[k] |= 1;
        if (world.rest(1, k) < -0.5 + 1e-9) world.held[k] |= 2;
      }
      add_traction(world, 0, right_of(1 - 1e-9), Table::constant({1000, 0, 0}));
      Settings settings = test::at_rest();
      settings.solver.tolerance = 1e-6;
      Simulation simulation(std::move(world), settings);
      simulation.step();
      const Vectors u = simulation.world().state.position - simulation.world().rest;
      const double stretch = plane_stress ? 1e-3 : 1e-3 * (1 - 0.09),
                   across = plane_stress ? 0.3e-3 : 0.3 * 1.3e-3;
      for (Eigen::Index k = 0; k < u.cols(); ++k) {
        EXPECT_NEAR(u(0, k), stretch * (simulation.world().rest(0, k) + 1), 1e-9) << order;
        EXPECT_NEAR(u(1, k), -across * (simulation.world().rest(1, k) + 0.5), 1e-9) << order;
      }
      const StressField field = stress_field(simulation.world(), simulation.world().state.position);
      EXPECT_NEAR(field.cauchy(0, 0), 1000, 1e-2);                    // xx
      EXPECT_NEAR(field.cauchy(2, 0), plane_stress ? 0 : 300, 1e-2);  // zz
    }
  }
}

TEST(PlanarSolids, SvkInPlaneStressHasNoStressAcross) {
  World world = planar_world(1);
  add_deformable(world, triangulated_rectangle({1, 1}, {2, 2}), solid(ElasticModel::svk, 1e6, 0.4, true),
                 in_plane(1));
  for (int k = 0; k < world.control_count(); ++k) {
    if (world.rest(0, k) < -0.5 + 1e-9) world.held[k] |= world.rest(1, k) < -0.5 + 1e-9 ? 3 : 1;
  }
  add_traction(world, 0, right_of(0.5 - 1e-9), Table::constant({2e5, 0, 0}));
  Simulation simulation(std::move(world), test::at_rest());
  simulation.step();
  const Vectors& q = simulation.world().state.position;
  const StressField field = stress_field(simulation.world(), q);
  for (Eigen::Index k = 0; k < simulation.world().control_count(); ++k) EXPECT_NEAR(field.cauchy(2, k), 0, 1);
  // One dimension: P = E (F^2 - 1) F / 2.
  const double F = q.row(0).maxCoeff() - q.row(0).minCoeff();
  EXPECT_NEAR(1e6 * (F * F - 1) * F / 2, 2e5, 20);
}

/// The largest error of the displacement u = (a sin(pi x) sin(pi y), 0) in the mean square, under the load that it asks for.
double displacement_error(int order, int cells) {
  constexpr double size = 1e-3, young = 1e6, poisson = 0.3, thickness = 0.3;
  World world = planar_world(thickness);
  const SolidMesh mesh = raised(triangulated_rectangle({1, 1}, {cells, cells}), order);
  add_deformable(world, mesh, solid(ElasticModel::linear_elastic, young, poisson),
                 in_plane(thickness, {0.5, 0.5, 0}));
  SelectNodes boundary;
  for (int k = 0; k < world.control_count(); ++k) {
    const Vector3 x = world.rest.col(k);
    if (std::min({x.x(), x.y(), 1 - x.x(), 1 - x.y()}) < 1e-9) boundary.nodes.push_back(k);
  }
  hold(world, 0, boundary);
  const double mu = young / (2 * (1 + poisson)),
               lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
  const auto load = [&](const Vector3& x) -> Vector3 {
    return size * pi * pi *
           Vector3((lambda + 3 * mu) * std::sin(pi * x.x()) * std::sin(pi * x.y()),
                   -(lambda + mu) * std::cos(pi * x.x()) * std::cos(pi * x.y()), 0);
  };
  world.applied_to_controls = Vectors::Zero(3, world.control_count());
  const auto integrate = [&](const World& of, auto&& look) {
    for (const Element& element : of.elements.elements) {
      const ElementGeometry geometry = element_geometry(of.elements, element, of.rest);
      for (const QuadraturePoint& point : triangle_rule(10)) {
        const ElementPoint at = element_point(geometry, point.place);
        look(of.elements.controls_of(element), at, Vector3(geometry.rest * at.value),
             point.weight * at.determinant);
      }
    }
  };
  integrate(world, [&](std::span<const int> controls, const ElementPoint& at, const Vector3& x,
                       double weight) {
    for (std::size_t a = 0; a < controls.size(); ++a)
      world.applied_to_controls.col(controls[a]) += weight * at.value[static_cast<Eigen::Index>(a)] * load(x);
  });
  Settings settings = test::at_rest();
  settings.gravity.setZero();
  settings.solver.tolerance = 1e-9;
  Simulation simulation(std::move(world), settings);
  simulation.step();
  const World& end = simulation.world();
  double sum = 0;
  integrate(end, [&](std::span<const int> controls, const ElementPoint& at, const Vector3& x, double weight) {
    Vector3 u = -Vector3(size * std::sin(pi * x.x()) * std::sin(pi * x.y()), 0, 0);
    for (std::size_t a = 0; a < controls.size(); ++a)
      u += at.value[static_cast<Eigen::Index>(a)] *
           (end.state.position.col(controls[a]) - end.rest.col(controls[a]));
    sum += weight * u.squaredNorm();
  });
  return std::sqrt(sum / thickness) / size;
}

TEST(PlanarSolids, TheErrorFallsByTheOrderPlusOne) {
  for (int order = 1; order <= 4; ++order) {
    const int cells = order < 3 ? 8 : 4;
    const double coarse = displacement_error(order, cells), fine = displacement_error(order, 2 * cells);
    const double rate = std::log2(coarse / fine);
    RecordProperty("order_" + std::to_string(order), std::to_string(rate));
    EXPECT_NEAR(rate, order + 1, 0.35) << "order " << order << ": " << coarse << ", " << fine;
  }
}

TEST(PlanarSolids, ACantileverBendsAsABeam) {
  // A slender one, P L^3 / (3 E' I) with the shear's share; E' = E / (1 - nu^2) in plane strain.
  constexpr double length = 1, height = 0.1, thickness = 0.02, young = 1e8, poisson = 0.3, force = 1;
  for (const bool plane_stress : {false, true}) {
    World world = planar_world(thickness);
    const SolidMesh mesh = raised(triangulated_rectangle({length, height}, {20, 2}), 2);
    add_deformable(world, mesh, solid(ElasticModel::svk, young, poisson, plane_stress),
                   in_plane(thickness, {0.5, 0, 0}));
    for (int k = 0; k < world.control_count(); ++k) {
      if (world.rest(0, k) > 1e-9) continue;
      world.held[k] |= std::abs(world.rest(1, k)) < 1e-9 ? 3 : 1;
    }
    add_traction(world, 0, right_of(1 - 1e-9), Table::constant({0, -force / (height * thickness), 0}));
    Settings settings = test::at_rest();
    settings.solver.tolerance = 1e-5;
    Simulation simulation(std::move(world), settings);
    simulation.step();
    const double modulus = plane_stress ? young : young / (1 - poisson * poisson);
    const double inertia = thickness * std::pow(height, 3) / 12,
                 shear = young / 2.6 * height * thickness * 5 / 6;
    const double expected = force * std::pow(length, 3) / (3 * modulus * inertia) + force * length / shear;
    const double tip = -(simulation.world().state.position - simulation.world().rest).row(1).minCoeff();
    EXPECT_NEAR(tip, expected, 5e-3 * expected) << plane_stress;
  }
}

TEST(PlanarSolids, AHookThatIsPressedTogetherTouchesItselfAndDoesNotPass) {
  for (const int order : {1, 2}) {
    World world = planar_world(1);
    const std::vector<Vector2> hook = {{0, 0},     {1, 0},   {1, 0.2}, {0.2, 0.2},
                                       {0.2, 0.5}, {1, 0.5}, {1, 0.7}, {0, 0.7}};
    add_deformable(world, raised(triangulated_polygon(hook, 0.35), order),
                   solid(ElasticModel::neo_hookean, 1e5, 0.4), in_plane(1));
    hold(world, 0, SelectHalfSpace{{0, 0, 0}, {0, -1, 0}});
    // Twenty times the force that bends the upper arm (of 67 N m^2, 0.9 m long) down by its gap closes it within 0.25 s, and
    // the node that it acts on stays one that a mesh so coarse can carry.
    add_force(world, 0, SelectBox{{0.9, 0.69, 0}, {1.1, 0.71, 0}}, Table::constant({0, -2000, 0}));
    Settings settings;
    settings.gravity.setZero();
    settings.time.step = 0.01;
    Simulation simulation(std::move(world), settings);
    double most = 0;
    for (int step = 0; step < 25; ++step) {
      most = std::max(most, static_cast<double>(simulation.step().contacts));
      const Vectors x = vertex_positions(simulation.world().collision, simulation.world().state.position);
      ASSERT_TRUE(find_intersections(simulation.world().collision, x).empty()) << step;
      ASSERT_TRUE(x.row(2).isZero(0));
    }
    EXPECT_GT(most, 0) << "it never closed";
  }
}

}  // namespace
}  // namespace bulwark
