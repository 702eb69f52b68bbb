#include <bulwark/math/psd.hpp>
#include <bulwark/math/svd3.hpp>
#include <bulwark/math/symmetric_2x2.hpp>

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <Eigen/SVD>

namespace bulwark {
namespace {

TEST(Svd3, ReproducesTheMatrixWithRotationsAndASignedSmallestValue) {
  srand(1);
  for (int trial = 0; trial < 500; ++trial) {
    Matrix3 F = Matrix3::Random();
    if (trial % 5 == 1) F.col(2) = F.col(0) + 1e-9 * F.col(1);          // nearly singular
    if (trial % 5 == 2) F = Matrix3::Identity() + 1e-9 * F;             // nearly a rotation
    if (trial % 5 == 3) F.col(1) = 2 * F.col(0), F.col(2) = -F.col(0);  // rank one
    if (trial % 5 == 4) F *= 1e-60;
    const Svd3 svd = svd3(F);
    EXPECT_LT((svd.u * svd.sigma.asDiagonal() * svd.v.transpose() - F).norm(), 1e-14 * F.norm());
    EXPECT_NEAR(svd.u.determinant(), 1, 1e-13);
    EXPECT_NEAR(svd.v.determinant(), 1, 1e-13);
    EXPECT_GE(svd.sigma[0], svd.sigma[1]);
    EXPECT_GE(svd.sigma[1], std::abs(svd.sigma[2]));
  }
  EXPECT_TRUE(svd3(Matrix3::Zero()).sigma.isZero());
}

TEST(JacobiEigen, ReproducesTheMatrix) {
  srand(2);
  for (int trial = 0; trial < 100; ++trial) {
    Eigen::Matrix<double, 9, 9> a = Eigen::Matrix<double, 9, 9>::Random();
    a = (a + a.transpose()).eval();
    const SymmetricEigen<9> eigen = jacobi_eigen<9>(a);
    EXPECT_LT((eigen.vectors * eigen.values.asDiagonal() * eigen.vectors.transpose() - a).norm(),
              1e-13 * a.norm());
  }
}

TEST(Symmetric2x2, IsDecomposedAndProjectedAsMatricesOfAnySize) {
  srand(3);
  for (int trial = 0; trial < 100; ++trial) {
    Matrix2 a = Matrix2::Random();
    a = (a + a.transpose()).eval();
    if (trial % 4 == 1) a(0, 1) = a(1, 0) = 0;
    if (trial % 4 == 2) a(0, 1) = a(1, 0) = 1e-200;
    if (trial % 4 == 3) a(0, 0) = a(1, 1);
    const SymmetricEigen<2> eigen = eigen_of_2x2(a);
    EXPECT_LT((eigen.vectors * eigen.values.asDiagonal() * eigen.vectors.transpose() - a).norm(),
              1e-15 * a.norm());
    for (const Psd psd : {Psd::clamp, Psd::abs, Psd::none})
      EXPECT_LT((projected_2x2(a, psd) - projected<2>(a, psd)).norm(), 1e-14 * a.norm());
  }
}

TEST(Psd, ClampsOrMirrorsNegativeEigenvalues) {
  Matrix3 a = Vector3(3, -2, 1).asDiagonal();
  EXPECT_TRUE(projected<3>(a, Psd::clamp).isApprox(Matrix3(Vector3(3, 0, 1).asDiagonal())));
  EXPECT_TRUE(projected<3>(a, Psd::abs).isApprox(Matrix3(Vector3(3, 2, 1).asDiagonal())));
  EXPECT_TRUE(projected<3>(a, Psd::none).isApprox(a));
  const Matrix3 definite = Matrix3::Identity() + Matrix3::Constant(0.4);
  EXPECT_TRUE(projected<3>(definite, Psd::clamp).isApprox(definite));
  EXPECT_TRUE(projected<3>(-definite, Psd::clamp).isZero(0));
  EXPECT_TRUE(projected<3>(-definite, Psd::abs).isApprox(definite));
}

}  // namespace
}  // namespace bulwark
