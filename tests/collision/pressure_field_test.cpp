// Signed distances, the pressure fields made of them, and polygons of equal pressure.
#include <bulwark/collision/pressure_field.hpp>
#include <bulwark/collision/pressure_patch_geometry.hpp>
#include <bulwark/collision/signed_distance.hpp>
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/geometry/tetrahedralize.hpp>
#include <bulwark/geometry/winding_number.hpp>

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <random>

namespace bulwark {
namespace {

/// An L in the x-y plane, of two arms of the given width along the axes, extruded along z from 0 to 1.
SurfaceMesh l_shape(double width) {
  const double w = width;
  const std::array<std::array<double, 2>, 6> outline = {{{0, 0}, {1, 0}, {1, w}, {w, w}, {w, 1}, {0, 1}}};
  SurfaceMesh mesh;
  mesh.vertices.resize(3, 12);
  for (int k = 0; k < 6; ++k) {
    mesh.vertices.col(k) << outline[k][0], outline[k][1], 0;
    mesh.vertices.col(6 + k) << outline[k][0], outline[k][1], 1;
  }
  // The inner corner sees all others.
  for (const auto& [a, b] : {std::pair{4, 5}, {5, 0}, {0, 1}, {1, 2}}) {
    mesh.triangles.push_back({3, b, a});
    mesh.triangles.push_back({9, 6 + a, 6 + b});
  }
  for (int k = 0; k < 6; ++k) {
    const int next = (k + 1) % 6;
    mesh.triangles.push_back({k, next, 6 + next});
    mesh.triangles.push_back({k, 6 + next, 6 + k});
  }
  return mesh;
}

/// The same by its faces, each a rectangle given by two axes and their ranges.
double l_distance(double w, const Vector3& p) {
  struct Face {
    int axis;
    double at;
    Vector3 low, high;
  };
  const std::array<Face, 6> walls = {{{1, 0, {0, 0, 0}, {1, 0, 1}},
                                      {0, 1, {1, 0, 0}, {1, w, 1}},
                                      {1, w, {w, w, 0}, {1, w, 1}},
                                      {0, w, {w, w, 0}, {w, 1, 1}},
                                      {1, 1, {0, 1, 0}, {w, 1, 1}},
                                      {0, 0, {0, 0, 0}, {0, 1, 1}}}};
  double distance = 1e9;
  for (const Face& f : walls) distance = std::min(distance, (p - p.cwiseMax(f.low).cwiseMin(f.high)).norm());
  for (const double z : {0.0, 1.0}) {
    for (const Vector3& high : {Vector3(1, w, z), Vector3(w, 1, z)})
      distance = std::min(distance, (p - p.cwiseMax(Vector3(0, 0, z)).cwiseMin(high)).norm());
  }
  const auto in = [&](double x, double y) {
    return p[0] > 0 && p[0] < x && p[1] > 0 && p[1] < y && p[2] > 0 && p[2] < 1;
  };
  return in(1, w) || in(w, 1) ? -distance : distance;
}

TEST(SignedDistance, IsThatOfAnLInsideAndOutside) {
  const SurfaceMesh mesh = l_shape(0.3);
  const SignedDistance distance(mesh.vertices, mesh.triangles);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-0.5, 1.5);
  int inside = 0;
  for (int k = 0; k < 4000; ++k) {
    const Vector3 p(uniform(random), uniform(random), uniform(random));
    const double exact = l_distance(0.3, p);
    inside += exact < 0 ? 1 : 0;
    ASSERT_NEAR(distance(p), exact, 1e-13) << p.transpose();
  }
  EXPECT_GT(inside, 100);
}

TEST(SignedDistance, KeepsItsSignWhereTheSurfaceHasFaults) {
  SurfaceMesh sphere = surface_mesh(SphereShape{1}, 0.2);
  const std::vector<Triangle> whole = sphere.triangles;
  sphere.triangles.erase(sphere.triangles.begin() + 10);                // a gap
  sphere.triangles.push_back(whole[40]);                                // a triangle twice
  sphere.triangles.push_back({whole[3][0], whole[3][0], whole[3][1]});  // one without area
  const SignedDistance distance(sphere.vertices, sphere.triangles);
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 500; ++k) {
    const Vector3 direction = Vector3(normal(random), normal(random), normal(random)).normalized();
    EXPECT_TRUE(distance.inside(0.7 * direction));
    EXPECT_FALSE(distance.inside(1.3 * direction));
  }
}

TEST(SignedDistance, OfNothingIsInfinite) {
  const SignedDistance distance(Vectors(3, 0), {});
  EXPECT_EQ(distance({0, 0, 0}), std::numeric_limits<double>::infinity());
}

TEST(PressureField, OfABallFallsEvenlyFromItsCenter) {
  const double R = 0.5, modulus = 3e5;
  const PressureField field = pressure_field(solid_mesh(SphereShape{R}, 0.08), modulus);
  EXPECT_NEAR(field.depth, R, 0.02 * R);
  for (Eigen::Index v = 0; v < field.rest.cols(); ++v) {
    const double wanted = modulus * std::max(0.0, 1 - field.rest.col(v).norm() / R);
    EXPECT_NEAR(field.pressure[v], wanted, 0.03 * modulus);
  }
}

TEST(PressureField, OfAnLIsHighestInItsArmsAndItsCorner) {
  const TetMesh mesh = fill_with_tetrahedra(l_shape(0.3), 0.1, "l");
  const PressureField field = pressure_field(mesh, 1);
  // The deepest point is towards the inner corner: r from the outer faces, and as far from the inner edge.
  const double r = 0.3 * std::sqrt(2) / (1 + std::sqrt(2));
  EXPECT_NEAR(field.depth, r, 1e-4);
  for (Eigen::Index v = 0; v < field.rest.cols(); ++v) {
    const double exact = std::max(0.0, -l_distance(0.3, field.rest.col(v))) / field.depth;
    EXPECT_NEAR(field.pressure[v], exact, 1e-9);
  }
}

TEST(PressureField, HasNoTetrahedronWithoutPressure) {
  // Eight corners: every vertex is on the surface.
  const PressureField field =
      pressure_field(fill_with_tetrahedra(surface_mesh(BoxShape{{1, 2, 3}}), 0, "box"), 1);
  EXPECT_GT(field.center_of.size(), 0u);
  for (const Tetrahedron& t : field.cells) {
    double largest = 0;
    for (const int v : t) largest = std::max(largest, field.pressure[v]);
    EXPECT_GT(largest, 0);
    const auto x = corners(t, field.rest);
    EXPECT_GT(tetrahedron_volume(x[0], x[1], x[2], x[3]), 0);
  }
}

PressureCell random_cell(std::mt19937& random, double size) {
  std::uniform_real_distribution<double> uniform(-size, size), pressure(0, 1);
  PressureCell cell;
  do {
    for (Vector3& x : cell.x) x = {uniform(random), uniform(random), uniform(random)};
  } while (tetrahedron_volume(cell.x[0], cell.x[1], cell.x[2], cell.x[3]) < 0.02 * size * size * size);
  for (double& p : cell.pressure) p = pressure(random);
  return cell;
}

double pressure_in(const PressureCell& cell, const Vector3& p, bool* inside) {
  Matrix3 edges;
  for (int k = 0; k < 3; ++k) edges.col(k) = cell.x[k + 1] - cell.x[0];
  const Vector3 part = edges.inverse() * (p - cell.x[0]);
  const Eigen::Vector4d weight(1 - part.sum(), part[0], part[1], part[2]);
  *inside = weight.minCoeff() > 0;
  return weight[0] * cell.pressure[0] + weight[1] * cell.pressure[1] + weight[2] * cell.pressure[2] +
         weight[3] * cell.pressure[3];
}

/// Area and pressure times area of a patch by a fine grid of points on its plane.
struct Sampled {
  double area = 0, force = 0;
};
Sampled sampled(const PressureCell& a, const PressureCell& b, const EqualPressure& patch, double width) {
  const Vector3 u = patch.normal.unitOrthogonal(), v = patch.normal.cross(u);
  constexpr int n = 400;
  const double step = 2 * width / n;
  Sampled sum;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const Vector3 p = patch.center + (-width + (i + 0.5) * step) * u + (-width + (j + 0.5) * step) * v;
      bool in_a = false, in_b = false;
      const double pressure = pressure_in(a, p, &in_a);
      pressure_in(b, p, &in_b);
      if (!in_a || !in_b) continue;
      sum.area += step * step;
      sum.force += step * step * pressure;
    }
  }
  return sum;
}

TEST(EqualPressure, PolygonsAreThoseOfAFineSampling) {
  std::mt19937 random(3);
  int found = 0;
  for (int k = 0; k < 4000 && found < 25; ++k) {
    const PressureCell a = random_cell(random, 1), b = random_cell(random, 1);
    const auto patch = equal_pressure(a, b);
    if (!patch || patch->area < 0.1) continue;
    ++found;
    bool inside = false;
    EXPECT_NEAR(pressure_in(a, patch->center, &inside), patch->pressure, 1e-12);
    EXPECT_TRUE(inside);
    EXPECT_NEAR(pressure_in(b, patch->center, &inside), patch->pressure, 1e-12);
    EXPECT_TRUE(inside);
    const Sampled sum = sampled(a, b, *patch, 2);
    EXPECT_NEAR(sum.area, patch->area, 0.02 * patch->area);
    EXPECT_NEAR(sum.force, patch->area * patch->pressure, 0.02 * patch->area);
  }
  EXPECT_EQ(found, 25);
}

TEST(EqualPressure, IsTheSameFromBothSides) {
  std::mt19937 random(4);
  int found = 0;
  for (int k = 0; k < 20000; ++k) {
    const PressureCell a = random_cell(random, 1), b = random_cell(random, 1);
    const auto one = equal_pressure(a, b), other = equal_pressure(b, a);
    ASSERT_EQ(one.has_value(), other.has_value());
    if (!one) continue;
    ++found;
    EXPECT_NEAR(one->area, other->area, 1e-10);
    EXPECT_NEAR((one->normal + other->normal).norm(), 0, 1e-12);
    EXPECT_NEAR((one->center - other->center).norm() * one->area, 0, 1e-10);
    EXPECT_NEAR(one->slope_a, other->slope_b, 1e-10 * one->slope_a);
    EXPECT_GT(one->slope_a, 0);
    EXPECT_GT(one->slope_b, 0);
    Vector3 at_a = Vector3::Zero(), at_b = Vector3::Zero();
    for (int i = 0; i < 4; ++i) {
      at_a += one->weight_a[i] * a.x[i];
      at_b += one->weight_b[i] * b.x[i];
    }
    EXPECT_NEAR((at_a - one->center).norm(), 0, 1e-10);
    EXPECT_NEAR((at_b - one->center).norm(), 0, 1e-10);
  }
  EXPECT_GT(found, 300);
}

/// The unit cube in its regular tetrahedra, with the pressure `field` at its corners.
template <class Field>
std::vector<PressureCell> cells_of(const TetMesh& mesh, Field&& field) {
  std::vector<PressureCell> cells;
  for (const Tetrahedron& t : mesh.tetrahedra) {
    PressureCell& cell = cells.emplace_back();
    cell.x = corners(t, mesh.vertices);
    for (std::size_t k = 0; k < 4; ++k) cell.pressure[k] = field(cell.x[k]);
  }
  return cells;
}

TEST(EqualPressure, PolygonsInFacesOfTheMeshCountOnce) {
  // The plane of equal pressure is y = 0, which is a face of the lattice, and of both meshes.
  const TetMesh mesh = solid_mesh(BoxShape{{1, 1, 1}}, 0.5);
  const auto up = cells_of(mesh, [](const Vector3& x) { return 1 + x.y(); });
  const auto down = cells_of(mesh, [](const Vector3& x) { return 1 - x.y(); });
  double area = 0;
  for (const PressureCell& a : up) {
    for (const PressureCell& b : down) {
      if (const auto patch = equal_pressure(a, b)) area += patch->area;
    }
  }
  EXPECT_NEAR(area, 1, 1e-12);
  double on_plane = 0;
  for (const PressureCell& a : up) {
    if (const auto patch = pressure_on_plane(a, {0, 0, 0}, {0, 1, 0})) on_plane += patch->area;
  }
  EXPECT_NEAR(on_plane, 1, 1e-12);
}

TEST(EqualPressure, OfFlatAndEvenCellsThereIsNone) {
  std::mt19937 random(5);
  PressureCell a = random_cell(random, 1);
  const PressureCell b = random_cell(random, 1);
  PressureCell even = a;
  even.pressure = {1, 1, 1, 1};
  EXPECT_FALSE(equal_pressure(even, even));
  EXPECT_FALSE(equal_pressure(a, a));
  a.x[3] = (a.x[0] + a.x[1] + a.x[2]) / 3;
  EXPECT_FALSE(equal_pressure(a, b));
  EXPECT_FALSE(equal_pressure(b, a));
  EXPECT_FALSE(pressure_on_plane(a, {0, 0, 0}, {0, 1, 0}));
}

}  // namespace
}  // namespace bulwark
