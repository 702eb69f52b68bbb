// The energy that keeps an affine body's matrix A = (a_1 a_2 a_3) near a rotation:
//   V = k |A^T A - I|^2 = k sum_ij E_ij^2,   E = A^T A - I,   k = stiffness * volume.
//   dV/da_i       = 4 k sum_j E_ij a_j
//   d2V/da_i da_j = 4 k [ E_ij I + a_j a_i^T + delta_ij sum_k a_k a_k^T ]
// The last two parts are positive semi-definite (they are 2k |E'|^2 for the derivative E' of E); so replacing
// E by its own positive part projects the Hessian at the cost of a 3x3 eigenproblem.
#pragma once

#include <bulwark/math/psd.hpp>

namespace bulwark {

BULWARK_HD inline Matrix3 orthogonality_strain(const Matrix3& A) {
  return A.transpose() * A - Matrix3::Identity();
}

BULWARK_HD inline double orthogonality_energy(const Matrix3& A, double k) {
  return k * orthogonality_strain(A).squaredNorm();
}

/// Column i: dV/da_i.
BULWARK_HD inline Matrix3 orthogonality_gradient(const Matrix3& A, double k) {
  return 4 * k * A * orthogonality_strain(A);
}

/// 9x9, over (a_1, a_2, a_3).
BULWARK_HD inline Eigen::Matrix<double, 9, 9> orthogonality_hessian(const Matrix3& A, double k, Psd psd) {
  const Matrix3 strain = projected<3>(orthogonality_strain(A), psd);
  const Matrix3 all = A * A.transpose();
  Eigen::Matrix<double, 9, 9> h;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      Matrix3 block = A.col(j) * A.col(i).transpose();
      block.diagonal().array() += strain(i, j);
      if (i == j) block += all;
      h.block<3, 3>(3 * i, 3 * j) = 4 * k * block;
    }
  }
  return h;
}

}  // namespace bulwark
