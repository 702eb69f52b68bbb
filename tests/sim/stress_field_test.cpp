// Stress and strain at nodes and surface vertices, against closed forms.
#include <bulwark/base/parallel.hpp>
#include <bulwark/geometry/hexahedral_box.hpp>
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/body_nodes.hpp>
#include <bulwark/sim/simulation.hpp>
#include <bulwark/sim/stress_field.hpp>

#include <gtest/gtest.h>

#include <sim/jointed_world.hpp>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>
#include <string>

namespace bulwark {
namespace {

ElasticMaterial stress_material(ElasticModel model, double young, double poisson) {
  ElasticMaterial m;
  m.model = model;
  m.young = young;
  m.poisson = poisson;
  m.width = 0.2;
  m.height = 0.1;
  return m;
}

struct SolidKind {
  std::string name;
  std::function<int(World&, const ElasticMaterial&)> add;
  double volume;
};

std::vector<SolidKind> lagrange_kinds() {
  std::vector<SolidKind> kinds;
  for (int order = 1; order <= 4; ++order) {
    for (const int cuts : {0, 3}) {
      kinds.push_back(
          {"tetrahedra " + std::to_string(order),
           [=](World& world, const ElasticMaterial& m) {
             const SolidMesh mesh = raised(as_solid_mesh(solid_mesh(BoxShape{{1, 0.5, 0.4}}, 0.5)), order);
             return add_deformable(world, mesh, m, named("bar", {0.3, 0, 0}), MassKind::lumped, {cuts, {}});
           },
           0.2});
    }
  }
  for (const int order : {1, 2}) {
    kinds.push_back({"hexahedra " + std::to_string(order),
                     [=](World& world, const ElasticMaterial& m) {
                       return add_deformable(world, hexahedral_box({1, 0.5, 0.4}, {2, 2, 1}, order), m,
                                             named("bar", {0.3, 0, 0}), MassKind::lumped, {5, {}});
                     },
                     0.2});
  }
  return kinds;
}

std::vector<SolidKind> all_solid_kinds() {
  std::vector<SolidKind> kinds = lagrange_kinds();
  kinds.push_back({"ANCF beam",
                   [](World& world, const ElasticMaterial& m) {
                     SurfaceMesh line;
                     line.vertices.resize(3, 3);
                     line.vertices << 0, 0.5, 1, 0, 0, 0, 0, 0, 0;
                     line.edges = {{0, 1}, {1, 2}};
                     return add_ancf(world, ancf_beam_mesh(line, Vector3::UnitZ(), "bar"), m,
                                     named("bar", {0, 0, 0}));
                   },
                   0.02});
  kinds.push_back({"ANCF shell",
                   [](World& world, const ElasticMaterial& m) {
                     return add_ancf(world, ancf_plate(1, 0.6, 2, 2), m, named("bar", {0, 0, 0}));
                   },
                   0.06});
  return kinds;
}

struct Expected {
  Matrix3 cauchy, second, strain;
  double energy_density;
};

/// What every node and vertex of the body has when all of it is stretched by F.
void expect_uniform(const SolidKind& kind, const ElasticMaterial& material, const Matrix3& F,
                    const Expected& expected) {
  World world;
  const int number = kind.add(world, material);
  const StressField field = stress_field(world, F * world.rest);
  const Body& body = world.bodies[number];
  const double scale = expected.second.norm();
  const auto expect_at = [&](int column) {
    EXPECT_LT((matrix_of(field.cauchy.col(column)) - expected.cauchy).norm(), 1e-9 * scale) << kind.name;
    EXPECT_LT((matrix_of(field.second.col(column)) - expected.second).norm(), 1e-9 * scale) << kind.name;
    EXPECT_LT((matrix_of(field.strain.col(column)) - expected.strain).norm(), 1e-9 * expected.strain.norm());
    EXPECT_NEAR(field.energy_density[column], expected.energy_density, 1e-9 * expected.energy_density)
        << kind.name;
  };
  for (int i = 0; i < body.point_count; ++i) expect_at(body.first_control + i);
  for (int v = 0; v < body.vertex_count; ++v) expect_at(world.control_count() + body.first_vertex + v);

  const IntegrationPoints points = integration_points(world, F * world.rest);
  double volume = 0;
  ASSERT_GE(points.count(), body.element_count) << kind.name;
  for (int i = 0; i < points.count(); ++i) {
    EXPECT_LT((matrix_of(points.stress.cauchy.col(i)) - expected.cauchy).norm(), 1e-9 * scale) << kind.name;
    EXPECT_LT((matrix_of(points.stress.strain.col(i)) - expected.strain).norm(),
              1e-9 * expected.strain.norm())
        << kind.name;
    EXPECT_EQ(points.body[i], number);
    EXPECT_GT(points.volume[i], 0);
    volume += points.volume[i];
  }
  EXPECT_EQ(points.element.front(), 0);
  EXPECT_EQ(points.element.back(), body.element_count - 1);
  EXPECT_NEAR(volume, kind.volume, 1e-9 * volume) << kind.name;
  const Vectors at_rest = integration_points(world, world.rest).position;
  EXPECT_LT((points.position - F * at_rest).norm(), 1e-9) << kind.name;
}

TEST(StressField, IsExactInUniaxialTensionOfSaintVenantKirchhoffForAllElements) {
  // S = E E_11 along the bar, nothing across; the bar is turned as a whole after it is stretched.
  const double young = 2e6, poisson = 0.3, strain = 0.08;
  const ElasticMaterial material = stress_material(ElasticModel::svk, young, poisson);
  const Vector3 stretch(std::sqrt(1 + 2 * strain), std::sqrt(1 - 2 * poisson * strain),
                        std::sqrt(1 - 2 * poisson * strain));
  const Matrix3 R = Eigen::AngleAxisd(0.7, Vector3(1, 2, -1).normalized()).toRotationMatrix();
  const Matrix3 F = R * stretch.asDiagonal();
  Expected expected;
  expected.strain = Vector3(strain, -poisson * strain, -poisson * strain).asDiagonal();
  expected.second = Vector3(young * strain, 0, 0).asDiagonal();
  expected.cauchy = F * expected.second * F.transpose() / stretch.prod();
  expected.energy_density = 0.5 * young * strain * strain;
  for (const SolidKind& kind : all_solid_kinds()) expect_uniform(kind, material, F, expected);
}

TEST(StressField, IsExactInSimpleShearOfNeoHookeanForAllElements) {
  // sigma = mu (B - I), J = 1; psi = mu/2 gamma^2.
  const double young = 1e5, poisson = 0.4, gamma = 0.3, mu = young / (2 * (1 + poisson));
  Matrix3 F = Matrix3::Identity();
  F(0, 1) = gamma;
  Expected expected;
  expected.cauchy = mu * (F * F.transpose() - Matrix3::Identity());
  expected.second = mu * (Matrix3::Identity() - (F.transpose() * F).inverse());
  expected.strain = 0.5 * (F.transpose() * F - Matrix3::Identity());
  expected.energy_density = 0.5 * mu * gamma * gamma;
  for (const SolidKind& kind : all_solid_kinds())
    expect_uniform(kind, stress_material(ElasticModel::neo_hookean, young, poisson), F, expected);
}

TEST(StressField, LinearElasticityHasOneStressAndTheSmallStrain) {
  const double young = 3e7, poisson = 0.2, strain = 0.05;
  const Matrix3 F = Vector3(1 + strain, 1 - poisson * strain, 1 - poisson * strain).asDiagonal();
  Expected expected;
  expected.strain = F - Matrix3::Identity();
  expected.cauchy = expected.second = Vector3(young * strain, 0, 0).asDiagonal();
  expected.energy_density = 0.5 * young * strain * strain;
  for (const SolidKind& kind : lagrange_kinds())
    expect_uniform(kind, stress_material(ElasticModel::linear_elastic, young, poisson), F, expected);
}

TEST(StressField, VonMisesAndPrincipalStressesAreThoseOfTheCauchyStress) {
  StressField field;
  field.cauchy.resize(6, 2);
  field.cauchy.col(0) << -3, 5, 1, 0, 0, 0;
  field.cauchy.col(1) << 0, 0, 0, 0, 2, 0;
  EXPECT_LT((field.principal_stresses().col(0) - Vector3(5, 1, -3)).norm(), 1e-14);
  EXPECT_LT((field.principal_stresses().col(1) - Vector3(2, 0, -2)).norm(), 1e-14);
  EXPECT_NEAR(field.von_mises()[0], std::sqrt(0.5 * (64 + 16 + 16)), 1e-13);
  EXPECT_NEAR(field.von_mises()[1], 2 * std::sqrt(3), 1e-13);
}

TEST(StressField, ASteelCantileverHasTheBendingStressOfBeamTheory) {
  World world;
  ElasticMaterial steel = stress_material(ElasticModel::svk, 210e9, 0.3);
  steel.density = 7850;
  const int beam = add_deformable(world, hexahedral_box({1, 0.05, 0.05}, {20, 2, 2}, 2), steel,
                                  named("beam", {0.5, 0, 0}));
  hold(world, beam, SelectHalfSpace{{0, 0, 0}, {-1, 0, 0}});
  add_traction(world, beam, SelectHalfSpace{{1, 0, 0}, {1, 0, 0}}, Table::constant({0, -1000 / 0.0025, 0}));
  Settings settings;
  settings.time.integrator = "static";
  settings.time.step = 1;
  settings.time.steps = 1;
  settings.gravity.setZero();
  Simulation simulation(std::move(world), settings);
  simulation.step();
  const World& bent = simulation.world();
  const StressField field = stress_field(bent, bent.state.position);
  const VectorX von_mises = field.von_mises();
  const double expected = 500 * 0.025 / (std::pow(0.05, 4) / 12);  // M c / I at mid-span
  int seen = 0;
  for (int i = 0; i < bent.control_count(); ++i) {
    const Vector3 X = bent.rest.col(i);
    if (std::abs(X.x() - 0.5) > 1e-9 || std::abs(std::abs(X.y()) - 0.025) > 1e-9) continue;
    ++seen;
    EXPECT_NEAR(field.cauchy(0, i), X.y() > 0 ? expected : -expected, 0.02 * expected);
    EXPECT_NEAR(von_mises[i], expected, 0.02 * expected);
  }
  EXPECT_EQ(seen, 10);

  // Half of what the force does in full is stored (Clapeyron).
  const IntegrationPoints points = integration_points(bent, bent.state.position);
  double energy = 0;
  for (int i = 0; i < points.count(); ++i) energy += points.volume[i] * points.stress.energy_density[i];
  double tip = 0;
  for (int i = 0; i < bent.control_count(); ++i)
    tip = std::min(tip, bent.state.position(1, i) - bent.rest(1, i));
  EXPECT_NEAR(energy, 0.5 * 1000 * -tip, 0.002 * energy);
}

TEST(StressField, AnAncfBeamHasTheBendingStressOnItsOuterSurface) {
  World world;
  ElasticMaterial m = stress_material(ElasticModel::svk, 1e7, 0.3);
  m.width = 0.1;
  m.height = 0.05;
  SurfaceMesh line;
  line.vertices = Vectors::Zero(3, 17);
  for (int k = 0; k <= 16; ++k) line.vertices(0, k) = k / 8.0;
  for (int k = 0; k < 16; ++k) line.edges.push_back({k, k + 1});
  const int beam =
      add_ancf(world, ancf_beam_mesh(line, Vector3::UnitZ(), "beam"), m, named("beam", {0, 0, 0}));
  hold(world, beam, SelectHalfSpace{{0, 0, 0}, {-1, 0, 0}});
  add_force(world, beam, SelectHalfSpace{{2, 0, 0}, {1, 0, 0}}, Table::constant({0, 0.01, 0}));
  Settings settings;
  settings.time.integrator = "static";
  settings.time.step = 1;
  settings.time.steps = 1;
  settings.gravity.setZero();
  Simulation simulation(std::move(world), settings);
  simulation.step();
  const World& bent = simulation.world();
  const StressField field = stress_field(bent, bent.state.position);
  const double expected = 0.01 * 0.025 / (0.1 * std::pow(0.05, 3) / 12);  // M c / I at mid-span
  int seen = 0;
  for (int v = 0; v < bent.collision.vertex_count(); ++v) {
    const Vector3 X = bent.collision.rest.col(v);
    if (std::abs(X.x() - 1) > 1e-9) continue;
    ++seen;
    EXPECT_NEAR(field.cauchy(0, bent.control_count() + v), X.y() < 0 ? expected : -expected, 0.03 * expected);
  }
  EXPECT_EQ(seen, 4);
}

TEST(StressField, HasTheSameBitsOnAnyNumberOfThreads) {
  for (const SolidKind& kind : all_solid_kinds()) {
    World world;
    kind.add(world, stress_material(ElasticModel::svk, 1e6, 0.3));
    Vectors q = world.rest;
    for (Eigen::Index i = 0; i < q.cols(); ++i) q(1, i) += 0.05 * std::sin(3 * q(0, i));
    std::vector<StressField> fields;
    std::vector<IntegrationPoints> points;
    for (const int threads : {1, 4}) {
      const ThreadScope scope(threads);
      fields.push_back(stress_field(world, q));
      points.push_back(integration_points(world, q));
    }
    EXPECT_EQ(points[0].stress.cauchy, points[1].stress.cauchy) << kind.name;
    EXPECT_EQ(points[0].position, points[1].position) << kind.name;
    EXPECT_EQ(fields[0].cauchy, fields[1].cauchy) << kind.name;
    EXPECT_EQ(fields[0].energy_density, fields[1].energy_density) << kind.name;
  }
}

TEST(StressField, IsFiniteWhereAnElementIsFlat) {
  for (const SolidKind& kind : all_solid_kinds()) {
    World world;
    kind.add(world, stress_material(ElasticModel::svk, 1e6, 0.3));
    Vectors q = world.rest;
    q.row(1).setZero();
    const StressField field = stress_field(world, q);
    EXPECT_TRUE(field.cauchy.allFinite() && field.second.allFinite() && field.energy_density.allFinite())
        << kind.name;
    const IntegrationPoints points = integration_points(world, q);
    EXPECT_TRUE(points.stress.cauchy.allFinite() && points.stress.second.allFinite()) << kind.name;
  }
}

TEST(StressField, AWorldWithoutSolidsHasNoIntegrationPoints) {
  World world;
  add_obstacle(world, surface_mesh(BoxShape{{1, 1, 1}}), named("wall", {0, 0, 0}));
  EXPECT_EQ(integration_points(world, world.rest).count(), 0);
}

}  // namespace
}  // namespace bulwark
