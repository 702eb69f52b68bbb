// Kelvin-Voigt viscosity at one integration point of a solid element: a second Piola stress in proportion to the rate
// of the Green strain,
//   S = 2 eta E' + lambda tr(E') I,     E' = 1/2 (F'^T F + F^T F'),
// that is a force -C x' on its controls, with F' = sum_i x_i' h_i^T and the shape gradients h_i:
//   C_ij = weight [ eta (F h_j)(F h_i)^T + eta (h_i . h_j) F F^T + lambda (F h_i)(F h_j)^T ].
// C is symmetric and semi-definite: x'^T C x' = weight (2 eta E':E' + lambda (tr E')^2). Host and device.
#pragma once

#include <bulwark/stencils/solid_point.hpp>

namespace bulwark {

struct Viscosity {
  double shear = 0, bulk = 0;  ///< eta and lambda, Pa s
};

/// Adds C at the positions x.
template <int N>
BULWARK_HD void add_kelvin_voigt_resistance(const SolidPoint<N>& point, const Viscosity& m,
                                            const ElementControls<N>& x, ElementBlocks<N>& blocks) {
  const Matrix3 F = deformation_gradient<N>(point, x), FFt = F * F.transpose();
  const ElementControls<N>& h = point.gradients;
  const ElementControls<N> Fh = F * h;
  for (int j = 0; j < N; ++j) {
    for (int i = 0; i <= j; ++i) {
      const Matrix3 block =
          point.weight * (m.shear * (Fh.col(j) * Fh.col(i).transpose() + h.col(i).dot(h.col(j)) * FFt) +
                          m.bulk * Fh.col(i) * Fh.col(j).transpose());
      blocks.col(block_number(i, j)) += Eigen::Map<const Eigen::Matrix<double, 9, 1>>(block.data());
    }
  }
}

}  // namespace bulwark
