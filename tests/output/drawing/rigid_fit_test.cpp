#include <bulwark/output/drawing/rigid_fit.hpp>

#include <gtest/gtest.h>

#include <Eigen/Geometry>

namespace bulwark {
namespace {

TEST(RigidFit, FindsAMotionAgainEvenOfFlatAndStraightBodies) {
  const Matrix3 turn = Eigen::AngleAxisd(2.5, Vector3(1, 2, -1).normalized()).toRotationMatrix();
  for (const Vector3& extent : {Vector3(1, 2, 3), Vector3(1, 0, 2), Vector3(0, 0, 1)}) {
    const Vectors rest = extent.asDiagonal() * Vectors::Random(3, 30);
    const Vectors moved = (turn * rest).colwise() + Vector3(4, 5, 6);
    const RigidFit fit = fit_rigid_motion(rest, moved);
    EXPECT_LT(fit.deviation, 1e-12);
    EXPECT_NEAR(fit.rotation.determinant(), 1, 1e-12);
  }
}

TEST(RigidFit, TellsHowFarABodyIsFromRigid) {
  const Vectors rest = Vectors::Random(3, 30);
  Vectors moved = rest;
  moved.row(0) *= 1.1;
  const RigidFit fit = fit_rigid_motion(rest, moved);
  EXPECT_GT(fit.deviation, 0.03);
  EXPECT_LT(fit.deviation, 0.2);
}

}  // namespace
}  // namespace bulwark
