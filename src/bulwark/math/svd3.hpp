// Signed singular value decomposition of a 3x3 matrix by one-sided Jacobi rotations: F = U diag(sigma) V^T
// with rotations U and V; the smallest singular value carries the sign of det F.
#pragma once

#include <bulwark/base/host_device.hpp>
#include <bulwark/math/types.hpp>

#include <Eigen/Geometry>
#include <cmath>

namespace bulwark {

struct Svd3 {
  Matrix3 u, v;
  Vector3 sigma;  ///< sigma[0] >= sigma[1] >= |sigma[2]|
};

/// A unit vector perpendicular to the unit vector n.
BULWARK_HD inline Vector3 any_perpendicular(const Vector3& n) {
  const Vector3 axis = std::abs(n[0]) < 0.6 ? Vector3(1, 0, 0) : Vector3(0, 1, 0);
  return n.cross(axis).normalized();
}

BULWARK_HD inline Svd3 svd3(const Matrix3& f) {
  Matrix3 a = f;
  Svd3 result;
  Matrix3& v = result.v;
  v.setIdentity();
  constexpr int max_sweeps = 20;
  for (int sweep = 0; sweep < max_sweeps; ++sweep) {
    bool rotated = false;
    for (int p = 0; p < 2; ++p) {
      for (int q = p + 1; q < 3; ++q) {
        const double alpha = a.col(p).squaredNorm(), beta = a.col(q).squaredNorm();
        const double gamma = a.col(p).dot(a.col(q));
        if (gamma * gamma <= 1e-32 * alpha * beta) continue;
        rotated = true;
        const double zeta = (beta - alpha) / (2 * gamma);
        const double t = (zeta >= 0 ? 1.0 : -1.0) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
        const double c = 1 / std::sqrt(1 + t * t), s = c * t;
        const Vector3 ap = a.col(p), vp = v.col(p);
        a.col(p) = c * ap - s * a.col(q);
        a.col(q) = s * ap + c * a.col(q);
        v.col(p) = c * vp - s * v.col(q);
        v.col(q) = s * vp + c * v.col(q);
      }
    }
    if (!rotated) break;
  }
  // Order the columns by length; a swap with one sign change keeps V a rotation.
  auto order = [&](int i, int j) {
    if (a.col(i).squaredNorm() >= a.col(j).squaredNorm()) return;
    const Vector3 ai = a.col(i), vi = v.col(i);
    a.col(i) = a.col(j);
    a.col(j) = -ai;
    v.col(i) = v.col(j);
    v.col(j) = -vi;
  };
  order(0, 1);
  order(0, 2);
  order(1, 2);
  const double s0 = a.col(0).norm(), s1 = a.col(1).norm();
  const Vector3 u0 = s0 > 0 ? Vector3(a.col(0) / s0) : Vector3(1, 0, 0);
  Vector3 u1 = s1 > 1e-150 + 1e-14 * s0 ? Vector3(a.col(1) / s1) : any_perpendicular(u0);
  u1 = (u1 - u1.dot(u0) * u0).normalized();
  const Vector3 u2 = u0.cross(u1);
  result.u << u0, u1, u2;
  result.sigma = Vector3(s0, s1, u2.dot(a.col(2)));
  return result;
}

}  // namespace bulwark
