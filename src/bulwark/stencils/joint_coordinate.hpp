// The coordinates that joints measure, as functions of up to three vectors that are linear in the controls
// (directions fixed in a body, differences of two points):
//   dot      w . u                               slide along an axis, distance off a plane, right angles
//   length   |w|                                 distance of two points
//   angle    atan2(w . v, w . u)                 of w about the normal of u and v, from u towards v
//   tilt     asin(w . u)                         of w out of the plane with normal u
//   height   w . n, n = u x v / |u x v|          over a surface that u and v lie in
// With s_1 = w . u, s_2 = w . v the derivatives come by the chain rule from those in s. Angles are in
// radians; an angle is taken near `near`, so that it may count turns. Host and device.
#pragma once

#include <bulwark/base/host_device.hpp>
#include <bulwark/math/rotation.hpp>
#include <bulwark/stencils/joint_measure.hpp>

#include <cmath>

namespace bulwark {

struct JointDerivatives {
  double value = 0;
  Vector9 gradient = Vector9::Zero();  ///< in (w, u, v)
  Matrix9 hessian = Matrix9::Zero();
};

BULWARK_HD inline double joint_coordinate(JointMeasure measure, const JointVectors& x, double near) {
  switch (measure) {
    case JointMeasure::dot:
      return x.w.dot(x.u);
    case JointMeasure::length:
      return x.w.norm();
    case JointMeasure::tilt: {
      const double s = x.w.dot(x.u);
      return std::asin(s > 1 ? 1.0 : s < -1 ? -1.0 : s);
    }
    case JointMeasure::height: {
      const Vector3 normal = x.u.cross(x.v);
      return x.w.dot(normal) / normal.norm();
    }
    case JointMeasure::angle:
      break;
  }
  constexpr double turn = 6.283185307179586476925;
  const double angle = std::atan2(x.w.dot(x.v), x.w.dot(x.u));
  return angle + turn * std::round((near - angle) / turn);
}

/// Adds first_k ds_k + sum second_kl ds_k ds_l + .. for s_1 = w . u, s_2 = w . v.
BULWARK_HD inline void add_dot_products(const JointVectors& x, const Vector2& first, const Matrix2& second,
                                        JointDerivatives& d) {
  Vector9 g1 = Vector9::Zero(), g2 = Vector9::Zero();
  g1.segment<3>(0) = x.u;
  g1.segment<3>(3) = x.w;
  g2.segment<3>(0) = x.v;
  g2.segment<3>(6) = x.w;
  d.gradient = first[0] * g1 + first[1] * g2;
  d.hessian = second(0, 0) * g1 * g1.transpose() + second(1, 1) * g2 * g2.transpose() +
              second(0, 1) * (g1 * g2.transpose() + g2 * g1.transpose());
  for (int i = 0; i < 3; ++i) {
    d.hessian(i, 3 + i) += first[0];
    d.hessian(3 + i, i) += first[0];
    d.hessian(i, 6 + i) += first[1];
    d.hessian(6 + i, i) += first[1];
  }
}

/// The height c = w . N / |N| over N = u x v. With n = N / |N|, P = 1 - n n^T and p = P w,
///   dc/dw = n,   dc/dN = p / |N|,   d2c/dw dN = P / |N|,   d2c/dN2 = -(p n^T + n p^T + c P) / |N|^2.
BULWARK_HD inline void add_height(const JointVectors& x, JointDerivatives& d) {
  const Vector3 N = x.u.cross(x.v);
  const double length = N.norm();
  const Vector3 n = N / length;
  const Matrix3 P = Matrix3::Identity() - n * n.transpose();
  const Vector3 p = P * x.w, slope = p / length;
  const Matrix3 curvature = -(p * n.transpose() + n * p.transpose() + d.value * P) / (length * length);
  // dN = by_u du + by_v dv.
  const Matrix3 by_u = -cross_matrix(x.v), by_v = cross_matrix(x.u);
  d.gradient.segment<3>(0) = n;
  d.gradient.segment<3>(3) = by_u.transpose() * slope;
  d.gradient.segment<3>(6) = by_v.transpose() * slope;
  const Matrix3 wu = P * by_u / length, wv = P * by_v / length;
  const Matrix3 uv = by_u.transpose() * curvature * by_v - cross_matrix(slope);
  d.hessian.block<3, 3>(0, 3) = wu;
  d.hessian.block<3, 3>(3, 0) = wu.transpose();
  d.hessian.block<3, 3>(0, 6) = wv;
  d.hessian.block<3, 3>(6, 0) = wv.transpose();
  d.hessian.block<3, 3>(3, 3) = by_u.transpose() * curvature * by_u;
  d.hessian.block<3, 3>(6, 6) = by_v.transpose() * curvature * by_v;
  d.hessian.block<3, 3>(3, 6) = uv;
  d.hessian.block<3, 3>(6, 3) = uv.transpose();
}

BULWARK_HD inline JointDerivatives joint_derivatives(JointMeasure measure, const JointVectors& vectors,
                                                     double near) {
  JointDerivatives d;
  d.value = joint_coordinate(measure, vectors, near);
  JointVectors x = vectors;
  if (measure == JointMeasure::height) {
    add_height(x, d);
    return d;
  }
  if (measure != JointMeasure::angle) x.v.setZero();
  Vector2 first = Vector2::Zero();
  Matrix2 second = Matrix2::Zero();
  switch (measure) {
    case JointMeasure::length: {
      const Vector3 n = x.w / d.value;
      d.gradient.segment<3>(0) = n;
      d.hessian.topLeftCorner<3, 3>() = (Matrix3::Identity() - n * n.transpose()) / d.value;
      return d;
    }
    case JointMeasure::dot:
      first[0] = 1;
      break;
    case JointMeasure::tilt: {
      const double s = x.w.dot(x.u), c2 = 1 - s * s > 1e-12 ? 1 - s * s : 1e-12, c = std::sqrt(c2);
      first[0] = 1 / c;
      second(0, 0) = s / (c2 * c);
      break;
    }
    case JointMeasure::angle: {
      const double s = x.w.dot(x.u), t = x.w.dot(x.v), r2 = s * s + t * t, r4 = r2 * r2;
      first = Vector2(-t, s) / r2;
      second(0, 0) = 2 * s * t / r4;
      second(1, 1) = -second(0, 0);
      second(0, 1) = second(1, 0) = (t * t - s * s) / r4;
      break;
    }
    case JointMeasure::height:
      break;
  }
  add_dot_products(x, first, second, d);
  return d;
}

/// The Hessian in (w, u, v) of an energy V of the coordinate, V' = slope and V'' = curvature.
BULWARK_HD inline Matrix9 joint_hessian(const JointDerivatives& d, double slope, double curvature) {
  return curvature * d.gradient * d.gradient.transpose() + slope * d.hessian;
}

}  // namespace bulwark
