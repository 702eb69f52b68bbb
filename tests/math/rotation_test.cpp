#include <bulwark/math/rotation.hpp>

#include <gtest/gtest.h>

#include <numbers>
#include <random>
#include <vector>

namespace bulwark {
namespace {

using Real = long double;
using RealMatrix = Eigen::Matrix<Real, 3, 3>;
using RealVector = Eigen::Matrix<Real, 3, 1>;

/// exp [w] by its Taylor series in extended precision, with repeated squaring; no formula of Rodrigues.
RealMatrix exponential(const RealVector& w) {
  RealMatrix m;
  m << 0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0;
  int halvings = 0;
  for (Real size = w.norm(); size > 0.1L; size /= 2) ++halvings;
  m /= std::ldexp(1.0L, halvings);
  RealMatrix sum = RealMatrix::Identity(), term = RealMatrix::Identity();
  for (int n = 1; n < 20; ++n) {
    term = RealMatrix(term * m) / n;
    sum += term;
  }
  for (int i = 0; i < halvings; ++i) sum = RealMatrix(sum * sum);
  return sum;
}

/// Rotation vectors of all sizes that matter: tiny, small, medium, around pi, several turns.
std::vector<Vector3> sample_vectors() {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  const double pi = std::numbers::pi;
  std::vector<Vector3> samples = {Vector3::Zero(), Vector3(1e-170, 0, 0), Vector3(0, -1e-8, 0),
                                  Vector3(0, 0, pi)};
  for (double size : {1e-12, 1e-8, 1e-5, 9e-4, 1.1e-3, 0.01, 0.3, 0.999, 1.001, 2.0, pi - 1e-3, pi - 1e-8, pi,
                      pi + 1e-8, 4.0, 6.2, 2 * pi, 15.0}) {
    for (int i = 0; i < 8; ++i) {
      samples.push_back(size * Vector3(normal(random), normal(random), normal(random)).normalized());
    }
  }
  return samples;
}

TEST(Rotation, TheCrossMatrixIsTheCrossProduct) {
  const Vector3 v(1, -2, 3), u(0.5, 4, -1);
  EXPECT_EQ(cross_matrix(v) * u, v.cross(u));
}

TEST(Rotation, TheMatrixIsTheExponential) {
  for (const Vector3& w : sample_vectors()) {
    const Matrix3 r = rotation_matrix(w);
    EXPECT_LT((r.cast<Real>() - exponential(w.cast<Real>())).cwiseAbs().maxCoeff(), 4e-16L * (1 + w.norm()))
        << w.transpose();
    EXPECT_LT((r * r.transpose() - Matrix3::Identity()).cwiseAbs().maxCoeff(), 5e-16 * (1 + w.norm()));
    EXPECT_NEAR(r.determinant(), 1, 5e-16 * (1 + w.norm()));
  }
}

TEST(Rotation, TheVectorIsTheShortestWithThatMatrix) {
  const double pi = std::numbers::pi;
  for (const Vector3& w : sample_vectors()) {
    const Vector3 found = rotation_vector(rotation_matrix(w));
    EXPECT_LE(found.norm(), pi * (1 + 1e-15));
    EXPECT_LT((rotation_matrix(found) - rotation_matrix(w)).cwiseAbs().maxCoeff(), 4e-15) << w.transpose();
    if (w.norm() < pi - 1e-9) {
      EXPECT_LE((found - w).norm(), 4e-15 * w.norm()) << w.transpose();
    }
  }
}

TEST(Rotation, HalfTurnsKeepTheirAxis) {
  // R = 2 n n^T - I exactly; either sign of the axis is right.
  for (const Vector3& axis : {Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, -1), Vector3(0.6, 0.8, 0),
                              Vector3(0.6, 0, -0.8), Vector3(1, 2, 2).normalized().eval()}) {
    const Vector3 w = rotation_vector(2 * axis * axis.transpose() - Matrix3::Identity());
    EXPECT_NEAR(w.norm(), std::numbers::pi, 1e-15);
    EXPECT_LT(w.cross(axis).norm(), 2e-15);
  }
}

TEST(Rotation, AnAlmostOrthonormalMatrixBecomesOrthonormal) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (const Vector3& w : sample_vectors()) {
    Matrix3 a = rotation_matrix(w);
    for (int i = 0; i < 9; ++i) a.data()[i] += 1e-9 * normal(random);
    const Matrix3 r = orthonormalized(a);
    EXPECT_LT((r * r.transpose() - Matrix3::Identity()).norm(), 2e-15);
    EXPECT_LT((r - a).norm(), 1e-8);
  }
}

TEST(Rotation, FirstDerivativesAreThoseOfTheExponential) {
  // Central differences in extended precision.
  for (const Vector3& w : sample_vectors()) {
    const RotationDerivatives derivatives(w);
    const Real step = 1e-6L;
    for (int i = 0; i < 3; ++i) {
      const RealVector e = step * RealVector::Unit(i), at = w.cast<Real>();
      const RealMatrix difference = (exponential(at + e) - exponential(at - e)) / (2 * step);
      EXPECT_LT((derivatives.first(i).cast<Real>() - difference).cwiseAbs().maxCoeff(), 2e-11L)
          << w.transpose() << " along " << i;
    }
  }
}

TEST(Rotation, SecondDerivativesAreThoseOfTheExponential) {
  for (const Vector3& w : sample_vectors()) {
    const RotationDerivatives derivatives(w);
    const Real step = 1e-4L;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        const RealVector ei = step * RealVector::Unit(i), ej = step * RealVector::Unit(j),
                         at = w.cast<Real>();
        const RealMatrix difference = (exponential(at + ei + ej) - exponential(at + ei - ej) -
                                       exponential(at - ei + ej) + exponential(at - ei - ej)) /
                                      (4 * step * step);
        EXPECT_LT((derivatives.second(i, j).cast<Real>() - difference).cwiseAbs().maxCoeff(), 2e-8L)
            << w.transpose() << " along " << i << " and " << j;
        EXPECT_LT((derivatives.second(i, j) - derivatives.second(j, i)).cwiseAbs().maxCoeff(), 1e-15);
      }
    }
  }
}

TEST(Rotation, SeriesAndClosedFormOfTheDerivativesMeet) {
  // The switch is at length 1.
  const Vector3 below = (1 - 1e-13) * Vector3(0.36, 0.48, 0.8),
                above = (1 + 1e-13) * Vector3(0.36, 0.48, 0.8);
  ASSERT_LT(below.squaredNorm(), 1);
  ASSERT_GE(above.squaredNorm(), 1);
  const RotationDerivatives series(below), closed(above);
  for (int i = 0; i < 3; ++i) {
    EXPECT_LT((series.first(i) - closed.first(i)).norm(), 5e-13);
    for (int j = 0; j < 3; ++j) EXPECT_LT((series.second(i, j) - closed.second(i, j)).norm(), 5e-13);
  }
}

}  // namespace
}  // namespace bulwark
