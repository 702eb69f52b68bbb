// The closed forms of round shapes, against their own meshes made fine.
#include <bulwark/geometry/ideal_moments.hpp>

#include <gtest/gtest.h>

#include <Eigen/Geometry>

namespace bulwark {
namespace {

const std::vector<Shape> round_shapes = {
    SphereShape{0.7},    CylinderShape{0.5, 1.3}, CapsuleShape{0.4, 1.7},  CapsuleShape{0.5, 1},
    ConeShape{0.8, 1.1}, TorusShape{1, 0.3},      RingShape{0.8, 0.2, 1.4}};

TEST(IdealMoments, AreTheLimitOfFineMeshes) {
  for (const Shape& shape : round_shapes) {
    const std::optional<MassMoments> ideal = ideal_moments(shape);
    ASSERT_TRUE(ideal) << shape_name(shape);
    const auto error = [&](double resolution) {
      const MassMoments mesh = mass_moments(surface_mesh(shape, resolution), 1, 0);
      EXPECT_LT((mesh.center - ideal->center).norm(), 1e-2) << shape_name(shape);
      return Vector3(1 - mesh.volume / ideal->volume, 1 - mesh.second(0, 0) / ideal->second(0, 0),
                     1 - mesh.second(1, 1) / ideal->second(1, 1));
    };
    const Vector3 coarse = error(0.1), fine = error(0.05);
    EXPECT_LT(fine.cwiseAbs().maxCoeff(), 0.03) << shape_name(shape) << " " << fine.transpose();
    // Meshes are inscribed, and their error falls with the square of the edge length.
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(fine[k] / coarse[k], 0.25, 0.08) << shape_name(shape);
    EXPECT_LT((ideal->second - Matrix3(ideal->second.diagonal().asDiagonal())).norm(), 1e-15);
  }
}

TEST(IdealMoments, ShapesThatMeshesRepresentExactlyHaveNone) {
  for (const Shape& shape : {Shape(BoxShape{}), Shape(TetrahedronShape{}), Shape(GearShape{}),
                             Shape(GridShape{}), Shape(TubeShape{}), Shape(LineShape{})}) {
    EXPECT_FALSE(ideal_moments(shape)) << shape_name(shape);
  }
}

TEST(IdealMoments, FollowAPoseAsTheMomentsOfAMeshDo) {
  Pose pose;
  pose.position = {1, -2, 3};
  pose.rotation = Eigen::AngleAxisd(0.7, Vector3(1, 2, -1).normalized()).toRotationMatrix();
  pose.scale = {0.5, 2, 1.5};
  SurfaceMesh mesh = surface_mesh(ConeShape{});
  const MassMoments moved = transformed(pose, mass_moments(mesh, 3, 0));
  mesh.vertices = transformed(pose, mesh.vertices);
  const MassMoments expected = mass_moments(mesh, 3, 0);
  EXPECT_NEAR(moved.volume, expected.volume, 1e-12);
  EXPECT_NEAR(moved.mass, expected.mass, 1e-12);
  EXPECT_LT((moved.center - expected.center).norm(), 1e-12);
  EXPECT_LT((moved.second - expected.second).norm(), 1e-12);
}

TEST(IdealMoments, TwoHalvesOfABoxMakeABox) {
  SurfaceMesh half = surface_mesh(BoxShape{{1, 2, 3}});
  std::vector<MassMoments> halves;
  for (const double x : {-0.5, 0.5}) {
    Pose pose;
    pose.position = {x, 0, 0};
    halves.push_back(transformed(pose, mass_moments(half, 1, 0)));
  }
  const MassMoments whole = mass_moments(surface_mesh(BoxShape{{2, 2, 3}}), 1, 0), sum = sum_of(halves);
  EXPECT_NEAR(sum.volume, whole.volume, 1e-12);
  EXPECT_LT(sum.center.norm(), 1e-12);
  EXPECT_LT((sum.second - whole.second).norm(), 1e-12);
}

}  // namespace
}  // namespace bulwark
