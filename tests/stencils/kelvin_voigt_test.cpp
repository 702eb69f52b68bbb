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

TetRest rest_of(const Points& X) {
  const Vector3 x[4] = {X.col(0), X.col(1), X.col(2), X.col(3)};
  return tetrahedron_rest(x);
}

Matrix3 gradient_of(const TetRest& rest, const Points& X) {
  const Vector3 x[4] = {X.col(0), X.col(1), X.col(2), X.col(3)};
  return deformation_gradient(rest, x);
}

Eigen::Matrix<double, 12, 12> resistance_of(const TetRest& rest, const Viscosity& m, const Points& X) {
  const Vector3 x[4] = {X.col(0), X.col(1), X.col(2), X.col(3)};
  return kelvin_voigt_resistance(rest, m, x);
}

TEST(KelvinVoigt, DissipatesByTheRateOfTheGreenStrain) {
  srand(3);
  const Viscosity m = {3, 2};
  for (int trial = 0; trial < 50; ++trial) {
    const Points X = corners + some(0.1), x = X + some(0.3), velocity = some(1);
    const TetRest rest = rest_of(X);
    const Matrix3 F = gradient_of(rest, x), rate = gradient_of(rest, velocity);
    const Matrix3 strain = 0.5 * (rate.transpose() * F + F.transpose() * rate);
    const double expected =
        rest.volume * (2 * m.shear * strain.squaredNorm() + m.bulk * strain.trace() * strain.trace());
    const auto C = resistance_of(rest, m, x);
    const Eigen::Map<const Eigen::Matrix<double, 12, 1>> v(velocity.data());
    EXPECT_NEAR(v.dot(C * v), expected, 1e-12 * C.norm());
    // The force is that of the stress F S.
    const Matrix3 stress = F * (2 * m.shear * strain + m.bulk * strain.trace() * Matrix3::Identity());
    const Points force = rest.volume * stress * shape_gradients(rest);
    EXPECT_LT((C * v - Eigen::Map<const Eigen::Matrix<double, 12, 1>>(force.data())).norm(),
              1e-12 * C.norm());
    EXPECT_LT((C - C.transpose()).norm(), 1e-13 * C.norm());
  }
}

TEST(KelvinVoigt, LetsAStretchedBodyTurnAndShift) {
  srand(5);
  const Points X = corners + some(0.1), x = X + some(0.3);
  const auto C = resistance_of(rest_of(X), {3, 2}, x);
  Points velocity;
  for (int i = 0; i < 4; ++i) velocity.col(i) = Vector3(1, 2, 3) + Vector3(-2, 0.5, 1).cross(x.col(i));
  EXPECT_LT((C * Eigen::Map<const Eigen::Matrix<double, 12, 1>>(velocity.data())).norm(), 1e-13 * C.norm());
}

TEST(KelvinVoigt, AtRestIsTheLinearStiffness) {
  const TetRest rest = rest_of(corners);
  const LameConstants lame = {3, 2};
  EXPECT_LT((resistance_of(rest, {3, 2}, corners) - linear_tetrahedron_hessian(rest, lame)).norm(), 1e-13);
}

}  // namespace
}  // namespace bulwark
