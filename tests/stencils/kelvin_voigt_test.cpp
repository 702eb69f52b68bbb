// Kelvin-Voigt viscosity against its definition by the rate of the Green strain.
#include <bulwark/stencils/kelvin_voigt.hpp>

#include <gtest/gtest.h>

#include <Eigen/Geometry>

namespace bulwark {
namespace {

using Points = Eigen::Matrix<double, 3, 4>;

Points some(double size) {
  return size * Points::Random();
}

const Points corners = (Points() << 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1).finished();

SolidPoint<4> point_of(const Points& X) {
  Matrix3 edges;
  edges << X.col(1) - X.col(0), X.col(2) - X.col(0), X.col(3) - X.col(0);
  SolidPoint<4> point;
  point.gradients.rightCols<3>() = inverse_transpose(edges);
  point.gradients.col(0) = -point.gradients.rightCols<3>().rowwise().sum();
  point.weight = determinant(edges) / 6;
  return point;
}

Eigen::Matrix<double, 12, 12> whole(const ElementBlocks<4>& blocks) {
  Eigen::Matrix<double, 12, 12> h;
  for (int j = 0; j < 4; ++j) {
    for (int i = 0; i <= j; ++i) {
      const Eigen::Map<const Matrix3> block(blocks.col(block_number(i, j)).data());
      h.block<3, 3>(3 * i, 3 * j) = block;
      h.block<3, 3>(3 * j, 3 * i) = block.transpose();
    }
  }
  return h;
}

Eigen::Matrix<double, 12, 12> resistance_of(const SolidPoint<4>& point, const Viscosity& m, const Points& X) {
  ElementBlocks<4> blocks = ElementBlocks<4>::Zero();
  add_kelvin_voigt_resistance<4>(point, m, X, blocks);
  return whole(blocks);
}

TEST(KelvinVoigt, DissipatesByTheRateOfTheGreenStrain) {
  srand(3);
  const Viscosity m = {3, 2};
  for (int trial = 0; trial < 50; ++trial) {
    const Points X = corners + some(0.1), x = X + some(0.3), velocity = some(1);
    const SolidPoint<4> rest = point_of(X);
    const Matrix3 F = deformation_gradient<4>(rest, x), rate = deformation_gradient<4>(rest, velocity);
    const Matrix3 strain = 0.5 * (rate.transpose() * F + F.transpose() * rate);
    const double expected =
        rest.weight * (2 * m.shear * strain.squaredNorm() + m.bulk * strain.trace() * strain.trace());
    const auto C = resistance_of(rest, m, x);
    const Eigen::Map<const Eigen::Matrix<double, 12, 1>> v(velocity.data());
    EXPECT_NEAR(v.dot(C * v), expected, 1e-12 * C.norm());
    // The force is that of the stress F S.
    const Matrix3 stress = F * (2 * m.shear * strain + m.bulk * strain.trace() * Matrix3::Identity());
    const Points force = rest.weight * stress * rest.gradients;
    EXPECT_LT((C * v - Eigen::Map<const Eigen::Matrix<double, 12, 1>>(force.data())).norm(),
              1e-12 * C.norm());
    EXPECT_LT((C - C.transpose()).norm(), 1e-13 * C.norm());
  }
}

TEST(KelvinVoigt, LetsAStretchedBodyTurnAndShift) {
  srand(5);
  const Points X = corners + some(0.1), x = X + some(0.3);
  const auto C = resistance_of(point_of(X), {3, 2}, x);
  Points velocity;
  for (int i = 0; i < 4; ++i) velocity.col(i) = Vector3(1, 2, 3) + Vector3(-2, 0.5, 1).cross(x.col(i));
  EXPECT_LT((C * Eigen::Map<const Eigen::Matrix<double, 12, 1>>(velocity.data())).norm(), 1e-13 * C.norm());
}

TEST(KelvinVoigt, AtRestIsTheLinearStiffness) {
  const SolidPoint<4> point = point_of(corners);
  ElementBlocks<4> stiffness = ElementBlocks<4>::Zero();
  add_solid_hessian<LinearElastic, 4>(point, {3, 2}, corners, Psd::none, stiffness);
  EXPECT_LT((resistance_of(point, {3, 2}, corners) - whole(stiffness)).norm(), 1e-13);
}

}  // namespace
}  // namespace bulwark
