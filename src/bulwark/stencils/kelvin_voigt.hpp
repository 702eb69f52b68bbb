// Kelvin-Voigt viscosity of one linear tetrahedron: a second Piola stress in proportion to the rate of the
// Green strain,
//   S = 2 eta E' + lambda tr(E') I,     E' = 1/2 (F'^T F + F^T F'),
// that is a force -C x' on its vertices, with F' = sum_i x_i' b_i^T and the shape gradients b_i:
//   C_ij = volume [ eta (F b_j)(F b_i)^T + eta (b_i . b_j) F F^T + lambda (F b_i)(F b_j)^T ].
// C is symmetric and semi-definite: x'^T C x' = volume (2 eta E':E' + lambda (tr E')^2). Host and device.
#pragma once

#include <bulwark/stencils/tetrahedron.hpp>

namespace bulwark {

struct Viscosity {
  double shear = 0, bulk = 0;  ///< eta and lambda, Pa s
};

/// C at the positions x.
BULWARK_HD inline Eigen::Matrix<double, 12, 12> kelvin_voigt_resistance(const TetRest& rest,
                                                                        const Viscosity& m,
                                                                        const Vector3* x) {
  const Matrix3 F = deformation_gradient(rest, x), FFt = F * F.transpose();
  const Eigen::Matrix<double, 3, 4> b = shape_gradients(rest), Fb = F * b;
  Eigen::Matrix<double, 12, 12> C;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      C.block<3, 3>(3 * i, 3 * j) =
          rest.volume * (m.shear * (Fb.col(j) * Fb.col(i).transpose() + b.col(i).dot(b.col(j)) * FFt) +
                         m.bulk * Fb.col(i) * Fb.col(j).transpose());
    }
  }
  return C;
}

}  // namespace bulwark
