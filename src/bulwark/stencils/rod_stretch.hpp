// Stretching energy of one segment of a rod between x0 and x1:
//   V = k/2 L (l/L - 1)^2,   l = |x1 - x0|,   L = l at rest,   k = Young's modulus * cross-section.
//   dV/de = k (l/L - 1) t,   d2V/de2 = k/L t t^T + k (1/L - 1/l) (I - t t^T),   e = x1 - x0 = l t.
#pragma once

#include <bulwark/math/psd.hpp>

#include <Eigen/Geometry>
#include <cmath>

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

/// Part of its length that a segment or spring keeps in one step at least.
inline constexpr double kept_part_of_length = 0.2;

/// A step t in [0, 1] along e + t d on which the segment keeps the part `keep` of its length: it neither
/// vanishes nor turns back.
BULWARK_HD inline double rod_largest_step(const Vector3& e, const Vector3& d, double keep) {
  const double a = d.squaredNorm(), b = e.dot(d), c = (1 - keep * keep) * e.squaredNorm();
  const double discriminant = b * b - a * c;
  if (b >= 0 || !(discriminant > 0)) return 1;
  const double t = c / (-b + std::sqrt(discriminant));  // the smaller root of a t^2 + 2 b t + c
  return t < 1 ? t : 1;
}

}  // namespace bulwark
