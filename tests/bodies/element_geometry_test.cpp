// Elements of every kind at rest: shape functions, rules, mass, rigid motions and steps that keep them positive.
#include <bulwark/bodies/ancf_body.hpp>
#include <bulwark/bodies/deformable_body.hpp>
#include <bulwark/bodies/element_geometry.hpp>
#include <bulwark/bodies/element_inversion.hpp>
#include <bulwark/math/quadrature.hpp>
#include <bulwark/terms/elasticity.hpp>

#include <gtest/gtest.h>

#include <array>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>
#include <random>

namespace bulwark {
namespace {

double factorial(int n) {
  return n < 2 ? 1 : n * factorial(n - 1);
}

TEST(Quadrature, IsExactToItsDegreeWithPositiveWeights) {
  for (const int degree : {1, 2, 3, 4, 5, 6, 7, 9, 12}) {
    const QuadratureRule rule = tetrahedron_rule(degree);
    for (const QuadraturePoint& point : rule) EXPECT_GT(point.weight, 0);
    for (int i = 0; i <= degree; ++i) {
      for (int j = 0; i + j <= degree; ++j) {
        for (int k = 0; i + j + k <= degree; ++k) {
          double sum = 0;
          for (const QuadraturePoint& p : rule)
            sum += p.weight * std::pow(p.place[0], i) * std::pow(p.place[1], j) * std::pow(p.place[2], k);
          EXPECT_NEAR(sum, factorial(i) * factorial(j) * factorial(k) / factorial(i + j + k + 3), 1e-15)
              << degree << ": " << i << " " << j << " " << k;
        }
      }
    }
  }
  for (int count = 1; count <= 10; ++count) {
    for (int power = 0; power < 2 * count; ++power) {
      double sum = 0;
      for (const QuadraturePoint& p : interval_rule(count)) sum += p.weight * std::pow(p.place[0], power);
      EXPECT_NEAR(sum, power % 2 == 0 ? 2.0 / (power + 1) : 0, 1e-14);
    }
  }
}

/// One element of a type: its table with a material, and its controls at rest, somewhat irregular.
struct OneElement {
  ElementTable table;
  Vectors rest;
  ElementGeometry geometry() const { return element_geometry(table, table.elements[0], rest); }
};

ElasticMaterial some_material(ElasticModel model) {
  ElasticMaterial m;
  m.model = model;
  m.density = 700;
  m.young = 1e5;
  m.poisson = 0.3;
  m.c10 = 1e4;
  m.c01 = 2e4;
  m.bulk = 1e5;
  m.youngs = {1e5, 2e5, 0.5e5};
  m.poissons = {0.2, 0.25, 0.3};
  m.shears = {4e4, 3e4, 5e4};
  m.width = 0.2;
  m.height = 0.1;
  return m;
}

OneElement one_element(ElementType type, ElasticModel model = ElasticModel::neo_hookean, bool curved = true) {
  OneElement one;
  one.table.materials.push_back(some_material(model));
  std::mt19937 random(7);
  std::uniform_real_distribution<double> shake(-0.02, 0.02);
  std::vector<int> controls;
  if (const auto cell = lagrange_cell(type)) {
    const auto lattice = lattice_nodes(cell->shape, cell->order);
    one.rest.resize(3, static_cast<Eigen::Index>(lattice.size()));
    const Matrix3 shape = (Matrix3() << 1.1, 0.2, 0.1, -0.1, 0.9, 0.2, 0.1, -0.2, 1.3).finished();
    for (std::size_t a = 0; a < lattice.size(); ++a) {
      Vector3 place = Vector3(lattice[a][0], lattice[a][1], lattice[a][2]) / cell->order;
      if (curved) place += Vector3(shake(random), shake(random), shake(random)) / cell->order;
      one.rest.col(static_cast<Eigen::Index>(a)) = shape * place;
      controls.push_back(static_cast<int>(a));
    }
    if (cell->shape == CellShape::triangle) one.rest.row(2).setZero();
  } else {
    SurfaceMesh line;
    line.vertices.resize(3, 2);
    line.vertices << 0.1, 1.2, 0, 0.3, 0, 0.2;
    line.edges = {{0, 1}};
    const AncfMesh mesh = type == ElementType::ancf_beam
                              ? ancf_beam_mesh(line, Vector3::Zero(), "beam")
                              : (curved ? ancf_cylinder(2, 1, 0.5, 1, 1) : ancf_plate(1, 0.8, 1, 1));
    const int nodes = static_cast<int>(mesh.nodes.cols());
    one.rest.resize(3, mesh.nodes.cols() + mesh.slopes.cols());
    one.rest << mesh.nodes, mesh.slopes;
    controls = mesh.elements;
    for (const int node : mesh.elements) {
      for (int k = 0; k < 3; ++k) controls.push_back(nodes + 3 * node + k);
    }
  }
  one.table.add(type, controls);
  return one;
}

class EveryElement : public testing::TestWithParam<ElementType> {};

TEST_P(EveryElement, HasShapeFunctionsThatAddUpToOneAndKnowTheirSlopes) {
  const ElementGeometry geometry = one_element(GetParam()).geometry();
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-0.3, 0.6);
  for (int trial = 0; trial < 20; ++trial) {
    const Vector3 parent(uniform(random), uniform(random), uniform(random));
    const ShapeFunctions f = geometry.functions(parent);
    EXPECT_NEAR(f.value.head(geometry.node_count()).sum(), 1, 1e-12);
    constexpr double step = 1e-6;
    for (int axis = 0; axis < 3; ++axis) {
      const Vector3 shift = step * Vector3::Unit(axis);
      const VectorX change =
          (geometry.functions(parent + shift).value - geometry.functions(parent - shift).value) / (2 * step);
      EXPECT_LT((change - f.gradient.row(axis).transpose()).norm(), 1e-7);
    }
  }
}

TEST_P(EveryElement, IsOneAtItsOwnNode) {
  const auto cell = lagrange_cell(GetParam());
  if (!cell) return;
  const auto lattice = lattice_nodes(cell->shape, cell->order);
  for (std::size_t a = 0; a < lattice.size(); ++a) {
    const Vector3 place = Vector3(lattice[a][0], lattice[a][1], lattice[a][2]) / cell->order;
    const VectorX value = lagrange_functions(cell->shape, cell->order, place).value;
    for (std::size_t b = 0; b < lattice.size(); ++b)
      EXPECT_NEAR(value[static_cast<Eigen::Index>(b)], a == b ? 1 : 0, 1e-13);
  }
}

TEST_P(EveryElement, HasAPositiveDefiniteMassOfItsVolume) {
  const OneElement one = one_element(GetParam());
  std::vector<Eigen::Triplet<double>> entries;
  const ElementGeometry geometry = one.geometry();
  add_element_mass(geometry, one.table.controls_of(one.table.elements[0]), 700, entries);
  MatrixX mass = MatrixX::Zero(one.rest.cols(), one.rest.cols());
  for (const auto& entry : entries) mass(entry.row(), entry.col()) += entry.value();
  const VectorX eigenvalues = Eigen::SelfAdjointEigenSolver<MatrixX>(mass).eigenvalues();
  EXPECT_GT(eigenvalues.minCoeff(), 1e-7 * eigenvalues.maxCoeff());
  double volume = 0;
  for (const EnergyPoint& point :
       energy_rule(GetParam(), some_material(ElasticModel::neo_hookean), is_curved(geometry)))
    volume += point.weight * element_point(geometry, point.parent).determinant;
  EXPECT_NEAR(mass.topLeftCorner(geometry.node_count(), geometry.node_count()).sum(), 700 * volume,
              700 * 2e-3 * volume);
}

TEST_P(EveryElement, KnowsSixRigidMotionsAndNoOther) {
  for (const ElasticModel model : {ElasticModel::neo_hookean, ElasticModel::svk, ElasticModel::mooney_rivlin,
                                   ElasticModel::orthotropic, ElasticModel::fixed_corotational}) {
    const OneElement one = one_element(GetParam(), model);
    const auto term = make_elasticity(GetParam(), one.table, one.rest);
    // Turned and shifted as a whole it has no energy and no forces.
    const Matrix3 turn = Eigen::AngleAxisd(1.1, Vector3(1, 2, -1).normalized()).toRotationMatrix();
    Vectors q = turn * one.rest;
    const auto controls = one.table.controls_of(one.table.elements[0]);
    for (int a = 0; a < shape_of(GetParam()).nodes; ++a) q.col(controls[a]) += Vector3(100, 20, -3);
    Vectors gradient = Vectors::Zero(3, q.cols());
    term->add_gradient(q, gradient);
    EXPECT_LT(gradient.norm(), 1e5 * 1e-11);
    EXPECT_LT(term->energy(q), 1e-12);
    HessianBlocks blocks;
    term->hessian(one.rest, HessianModel::exact(), BlockMap{}, blocks);
    MatrixX h = MatrixX::Zero(3 * q.cols(), 3 * q.cols());
    for (std::size_t k = 0; k < blocks.controls.key.size(); ++k) {
      const auto row = static_cast<Eigen::Index>(blocks.controls.key[k] >> 32),
                 column = static_cast<Eigen::Index>(blocks.controls.key[k] & 0xffffffffu);
      h.block<3, 3>(3 * row, 3 * column) += blocks.controls.value[k];
      if (row != column) h.block<3, 3>(3 * column, 3 * row) += blocks.controls.value[k].transpose();
    }
    const VectorX eigenvalues = Eigen::SelfAdjointEigenSolver<MatrixX>(h).eigenvalues();
    EXPECT_LT(std::abs(eigenvalues[5]), 1e-9 * eigenvalues.maxCoeff());
    EXPECT_LT(std::abs(eigenvalues[0]), 1e-9 * eigenvalues.maxCoeff());
    EXPECT_GT(eigenvalues[6], 1e-9 * eigenvalues.maxCoeff()) << "model " << static_cast<int>(model);
  }
}

TEST_P(EveryElement, FindsItsOwnPoints) {
  const ElementGeometry geometry = one_element(GetParam()).geometry();
  for (const Vector3& parent : {Vector3(0.2, 0.3, 0.1), Vector3(0.05, 0.1, 0.6), Vector3(0.7, 0.1, 0.15)}) {
    const ParentPlace place = parent_place(geometry, geometry.rest * geometry.functions(parent).value);
    EXPECT_LT((place.parent - parent).norm(), 1e-9);
  }
}

TEST_P(EveryElement, StopsBeforeAnyPointOfItInverts) {
  const ElementGeometry geometry = one_element(GetParam()).geometry();
  EXPECT_TRUE(is_positive(geometry));
  std::mt19937 random(11);
  std::normal_distribution<double> normal(0, 0.3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int trial = 0; trial < 20; ++trial) {
    const Vectors p = Vectors::NullaryExpr(3, geometry.rest.cols(), [&] { return normal(random); });
    const double step = largest_positive_step(geometry, geometry.rest, p, 0.2);
    EXPECT_GT(step, 0);
    double smallest = 1e300, next = 1e300;
    for (int sample = 0; sample < 5000; ++sample) {
      Vector3 parent(uniform(random), uniform(random), uniform(random));
      if (!is_ancf(GetParam())) parent = parent.cwiseAbs();
      if (outside_by(GetParam(), parent) > 0) continue;
      const Vectors gradient = geometry.functions(parent).gradient;
      const auto volume = [&](double t) {
        return determinant((geometry.rest + t * p) * gradient.transpose());
      };
      for (const double part : {0.25, 0.5, 0.75, 1.0})
        smallest = std::min(smallest, volume(part * step) / volume(0));
      next = std::min(next, volume(std::min(1.0, 3 * step)) / volume(0));
    }
    EXPECT_GE(smallest, 0.2 - 1e-9);
    if (step < 1) {
      EXPECT_LT(next, 0.9);  // not for nothing
    }
  }
}

TEST(CurvedElements, ThatAreInsideOutSomewhereAreNotPositive) {
  OneElement one = one_element(ElementType::tetrahedron_2, ElasticModel::neo_hookean, false);
  EXPECT_TRUE(is_positive(one.geometry()));
  one.rest.col(4) += 0.5 * (one.rest.col(0) - one.rest.col(1)) + 0.3 * (one.rest.col(3) - one.rest.col(0));
  EXPECT_FALSE(is_positive(one.geometry()));
}

std::string name_of(const testing::TestParamInfo<ElementType>& type) {
  constexpr const char* names[] = {"T4", "T10", "T20", "T35", "H8", "H27", "Ancf3243", "Ancf3443"};
  return names[type.index];
}

constexpr std::array<ElementType, 8> types_in_space = {ElementType::tetrahedron,   ElementType::tetrahedron_2,
                                                       ElementType::tetrahedron_3, ElementType::tetrahedron_4,
                                                       ElementType::hexahedron,    ElementType::hexahedron_2,
                                                       ElementType::ancf_beam,     ElementType::ancf_shell};
INSTANTIATE_TEST_SUITE_P(Types, EveryElement, testing::ValuesIn(types_in_space), name_of);

TEST(TrianglesInAPlane, HaveTheMassOfTheirAreaAndNoForcesWhereTheyAreTurned) {
  for (const ElementType type :
       {ElementType::triangle, ElementType::triangle_2, ElementType::triangle_3, ElementType::triangle_4}) {
    for (const ElasticModel model :
         {ElasticModel::neo_hookean, ElasticModel::svk, ElasticModel::fixed_corotational}) {
      const OneElement one = one_element(type, model);
      const ElementGeometry geometry = one.geometry();
      std::vector<Eigen::Triplet<double>> entries;
      add_element_mass(geometry, one.table.controls_of(one.table.elements[0]), 700, entries);
      double mass = 0, volume = 0;
      for (const auto& entry : entries) mass += entry.value();
      for (const EnergyPoint& point : energy_rule(type, some_material(model), false))
        volume += point.weight * element_point(geometry, point.parent).determinant;
      EXPECT_NEAR(mass, 700 * volume, 700 * 2e-3 * volume);
      EXPECT_NEAR(volume, 0.5 * 1.01, 0.1);
      const auto term = make_elasticity(type, one.table, one.rest);
      const Matrix3 turn = Eigen::AngleAxisd(1.1, Vector3::UnitZ()).toRotationMatrix();
      const Vectors q = (turn * one.rest).colwise() + Vector3(100, 20, 0);
      Vectors gradient = Vectors::Zero(3, q.cols());
      term->add_gradient(q, gradient);
      EXPECT_LT(gradient.norm(), 1e5 * 1e-11);
      EXPECT_LT(term->energy(q), 1e-12);
    }
  }
}

}  // namespace
}  // namespace bulwark
