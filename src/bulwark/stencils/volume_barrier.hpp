// What keeps elements from inverting whose law has a finite energy without volume: an energy density that begins
// where a tenth of the volume is left and is infinite at none,
//   psi(J) = -k (x - 1)^2 ln x,   x = J / J0,   0 < J < J0,   0 beyond,        J = det F,
// the barrier of barrier.hpp of J. C2 at J0. k is 0.1 E of the material: at half of J0 the pressure is 1.2 E. Host
// and device.
#pragma once

#include <bulwark/stencils/barrier.hpp>
#include <bulwark/stencils/elastic_models.hpp>

namespace bulwark {

struct VolumeBarrier {
  struct Parameters {
    double stiffness;  ///< k (Pa)
  };
  static constexpr bool resists_inversion = true;
  static constexpr double first_volume = 0.1;  ///< J0

  BULWARK_HD static double energy(const Parameters& m, const Matrix3& F) {
    return m.stiffness * barrier(determinant(F) / first_volume, 1);
  }
  BULWARK_HD static Matrix3 stress(const Parameters& m, const Matrix3& F) {
    const double J = determinant(F);
    if (J >= first_volume) return Matrix3::Zero();
    const double slope = m.stiffness / first_volume * barrier_first_derivative(J / first_volume, 1);
    return slope * J * inverse_transpose(F);
  }
  BULWARK_HD static PrincipalHessian hessian(const Parameters& m, const Vector3& s) {
    const double x = s[0] * s[1] * s[2] / first_volume;
    const double slope = m.stiffness / first_volume * barrier_first_derivative(x, 1);
    const double curvature = m.stiffness / (first_volume * first_volume) * barrier_second_derivative(x, 1);
    const Vector3 dJ(s[1] * s[2], s[0] * s[2], s[0] * s[1]);
    PrincipalHessian h;
    h.stretch = curvature * dJ * dJ.transpose();
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      h.stretch(i, j) += slope * s[k];
      h.stretch(j, i) += slope * s[k];
      h.flip[k] = -slope * s[k];
      h.twist[k] = slope * s[k];
    }
    return h;
  }
};

}  // namespace bulwark
