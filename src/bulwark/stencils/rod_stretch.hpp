// Stretching energy of one segment of a rod between x0 and x1:
//   V = k/2 L (l/L - 1)^2,   l = |x1 - x0|,   L = l at rest,   k = Young's modulus * cross-section.
//   dV/de = k (l/L - 1) t,   d2V/de2 = k/L t t^T + k (1/L - 1/l) (I - t t^T),   e = x1 - x0 = l t.
#pragma once

#include <bulwark/math/psd.hpp>

#include <Eigen/Geometry>

namespace bulwark {

struct RodStretchRest {
  double length;     ///< L
  double stiffness;  ///< k, N
};

BULWARK_HD inline double rod_stretch_energy(const RodStretchRest& rest, const Vector3& e) {
  const double strain = e.norm() / rest.length - 1;
  return 0.5 * rest.stiffness * rest.length * strain * strain;
}

/// In x1; that in x0 is its opposite.
BULWARK_HD inline Vector3 rod_stretch_gradient(const RodStretchRest& rest, const Vector3& e) {
  const double length = e.norm();
  return rest.stiffness * (1 / rest.length - 1 / length) * e;
}

/// At (x0, x0) and (x1, x1); at (x0, x1) its opposite.
BULWARK_HD inline Matrix3 rod_stretch_hessian(const RodStretchRest& rest, const Vector3& e, Psd psd) {
  const double length = e.norm();
  const Matrix3 along = e * e.transpose() / (length * length);
  const double across = projected(rest.stiffness * (1 / rest.length - 1 / length), psd);
  return rest.stiffness / rest.length * along + across * (Matrix3::Identity() - along);
}

}  // namespace bulwark
