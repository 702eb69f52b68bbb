// The terms of shells and rods as wholes: derivatives, patch tests, frames.
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/world.hpp>
#include <bulwark/terms/rods.hpp>
#include <bulwark/terms/shells.hpp>
#include <bulwark/terms/springs.hpp>

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <random>

namespace bulwark {
namespace {

Vectors shaken(const Vectors& q, int columns, double size) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-size, size);
  Vectors result = q;
  for (int i = 0; i < columns; ++i)
    result.col(i) += Vector3(uniform(random), uniform(random), uniform(random));
  return result;
}

MatrixX dense(const HessianBlocks& blocks, Eigen::Index controls) {
  MatrixX h = MatrixX::Zero(3 * controls, 3 * controls);
  for (std::size_t k = 0; k < blocks.controls.key.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(blocks.controls.key[k] >> 32);
    const auto column = static_cast<Eigen::Index>(blocks.controls.key[k] & 0xffffffffu);
    h.block<3, 3>(3 * row, 3 * column) += blocks.controls.value[k];
    if (row != column) h.block<3, 3>(3 * column, 3 * row) += blocks.controls.value[k].transpose();
  }
  return h;
}

/// Compares gradient and Hessian with finite differences in the coordinates of `columns`.
void check_derivatives(Term& term, const Vectors& q, const std::vector<int>& columns, double step) {
  Vectors gradient = Vectors::Zero(3, q.cols());
  term.add_gradient(q, gradient);
  HessianBlocks blocks;
  term.hessian(q, HessianModel::exact(), {}, blocks);
  const MatrixX hessian = dense(blocks, q.cols());
  const double force = gradient.cwiseAbs().maxCoeff(), stiffness = hessian.cwiseAbs().maxCoeff();
  for (const int i : columns) {
    Vectors low = q, high = q;
    const int axis = i % 3, control = i / 3;
    low(axis, control) -= step;
    high(axis, control) += step;
    const double slope = (term.energy(high) - term.energy(low)) / (2 * step);
    EXPECT_NEAR(gradient(axis, control), slope, 1e-5 * force) << i;
    Vectors below = Vectors::Zero(3, q.cols()), above = below;
    term.add_gradient(low, below);
    term.add_gradient(high, above);
    const Vectors change = (above - below) / (2 * step);
    EXPECT_LT((hessian.col(i) - flat(change)).cwiseAbs().maxCoeff(), 1e-5 * stiffness) << i;
  }
  term.hessian(q, HessianModel::projected(Psd::clamp), {}, blocks);
  const Eigen::SelfAdjointEigenSolver<MatrixX> eigen(dense(blocks, q.cols()));
  EXPECT_GT(eigen.eigenvalues().minCoeff(), -1e-9 * stiffness);
}

TEST(ShellTerm, DerivativesAreThoseOfItsEnergy) {
  ClothMaterial material;
  material.thickness = 0.02;  // so that bending counts
  material.strain_limit = 2;
  SurfaceMesh fin = surface_mesh(GridShape{{1, 0.8}, {3, 2}});
  // A third sheet at an inner edge.
  const int corner = static_cast<int>(fin.vertices.cols());
  fin.vertices.conservativeResize(3, corner + 1);
  fin.vertices.col(corner) = Vector3(0, 0.4, 0);
  fin.triangles.push_back({5, 6, corner});
  for (const SurfaceMesh& mesh : {fin, surface_mesh(TetrahedronShape{1})}) {
    World world;
    add_shell(world, mesh, material, {});
    Shells shells(world.elements, world.rest);
    const Vectors q = shaken(world.rest, world.control_count(), 0.05);
    std::vector<int> all;
    for (int i = 0; i < q.size(); ++i) all.push_back(i);
    check_derivatives(shells, q, all, 1e-6);
  }
}

TEST(ShellTerm, SheetUnderUniformStretchHasTheMaterialsEnergyAndNoForceInside) {
  World world;
  ClothMaterial material;
  add_shell(world, surface_mesh(GridShape{{1, 2}, {4, 6}}), material, {});
  Shells shells(world.elements, world.rest);
  // Uniaxial stress: the small-strain energy is Y/2 e^2 per volume, with the sheet free to narrow.
  const double e = 1e-4;
  const Vectors q = Vector3(1 + e, 1, 1 - material.poisson * e).asDiagonal() * world.rest;
  EXPECT_NEAR(shells.energy(q), 0.5 * material.young * e * e * 2 * material.thickness,
              1e-3 * shells.energy(q));
  Vectors gradient = Vectors::Zero(3, q.cols());
  shells.add_gradient(q, gradient);
  const double force = gradient.cwiseAbs().maxCoeff();
  for (int j = 1; j < 6; ++j) {
    for (int i = 1; i < 4; ++i) EXPECT_LT(gradient.col(5 * j + i).norm(), 1e-9 * force);
    EXPECT_LT(gradient.col(5 * j).cwiseAbs()[2], 1e-3 * force);
  }
}

TEST(ShellTerm, CylinderHasTheEnergyOfABentPlate) {
  World world;
  ClothMaterial material;
  const double radius = 1;
  add_shell(world, surface_mesh(GridShape{{1, 1}, {20, 20}}), material, {});
  Shells shells(world.elements, world.rest);
  for (const int axis : {0, 2}) {
    // Vertices on the cylinder, with chords of the cells' own length: no stretch.
    const double angle = 2 * std::asin(0.5 * 0.05 / radius);
    Vectors q = world.rest;
    for (int k = 0; k < q.cols(); ++k) {
      const double a = q(axis, k) / 0.05 * angle;
      q(axis, k) = radius * std::sin(a);
      q(1, k) = radius * std::cos(a);
    }
    // 19 of 20 cells' worth of hinges.
    const double expected = 0.95 * 0.5 * material.bending_stiffness() / (radius * radius);
    EXPECT_NEAR(shells.energy(q), expected, 1e-3 * expected);
  }
}

TEST(SpringTerm, DerivativesAreThoseOfItsEnergy) {
  World world;
  SurfaceMesh net = surface_mesh(TetrahedronShape{1});
  net.edges = unique_edges(net.triangles);
  net.triangles.clear();
  add_particles(world, net, 1, SpringMaterial{50, 0}, {});
  Springs springs(world.elements, world.rest);
  const Vectors q = shaken(world.rest, world.control_count(), 0.2);
  std::vector<int> all;
  for (int i = 0; i < q.size(); ++i) all.push_back(i);
  check_derivatives(springs, q, all, 1e-6);
}

TEST(RodTerm, DerivativesAreThoseOfItsEnergy) {
  RodMaterial material;
  material.radius = 0.05;
  World world;
  // A crossing of three, a corner and edges that run either way.
  SurfaceMesh net;
  net.vertices.resize(3, 6);
  net.vertices << 0, 1, 2, 3, 1, 3, 0, 0.2, 0, 0.3, 1, 1.2, 0, 0, 0.4, 0, 0.3, 0;
  net.edges = {{0, 1}, {2, 1}, {2, 3}, {1, 4}, {5, 3}};
  add_rod(world, net, material, {});
  Rods rods(world.elements, world.rest);
  EXPECT_LT(rods.energy(world.rest), 1e-25);
  const int vertices = 6, segments = 5;
  Vectors q = shaken(world.rest, vertices, 0.15);
  for (int k = 0; k < segments; ++k) q(0, vertices + k) = 0.3 * (k % 3 - 1);
  std::vector<int> free;
  for (int i = 0; i < 3 * vertices; ++i) free.push_back(i);
  for (int k = 0; k < segments; ++k) free.push_back(3 * (vertices + k));
  check_derivatives(rods, q, free, 1e-6);
}

TEST(RodTerm, FramesGoOnFromStepToStepAsIfInOne) {
  // Renewing the directors half way does not change the energy at the end, where the middle is on the way.
  World world;
  RodMaterial material;
  add_rod(world, surface_mesh(LineShape{{0, 0, 0}, {1, 0, 0}, 4}), material, {});
  Rods rods(world.elements, world.rest);
  Vectors end = world.rest;
  for (int k = 0; k < 4; ++k) end(0, 5 + k) = 0.1 * k;
  const double direct = rods.energy(end);
  Vectors middle = 0.5 * (world.rest + end);
  middle.rightCols(4) = world.rest.rightCols(4);
  rods.end_at(middle);
  rods.begin_at(middle);
  end.rightCols(4) = middle.rightCols(4);
  EXPECT_NEAR(rods.energy(end), direct, 1e-12 * direct);
}

}  // namespace
}  // namespace bulwark
