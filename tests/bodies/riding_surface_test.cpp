// A mesh that rides on a solid: each vertex takes the element that it lies in, however many lie around it.
#include <bulwark/bodies/riding_surface.hpp>
#include <bulwark/geometry/hexahedral_box.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace bulwark {
namespace {

/// Slivers around an edge along z, within a few degrees of the diagonal: the boxes of all hold the points of each.
SolidMesh fan(int count) {
  SolidMesh mesh;
  mesh.vertices.resize(3, count + 3);
  mesh.vertices.col(0) << 0, 0, 0;
  mesh.vertices.col(1) << 0, 0, 1;
  for (int k = 0; k <= count; ++k) {
    const double angle = M_PI / 4 + 0.02 * (static_cast<double>(k) / count - 0.5);
    mesh.vertices.col(2 + k) << std::cos(angle), std::sin(angle), 0.5;
    if (k < count) mesh.cells.insert(mesh.cells.end(), {0, 2 + k, 3 + k, 1});
  }
  return mesh;
}

TEST(CarriedMesh, FindsTheElementOfAVertexAmongAnyNumberOfSlivers) {
  const SolidMesh mesh = fan(100);
  SurfaceMesh carried;
  carried.vertices.resize(3, 100);
  for (int c = 0; c < 100; ++c) {
    carried.vertices.col(c).setZero();
    for (const int node : mesh.cell(c)) carried.vertices.col(c) += 0.25 * mesh.vertices.col(node);
  }
  double farthest = 1;
  const RidingSurface surface = carried_mesh(mesh, carried, farthest);
  EXPECT_LT(farthest, 1e-12);
  for (int c = 0; c < 100; ++c) {
    ASSERT_EQ(surface.weights[c].size(), 4u) << c;
    for (const SurfaceWeight& weight : surface.weights[c]) EXPECT_NEAR(weight.value, 0.25, 1e-12);
  }
}

TEST(CarriedMesh, TakesThePlaceOfEveryVertexInsideAndNextToTheSolid) {
  const SolidMesh mesh = hexahedral_box({1, 2, 1}, {3, 5, 4}, 1);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit(-1, 1);
  SurfaceMesh carried;
  carried.vertices.resize(3, 200);
  for (int v = 0; v < 200; ++v)
    carried.vertices.col(v) = Vector3(0.52 * unit(random), 1.02 * unit(random), 0.52 * unit(random));
  double farthest = 0;
  const RidingSurface surface = carried_mesh(mesh, carried, farthest);
  EXPECT_GT(farthest, 0.01);
  EXPECT_LT(farthest, 0.2);
  for (int v = 0; v < 200; ++v) {
    Vector3 there = Vector3::Zero();
    for (const SurfaceWeight& weight : surface.weights[v])
      there += weight.value * mesh.vertices.col(weight.control);
    EXPECT_LT((there - carried.vertices.col(v)).norm(), 1e-9) << v;
  }
}

TEST(CarriedMesh, AMeshFarAwayRidesOnTheNearestElements) {
  const SolidMesh mesh = hexahedral_box({1, 1, 1}, {4, 4, 4}, 1);
  SurfaceMesh carried;
  carried.vertices.resize(3, 1);
  carried.vertices.col(0) = Vector3(4, 0.3, 0.3);
  double farthest = 0;
  const RidingSurface surface = carried_mesh(mesh, carried, farthest);
  EXPECT_NEAR(farthest, 4 * 3.5, 1e-9);
  EXPECT_EQ(surface.weights.size(), 1u);
}

}  // namespace
}  // namespace bulwark
