// Elements keep a positive volume at every point, whatever their material.
#include <bulwark/bodies/element_geometry.hpp>
#include <bulwark/geometry/hexahedral_box.hpp>
#include <bulwark/sim/simulation.hpp>

#include <gtest/gtest.h>
#include <Eigen/LU>

#include <sim/jointed_world.hpp>

#include <algorithm>
#include <string>

namespace bulwark {
namespace {

ElasticMaterial material_of(ElasticModel model) {
  ElasticMaterial m;
  m.model = model;
  m.young = 1e5;
  m.poisson = 0.3;
  m.youngs = {1e5, 2e5, 1e5};
  m.poissons = {0.3, 0.3, 0.3};
  m.shears = {4e4, 4e4, 4e4};
  return m;
}

/// The smallest volume of any element over its volume at rest, at points on all of it.
double smallest_volume(const World& world) {
  constexpr int parts = 6;
  double smallest = 1e300;
  const ElementTable& table = world.elements;
  for (const Element& element : table.elements) {
    const ElementGeometry geometry = element_geometry(table, element, world.rest);
    const auto controls = table.controls_of(element);
    Vectors x(3, controls.size());
    for (std::size_t a = 0; a < controls.size(); ++a)
      x.col(static_cast<Eigen::Index>(a)) = world.state.position.col(controls[a]);
    const auto cell = lagrange_cell(element.type);
    for (int i = 0; i <= parts; ++i) {
      for (int j = 0; j <= parts; ++j) {
        for (int k = 0; k <= parts; ++k) {
          if (cell && cell->shape == CellShape::tetrahedron && i + j + k > parts) continue;
          Vector3 parent = Vector3(i, j, k) / parts;
          if (!cell) parent = 2 * parent - Vector3::Ones();
          const Vectors gradient = geometry.functions(parent).gradient;
          const Matrix3 now = x * gradient.transpose(), rest = geometry.rest * gradient.transpose();
          smallest = std::min(smallest, now.determinant() / rest.determinant());
        }
      }
    }
  }
  return smallest;
}

/// Of a cube of 0.1 m that a plane presses down to `left` of its height: the smallest volume in any state, the height at
/// the end, and all iterations.
struct Crushed {
  double volume = 1, height = 0;
  int iterations = 0;
};

Crushed crush(const SolidMesh& mesh, const ElasticMaterial& material, double left, int steps, double friction,
              Vectors* end = nullptr, int threads = 2) {
  World world;
  const int cube = add_deformable(world, mesh, material, named("cube", {0, 0.0501, 0}), MassKind::consistent);
  add_plane(world, {0, 0, 0}, {0, 1, 0}, named("below", {0, 0, 0}));
  Motion down;
  const double time = 0.5;
  down.linear_velocity = {0, -(0.1002 - 0.1 * left) / time, 0};
  add_plane(world, {0, 0, 0}, {0, -1, 0}, named("above", {0, 0.1002, 0}), down);
  Settings settings;
  settings.gravity.setZero();
  settings.time.step = time / steps;
  settings.time.steps = steps;
  settings.contact.distance = {1e-4, false};
  settings.contact.friction = friction;
  settings.solver.threads = threads;
  Simulation simulation(std::move(world), settings);
  Crushed result;
  for (int i = 0; i < steps; ++i) {
    result.iterations += simulation.step().iterations();
    result.volume = std::min(result.volume, smallest_volume(simulation.world()));
  }
  const World& now = simulation.world();
  const Vectors positions = vertex_positions(now.collision, now.state.position);
  const auto of_cube = positions.leftCols(now.bodies[cube].vertex_count);
  result.height = of_cube.row(1).maxCoeff() - of_cube.row(1).minCoeff();
  if (end != nullptr) *end = now.state.position;
  return result;
}

SolidMesh tetrahedral_cube(int order) {
  return raised(as_solid_mesh(solid_mesh(BoxShape{{0.1, 0.1, 0.1}}, 0.1)), order);
}

TEST(Inversion, ACrushedCubeOfQuadraticTetrahedraKeepsAPositiveVolumeEverywhere) {
  for (const ElasticModel model : {ElasticModel::svk, ElasticModel::fixed_corotational,
                                   ElasticModel::linear_elastic, ElasticModel::orthotropic}) {
    const Crushed found = crush(tetrahedral_cube(2), material_of(model), 0.05, 25, 0.5);
    EXPECT_GT(found.volume, 0) << static_cast<int>(model);
    EXPECT_LT(found.height, 0.00501) << static_cast<int>(model);
    std::printf("[ model %d: volume %.4g, iterations %d ]\n", static_cast<int>(model), found.volume,
                found.iterations);
  }
}

TEST(Inversion, SoDoHexahedraAndTetrahedraOfAnyOrder) {
  const ElasticMaterial svk = material_of(ElasticModel::svk);
  EXPECT_GT(crush(hexahedral_box({0.1, 0.1, 0.1}, {1, 1, 1}, 1), svk, 0.05, 25, 0.5).volume, 0);
  EXPECT_GT(crush(hexahedral_box({0.1, 0.1, 0.1}, {1, 1, 1}, 2), svk, 0.05, 25, 0.5).volume, 0);
  EXPECT_GT(crush(tetrahedral_cube(3), svk, 0.05, 25, 0.5).volume, 0);
  ElasticMaterial wanted = svk;
  wanted.prevent_inversion = true;
  EXPECT_GT(crush(tetrahedral_cube(1), wanted, 0.05, 25, 0.5).volume, 0);
}

TEST(Inversion, WithoutPreventionTheSameCubeInverts) {
  ElasticMaterial svk = material_of(ElasticModel::svk);
  svk.prevent_inversion = false;
  EXPECT_LT(crush(tetrahedral_cube(2), svk, 0.05, 25, 0.5).volume, 0);
}

TEST(Inversion, NothingChangesWhereATenthOfTheVolumeIsLeft) {
  ElasticMaterial svk = material_of(ElasticModel::svk);
  Vectors with, without;
  crush(tetrahedral_cube(2), svk, 0.8, 5, 0, &with);
  svk.prevent_inversion = false;
  crush(tetrahedral_cube(2), svk, 0.8, 5, 0, &without);
  EXPECT_EQ(with, without);
}

TEST(Inversion, IsPreventedAlikeOnAnyNumberOfThreads) {
  Vectors one, three;
  crush(tetrahedral_cube(2), material_of(ElasticModel::svk), 0.05, 10, 0.5, &one, 1);
  crush(tetrahedral_cube(2), material_of(ElasticModel::svk), 0.05, 10, 0.5, &three, 3);
  EXPECT_EQ(one, three);
}

}  // namespace
}  // namespace bulwark
