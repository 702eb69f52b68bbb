// Elastic energy of one linear tetrahedron:  volume * psi(F),  F = Ds Dm^-1,  with gradient and Hessian in
// its four vertices. The Hessian is put together from the nine eigenmatrices of d2psi/dF2 in the frame of the
// singular value decomposition F = U S V^T, so that its projection to a semi-definite matrix is exact and
// costs one 3x3 eigenproblem.
#pragma once

#include <bulwark/math/psd.hpp>
#include <bulwark/math/svd3.hpp>
#include <bulwark/stencils/elastic_models.hpp>

#include <Eigen/LU>

namespace bulwark {

struct TetRest {
  Matrix3 inverse;  ///< Dm^-1, Dm = (X1-X0, X2-X0, X3-X0)
  double volume;
};

BULWARK_HD inline TetRest tetrahedron_rest(const Vector3* X) {
  Matrix3 dm;
  dm << X[1] - X[0], X[2] - X[0], X[3] - X[0];
  const Vector3 c01 = dm.col(0).cross(dm.col(1)), c12 = dm.col(1).cross(dm.col(2)),
                c20 = dm.col(2).cross(dm.col(0));
  const double determinant = dm.col(0).dot(c12);
  Matrix3 inverse;
  inverse << c12.transpose(), c20.transpose(), c01.transpose();
  return {inverse / determinant, determinant / 6};
}

BULWARK_HD inline Matrix3 deformation_gradient(const TetRest& rest, const Vector3* x) {
  Matrix3 ds;
  ds << x[1] - x[0], x[2] - x[0], x[3] - x[0];
  return ds * rest.inverse;
}

/// Column i: dF = dx_i (row i of this)^T, the gradient of vertex i's shape function.
BULWARK_HD inline Eigen::Matrix<double, 3, 4> shape_gradients(const TetRest& rest) {
  Eigen::Matrix<double, 3, 4> b;
  b.rightCols<3>() = rest.inverse.transpose();
  b.col(0) = -(b.col(1) + b.col(2) + b.col(3));
  return b;
}

template <class Model>
BULWARK_HD double tetrahedron_energy(const TetRest& rest, const typename Model::Parameters& m,
                                     const Vector3* x) {
  return rest.volume * Model::energy(m, deformation_gradient(rest, x));
}

/// One column per vertex.
template <class Model>
BULWARK_HD Eigen::Matrix<double, 3, 4> tetrahedron_gradient(const TetRest& rest,
                                                            const typename Model::Parameters& m,
                                                            const Vector3* x) {
  return rest.volume * Model::stress(m, deformation_gradient(rest, x)) * shape_gradients(rest);
}

template <class Model>
BULWARK_HD Eigen::Matrix<double, 12, 12> tetrahedron_hessian(const TetRest& rest,
                                                             const typename Model::Parameters& m,
                                                             const Vector3* x, Psd psd) {
  const Svd3 svd = svd3(deformation_gradient(rest, x));
  // In the frame of V a vertex's shape gradient is V^T b_i, and an eigenmatrix U Q V^T acts on it as
  // U (Q V^T b_i).
  const Eigen::Matrix<double, 3, 4> b = svd.v.transpose() * shape_gradients(rest);
  Eigen::Matrix<double, 12, 12> h = Eigen::Matrix<double, 12, 12>::Zero();
  auto add = [&](double eigenvalue, const Eigen::Matrix<double, 3, 4>& columns) {
    const double value = rest.volume * projected(eigenvalue, psd);
    if (value == 0) return;
    const Eigen::Matrix<double, 3, 4> rotated = svd.u * columns;
    const Eigen::Map<const Eigen::Matrix<double, 12, 1>> g(rotated.data());
    h.noalias() += value * g * g.transpose();
  };
  // Stretching modes: Q = diag(e), e an eigenvector of d2psi/ds2.
  const PrincipalHessian principal = Model::hessian(m, svd.sigma);
  const SymmetricEigen<3> stretch = jacobi_eigen<3>(principal.stretch);
  for (int k = 0; k < 3; ++k) {
    add(stretch.values[k], Vector3(stretch.vectors.col(k)).asDiagonal() * b);
  }
  // Flip and twist modes: Q = (E_ij +- E_ji)/sqrt 2.
  constexpr double half_root = 0.70710678118654752;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    Eigen::Matrix<double, 3, 4> columns = Eigen::Matrix<double, 3, 4>::Zero();
    columns.row(i) = half_root * b.row(j);
    columns.row(j) = half_root * b.row(i);
    add(principal.flip[k], columns);
    columns.row(j) *= -1;
    add(principal.twist[k], columns);
  }
  return h;
}

/// Linear elasticity, small strains e = sym(F) - I: psi = mu e:e + lambda/2 (tr e)^2. Not rotation-invariant.
BULWARK_HD inline double linear_tetrahedron_energy(const TetRest& rest, const LameConstants& m,
                                                   const Vector3* x) {
  const Matrix3 F = deformation_gradient(rest, x);
  const Matrix3 e = 0.5 * (F + F.transpose()) - Matrix3::Identity();
  return rest.volume * (m.mu * e.squaredNorm() + m.lambda / 2 * e.trace() * e.trace());
}

BULWARK_HD inline Matrix3 linear_stress(const LameConstants& m, const Matrix3& F) {
  const Matrix3 e = 0.5 * (F + F.transpose()) - Matrix3::Identity();
  return 2 * m.mu * e + m.lambda * e.trace() * Matrix3::Identity();
}

BULWARK_HD inline Eigen::Matrix<double, 3, 4> linear_tetrahedron_gradient(const TetRest& rest,
                                                                          const LameConstants& m,
                                                                          const Vector3* x) {
  return rest.volume * linear_stress(m, deformation_gradient(rest, x)) * shape_gradients(rest);
}

BULWARK_HD inline Eigen::Matrix<double, 12, 12> linear_tetrahedron_hessian(const TetRest& rest,
                                                                           const LameConstants& m) {
  const Eigen::Matrix<double, 3, 4> b = shape_gradients(rest);
  Eigen::Matrix<double, 12, 12> h;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      h.block<3, 3>(3 * i, 3 * j) =
          rest.volume *
          (m.mu * (b.col(i).dot(b.col(j)) * Matrix3::Identity() + b.col(j) * b.col(i).transpose()) +
           m.lambda * b.col(i) * b.col(j).transpose());
    }
  }
  return h;
}

}  // namespace bulwark
