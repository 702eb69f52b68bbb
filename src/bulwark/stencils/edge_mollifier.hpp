// Mollifier of nearly parallel edges, where the edge-edge distance is not differentiable:
//   c = |u x v|^2,   eps = 1e-3 |u_rest|^2 |v_rest|^2,   e(c) = c/eps (2 - c/eps) for c < eps, 1 beyond.
// Nothing is missed where it vanishes: at parallel edges some point-triangle pair is at least as close.
#pragma once

#include <bulwark/base/host_device.hpp>
#include <bulwark/math/types.hpp>

#include <Eigen/Geometry>

namespace bulwark {

/// The threshold eps, from rest positions of the edges (x0 x1; x2 x3).
BULWARK_HD inline double edge_mollifier_threshold(const Vector3& x0, const Vector3& x1, const Vector3& x2,
                                                  const Vector3& x3) {
  return 1e-3 * (x1 - x0).squaredNorm() * (x3 - x2).squaredNorm();
}

/// c, the squared norm of the edges' cross product.
BULWARK_HD inline double edge_cross_squared_norm(const Vector3* x) {
  return (x[1] - x[0]).cross(x[3] - x[2]).squaredNorm();
}

BULWARK_HD inline double edge_mollifier(const Vector3* x, double eps) {
  const double c = edge_cross_squared_norm(x);
  return c < eps ? c / eps * (2 - c / eps) : 1.0;
}

/// What of the mollifier's Hessian is a square, in the edges u = x1 - x0 and v = x3 - x2: c = |g|^2 with
/// g = u x v has 2 J^T J of J = dg/d(u, v), and a rest that vanishes with g. Semi-definite, and all of the
/// Hessian where the edges are parallel.
struct MollifierSquare {
  Matrix3 uu, uv, vv;
};

BULWARK_HD inline MollifierSquare edge_mollifier_square(const Vector3* x, double eps) {
  const Vector3 u = x[1] - x[0], v = x[3] - x[2];
  const double c = u.cross(v).squaredNorm();
  const double factor = c < eps ? 4 / eps * (1 - c / eps) : 0.0;  // 2 e'(c)
  const Matrix3 identity = Matrix3::Identity();
  return {factor * (v.squaredNorm() * identity - v * v.transpose()),
          factor * (u * v.transpose() - u.dot(v) * identity),
          factor * (u.squaredNorm() * identity - u * u.transpose())};
}

/// The mollifier with its gradient in the edges u = x1 - x0 and v = x3 - x2.
struct MollifierGradient {
  double value;
  Vector3 u, v;
};

BULWARK_HD inline MollifierGradient edge_mollifier_gradient(const Vector3* x, double eps) {
  const Vector3 u = x[1] - x[0], v = x[3] - x[2];
  const double c = u.cross(v).squaredNorm();
  if (c >= eps) return {1, Vector3::Zero(), Vector3::Zero()};
  const double slope = 4 / eps * (1 - c / eps), uv = u.dot(v);  // 2 e'(c)
  return {c / eps * (2 - c / eps), slope * (v.squaredNorm() * u - uv * v),
          slope * (u.squaredNorm() * v - uv * u)};
}

struct MollifierDerivatives {
  double value;
  Eigen::Matrix<double, 12, 1> gradient;
  Eigen::Matrix<double, 12, 12> hessian;
};

BULWARK_HD inline MollifierDerivatives edge_mollifier_derivatives(const Vector3* x, double eps) {
  MollifierDerivatives m;
  m.gradient.setZero();
  m.hessian.setZero();
  const Vector3 u = x[1] - x[0], v = x[3] - x[2];
  const double c = u.cross(v).squaredNorm();
  if (c >= eps) {
    m.value = 1;
    return m;
  }
  m.value = c / eps * (2 - c / eps);
  const double de = 2 / eps * (1 - c / eps), dde = -2 / (eps * eps);
  const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v);
  const Matrix3 identity = Matrix3::Identity();
  Eigen::Matrix<double, 6, 1> dc;
  dc << 2 * (vv * u - uv * v), 2 * (uu * v - uv * u);
  Eigen::Matrix<double, 6, 6> ddc;
  ddc.topLeftCorner<3, 3>() = 2 * (vv * identity - v * v.transpose());
  ddc.bottomRightCorner<3, 3>() = 2 * (uu * identity - u * u.transpose());
  ddc.topRightCorner<3, 3>() = 2 * (2 * u * v.transpose() - v * u.transpose() - uv * identity);
  ddc.bottomLeftCorner<3, 3>() = ddc.topRightCorner<3, 3>().transpose();
  const Eigen::Matrix<double, 6, 1> g = de * dc;
  const Eigen::Matrix<double, 6, 6> h = dde * dc * dc.transpose() + de * ddc;
  // u = x1 - x0, v = x3 - x2: spread over the four vertices.
  for (int i = 0; i < 4; ++i) {
    const double si = i % 2 == 0 ? -1.0 : 1.0;
    m.gradient.segment<3>(3 * i) = si * g.segment<3>(3 * (i / 2));
    for (int j = 0; j < 4; ++j) {
      const double sj = j % 2 == 0 ? -1.0 : 1.0;
      m.hessian.block<3, 3>(3 * i, 3 * j) = si * sj * h.block<3, 3>(3 * (i / 2), 3 * (j / 2));
    }
  }
  return m;
}

}  // namespace bulwark
