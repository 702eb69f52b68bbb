// Mass, center and second moments of surfaces against closed forms.
#include <bulwark/geometry/mass_moments.hpp>
#include <bulwark/geometry/pose.hpp>
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/math/rotation.hpp>

#include <gtest/gtest.h>

#include <numbers>

namespace bulwark {
namespace {

constexpr double pi = std::numbers::pi;

void expect_moments(const MassMoments& found, double mass, const Vector3& center, const Matrix3& second,
                    double tolerance = 1e-12) {
  EXPECT_NEAR(found.mass, mass, tolerance * std::abs(mass));
  EXPECT_LT((found.center - center).norm(), tolerance * (1 + center.norm()));
  EXPECT_LT((found.second - second).norm(), tolerance * second.norm()) << found.second;
}

SurfaceMesh placed(SurfaceMesh mesh, const Pose& pose) {
  mesh.vertices = transformed(pose, mesh.vertices);
  return mesh;
}

Pose somewhere() {
  Pose pose;
  pose.position = {30, -7, 11};
  pose.rotation = rotation_matrix(Vector3(0.4, -1.1, 2));
  return pose;
}

/// Turns every triangle over.
SurfaceMesh inside_out(SurfaceMesh mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

TEST(MassMoments, OfABoxAnywhere) {
  // m = rho a b c, S = m/12 diag(a^2, b^2, c^2).
  const Vector3 sides(1, 0.4, 2.5);
  const double density = 730, mass = density * sides.prod();
  const Matrix3 second = (mass / 12 * sides.cwiseAbs2()).asDiagonal();
  for (const double resolution : {0.0, 0.21}) {
    const SurfaceMesh box = surface_mesh(BoxShape{sides}, resolution);
    EXPECT_TRUE(is_closed(box));
    expect_moments(mass_moments(box, density, 0), mass, Vector3::Zero(), second);
    const Pose pose = somewhere();
    expect_moments(mass_moments(placed(box, pose), density, 0), mass, pose.position,
                   pose.rotation * second * pose.rotation.transpose());
    EXPECT_NEAR(mass_moments(box, density, 0).volume, sides.prod(), 1e-12);
  }
}

TEST(MassMoments, ThicknessIsNothingToASolid) {
  const SurfaceMesh box = surface_mesh(BoxShape{});
  EXPECT_EQ(mass_moments(box, 2, 0).second, mass_moments(box, 2, 0.3).second);
}

TEST(MassMoments, OfATetrahedronByItsCorners) {
  // S = m/20 sum (x - c)(x - c)^T over the corners; of the regular one of edge a, m a^2/40 I.
  const double edge = 1.7, density = 3;
  const SurfaceMesh regular = surface_mesh(TetrahedronShape{edge});
  const double mass = density * edge * edge * edge / (6 * std::numbers::sqrt2);
  expect_moments(mass_moments(regular, density, 0), mass, Vector3::Zero(),
                 mass * edge * edge / 40 * Matrix3::Identity());

  SurfaceMesh oblique;
  oblique.vertices.resize(3, 4);
  oblique.vertices << 5, 6, 5.2, 5.1, -2, -2.1, -0.5, -1.7, 8, 8.3, 8.2, 10;
  oblique.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  const Vectors& x = oblique.vertices;
  const double volume = tetrahedron_volume(x.col(0), x.col(1), x.col(2), x.col(3));
  ASSERT_GT(volume, 0);
  const Vector3 center = x.rowwise().mean();
  const Vectors arms = x.colwise() - center;
  expect_moments(mass_moments(oblique, density, 0), density * volume, center,
                 density * volume / 20 * arms * arms.transpose());
}

TEST(MassMoments, OfASphereConvergeWithTheSquareOfTheEdges) {
  // m = 4/3 pi rho r^3, S = m r^2/5 I.
  const double radius = 0.7, density = 1000;
  const double mass = 4.0 / 3 * pi * density * std::pow(radius, 3);
  std::vector<double> mass_error, moment_error;
  for (const double resolution : {0.2, 0.1, 0.05}) {
    const MassMoments found = mass_moments(surface_mesh(SphereShape{radius}, resolution), density, 0);
    mass_error.push_back(std::abs(found.mass / mass - 1));
    moment_error.push_back(
        (found.second / (mass * radius * radius / 5) - Matrix3::Identity()).cwiseAbs().maxCoeff());
    EXPECT_LT(found.center.norm(), 1e-3 * radius);
  }
  EXPECT_LT(mass_error[2], 0.005);
  EXPECT_LT(moment_error[2], 0.008);
  EXPECT_NEAR(mass_error[0] / mass_error[2], 16, 5);
  EXPECT_NEAR(moment_error[0] / moment_error[2], 16, 5);
}

TEST(MassMoments, OfASurfaceTurnedInsideOutAreNegative) {
  const Pose pose = somewhere();
  const SurfaceMesh box = placed(surface_mesh(BoxShape{{1, 2, 3}}), pose);
  const MassMoments outward = mass_moments(box, 5, 0), inward = mass_moments(inside_out(box), 5, 0);
  EXPECT_TRUE(is_closed(inside_out(box)));
  EXPECT_NEAR(inward.mass, -outward.mass, 1e-12 * outward.mass);
  EXPECT_NEAR(inward.volume, -outward.volume, 1e-12 * outward.volume);
  EXPECT_LT((inward.center - outward.center).norm(), 1e-12);
  EXPECT_LT((inward.second + outward.second).norm(), 1e-12 * outward.second.norm());
}

TEST(MassMoments, OfAHollowBoxAreTheDifferenceOfTwo) {
  SurfaceMesh hollow = surface_mesh(BoxShape{{2, 2, 2}});
  const SurfaceMesh inner = inside_out(surface_mesh(BoxShape{{1, 1.5, 0.5}}));
  const int first = static_cast<int>(hollow.vertices.cols());
  Vectors all(3, first + inner.vertices.cols());
  all << hollow.vertices, inner.vertices;
  hollow.vertices = all;
  for (const Triangle& t : inner.triangles)
    hollow.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  EXPECT_TRUE(is_closed(hollow));
  const Vector3 outer_second = 8.0 / 12 * Vector3(4, 4, 4), inner_second = 0.75 / 12 * Vector3(1, 2.25, 0.25);
  expect_moments(mass_moments(hollow, 1, 0), 8 - 0.75, Vector3::Zero(),
                 Vector3(outer_second - inner_second).asDiagonal());
}

TEST(MassMoments, OfASheetAreThoseOfAThinBox) {
  // An a x b sheet of thickness t has exactly the moments of the box a x t x b.
  const double a = 2, b = 0.8, t = 0.05, density = 400, mass = density * a * b * t;
  const SurfaceMesh sheet = surface_mesh(GridShape{{a, b}, {7, 3}});
  EXPECT_FALSE(is_closed(sheet));
  const Matrix3 second = Vector3(mass / 12 * Vector3(a * a, t * t, b * b)).asDiagonal();
  expect_moments(mass_moments(sheet, density, t), mass, Vector3::Zero(), second);
  const Pose pose = somewhere();
  expect_moments(mass_moments(placed(sheet, pose), density, t), mass, pose.position,
                 pose.rotation * second * pose.rotation.transpose());
  EXPECT_EQ(mass_moments(sheet, density, 0).mass, 0);
}

TEST(MassMoments, OfAWireAreThoseOfARoundRod) {
  // A rod of length l and diameter d: m = rho pi d^2/4 l; l^2/12 along it, d^2/16 across.
  const double length = 3, d = 0.02, density = 7800;
  const SurfaceMesh wire = surface_mesh(LineShape{{-length / 2, 0, 0}, {length / 2, 0, 0}, 9});
  const double mass = density * pi / 4 * d * d * length;
  const Matrix3 second = Vector3(mass * Vector3(length * length / 12, d * d / 16, d * d / 16)).asDiagonal();
  expect_moments(mass_moments(wire, density, d), mass, Vector3::Zero(), second);
  const Pose pose = somewhere();
  expect_moments(mass_moments(placed(wire, pose), density, d), mass, pose.position,
                 pose.rotation * second * pose.rotation.transpose());
}

TEST(MassMoments, OfPointsAreThoseOfSmallBalls) {
  // Two balls of diameter d at a distance l along x.
  const double length = 1.2, d = 0.1, density = 50, ball = density * pi / 6 * d * d * d;
  const SurfaceMesh points = surface_mesh(PointsShape{{{-length / 2, 1, 0}, {length / 2, 1, 0}}});
  Matrix3 second = 2 * ball * d * d / 20 * Matrix3::Identity();
  second(0, 0) += 2 * ball * length * length / 4;
  expect_moments(mass_moments(points, density, d), 2 * ball, {0, 1, 0}, second);
}

TEST(MassMoments, WhatBelongsToASheetIsNotCountedAgainAsWireOrPoint) {
  const SurfaceMesh sheet = surface_mesh(GridShape{{1, 1}, {2, 2}});
  SurfaceMesh more = sheet;
  more.edges = unique_edges(sheet.triangles);
  more.edges.push_back({more.edges[0][1], more.edges[0][0]});
  more.points = {0, 3};
  EXPECT_FALSE(is_closed(more));
  const MassMoments once = mass_moments(sheet, 10, 0.1), found = mass_moments(more, 10, 0.1);
  EXPECT_DOUBLE_EQ(found.mass, once.mass);
  EXPECT_LT((found.second - once.second).norm(), 1e-14);
}

TEST(MassMoments, ClosedMeansThatEveryEdgeIsPassedBothWays) {
  SurfaceMesh box = surface_mesh(BoxShape{});
  EXPECT_TRUE(is_closed(box));
  SurfaceMesh lidless = box;
  lidless.triangles.pop_back();
  EXPECT_FALSE(is_closed(lidless));
  SurfaceMesh one_turned = box;
  std::swap(one_turned.triangles[0][0], one_turned.triangles[0][1]);
  EXPECT_FALSE(is_closed(one_turned));
  EXPECT_FALSE(is_closed(SurfaceMesh{}));
  EXPECT_EQ(mass_moments(SurfaceMesh{}, 1, 1).mass, 0);
}

TEST(MassMoments, TheInertiaTensorOfABoxIsTheTextbooks) {
  const MassMoments m = mass_moments(surface_mesh(BoxShape{{1, 2, 3}}), 1, 0);
  const Matrix3 expected = Vector3(m.mass / 12 * Vector3(4 + 9, 1 + 9, 1 + 4)).asDiagonal();
  EXPECT_LT((inertia_tensor(m.second) - expected).norm(), 1e-12);
}

}  // namespace
}  // namespace bulwark
