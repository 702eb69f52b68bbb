// Elements of every order against fields that are known: states of constant strain, and a smooth displacement whose
// error in L2 must fall by the order of the element plus one.
#include <bulwark/bodies/element_geometry.hpp>
#include <bulwark/geometry/hexahedral_box.hpp>
#include <bulwark/terms/elasticity.hpp>

#include <gtest/gtest.h>

#include <terms/rest_problem.hpp>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <random>

namespace bulwark {
namespace {

/// The unit cube in tetrahedra or hexahedra; inner corners a little out of place.
SolidMesh cube(CellShape shape, int cells, int order, bool irregular) {
  SolidMesh mesh = hexahedral_box(Vector3::Ones(), {cells, cells, cells}, 1);
  mesh.vertices.array() += 0.5;
  if (irregular) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> shake(-0.1 / cells, 0.1 / cells);
    for (Eigen::Index v = 0; v < mesh.vertices.cols(); ++v) {
      const Vector3 x = mesh.vertices.col(v);
      if (x.minCoeff() < 1e-9 || x.maxCoeff() > 1 - 1e-9) continue;
      mesh.vertices.col(v) += Vector3(shake(random), shake(random), shake(random));
    }
  }
  if (shape == CellShape::hexahedron) return order == 1 ? mesh : raised(mesh, order);
  // Six tetrahedra around the diagonal of each cell.
  constexpr int six[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6},
                             {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};
  TetMesh tetrahedra;
  tetrahedra.vertices = mesh.vertices;
  for (int c = 0; c < mesh.cell_count(); ++c) {
    for (const auto& t : six)
      tetrahedra.tetrahedra.push_back(
          {mesh.cell(c)[t[0]], mesh.cell(c)[t[1]], mesh.cell(c)[t[2]], mesh.cell(c)[t[3]]});
  }
  const SolidMesh solid = as_solid_mesh(tetrahedra);
  return order == 1 ? solid : raised(solid, order);
}

ElementTable table_of(const SolidMesh& mesh, const ElasticMaterial& material) {
  ElementTable table;
  table.materials.push_back(material);
  for (int c = 0; c < mesh.cell_count(); ++c) table.add(element_type(mesh.shape, mesh.order), mesh.cell(c));
  return table;
}

bool on_boundary(const Vector3& x) {
  return x.minCoeff() < 1e-9 || x.maxCoeff() > 1 - 1e-9;
}

struct Kind {
  CellShape shape;
  int order;
};

class EveryOrder : public testing::TestWithParam<Kind> {};

TEST_P(EveryOrder, CarriesAConstantStrainWithoutInnerForces) {
  const auto [shape, order] = GetParam();
  const SolidMesh mesh = cube(shape, 2, order, true);
  const Matrix3 F = (Matrix3() << 1.1, 0.2, 0, -0.1, 0.9, 0.1, 0.05, 0, 1.2).finished();
  for (const ElasticModel model :
       {ElasticModel::neo_hookean, ElasticModel::svk, ElasticModel::fixed_corotational,
        ElasticModel::linear_elastic, ElasticModel::mooney_rivlin}) {
    ElasticMaterial material;
    material.model = model;
    material.c10 = 1e5;
    material.c01 = 5e4;
    material.bulk = 1e6;
    const auto term = make_elasticity(element_type(shape, order), table_of(mesh, material), mesh.vertices);
    const Vectors q = F * mesh.vertices;
    Vectors gradient = Vectors::Zero(3, q.cols());
    term->add_gradient(q, gradient);
    double inner = 0, outer = 0;
    for (Eigen::Index v = 0; v < q.cols(); ++v) {
      double& largest = on_boundary(mesh.vertices.col(v)) ? outer : inner;
      largest = std::max(largest, gradient.col(v).norm());
    }
    EXPECT_LT(inner, 1e-12 * outer + 1e-9) << static_cast<int>(model);
    EXPECT_GT(outer, 1e3);
    std::vector<double> stress(mesh.cell_count());
    term->write_stress(q, stress);
    for (const double value : stress) EXPECT_NEAR(value, stress[0], 1e-9 * stress[0]);
  }
}

/// u = amplitude * (sin(pi x) cos(pi y) cos(pi z), ..), with the volume forces that hold it.
Vector3 wanted(const Vector3& x) {
  constexpr double pi = std::numbers::pi;
  const Vector3 s(std::sin(pi * x[0]), std::sin(pi * x[1]), std::sin(pi * x[2]));
  const Vector3 c(std::cos(pi * x[0]), std::cos(pi * x[1]), std::cos(pi * x[2]));
  return {s[0] * c[1] * c[2], 0.5 * c[0] * s[1] * c[2], -0.3 * c[0] * c[1] * s[2]};
}

/// -div sigma(u): each component is an eigenfunction of the Laplacian (-3 pi^2), and the gradient of div u is known.
Vector3 body_force(const Vector3& x, const LameConstants& m) {
  constexpr double pi = std::numbers::pi;
  const Vector3 s(std::sin(pi * x[0]), std::sin(pi * x[1]), std::sin(pi * x[2]));
  const Vector3 c(std::cos(pi * x[0]), std::cos(pi * x[1]), std::cos(pi * x[2]));
  const double sum = 1 + 0.5 - 0.3;  // div u = pi sum c0 c1 c2
  const Vector3 gradient =
      -pi * pi * sum * Vector3(s[0] * c[1] * c[2], c[0] * s[1] * c[2], c[0] * c[1] * s[2]);
  return 3 * pi * pi * m.mu * wanted(x) - (m.mu + m.lambda) * gradient;
}

double l2_error(CellShape shape, int order, int cells) {
  const SolidMesh mesh = cube(shape, cells, order, true);
  ElasticMaterial material;
  material.model = ElasticModel::linear_elastic;
  material.young = 1;
  material.poisson = 0.3;
  const LameConstants lame = lame_constants(material.young, material.poisson);
  test::RestProblem problem(table_of(mesh, material), mesh.vertices);
  const QuadratureRule rule = mass_rule(element_type(shape, order));
  problem.over(rule, [&](std::span<const int> controls, const Vector3& x, const VectorX& s, double volume) {
    const Vector3 f = volume * body_force(x, lame);
    for (std::size_t a = 0; a < controls.size(); ++a)
      problem.force.col(controls[a]) += s[static_cast<Eigen::Index>(a)] * f;
  });
  for (int v = 0; v < static_cast<int>(mesh.vertices.cols()); ++v) {
    if (on_boundary(mesh.vertices.col(v))) problem.hold(v, wanted(mesh.vertices.col(v)));
  }
  const Vectors u = problem.solve();
  double squared = 0;
  problem.over(rule, [&](std::span<const int> controls, const Vector3& x, const VectorX& s, double volume) {
    squared += volume * (test::value_at(u, controls, s) - wanted(x)).squaredNorm();
  });
  return std::sqrt(squared);
}

TEST_P(EveryOrder, ConvergesInL2ByItsOrderPlusOne) {
  const auto [shape, order] = GetParam();
  const int coarse = order == 1   ? 5
                     : order == 2 ? 3
                                  : 2,
            fine = order == 1   ? 10
                   : order == 2 ? 6
                   : order == 3 ? 4
                                : 3;
  const double first = l2_error(shape, order, coarse), second = l2_error(shape, order, fine);
  const double rate = test::order_of(first, second, static_cast<double>(fine) / coarse);
  RecordProperty("rate", std::to_string(rate));
  std::printf("[ order %d: errors %.3e, %.3e, rate %.2f ]\n", order, first, second, rate);
  EXPECT_GT(rate, order + 1 - 0.25);
  EXPECT_LT(second, 2e-2);
}

constexpr Kind kinds[] = {{CellShape::tetrahedron, 1}, {CellShape::tetrahedron, 2},
                          {CellShape::tetrahedron, 3}, {CellShape::tetrahedron, 4},
                          {CellShape::hexahedron, 1},  {CellShape::hexahedron, 2}};

std::string name_of(const testing::TestParamInfo<Kind>& kind) {
  return (kind.param.shape == CellShape::tetrahedron ? "Tetrahedra" : "Hexahedra") +
         std::to_string(kind.param.order);
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryOrder, testing::ValuesIn(kinds), name_of);

}  // namespace
}  // namespace bulwark
