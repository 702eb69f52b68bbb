// The dihedral angle theta between two triangles that share an edge, with its derivatives. Vertices: the edge
// x0 x1, then the third corners x2 and x3 of the triangles; theta = 0 where they lie flat, in (-pi, pi),
// positive where they bend away from the side that the normal e x (x2 - x0) points to.
//
// Side k = 0, 1 of the hinge is the triangle with the corner x_{2+k}, which stands at the height h_k over the
// point x0 + s_k e of the edge. b_k is the unit vector from that point to the corner, and d_k the unit normal
// of the triangle, with the sign for which theta grows when the corner moves along it. As theta does not
// change where a corner moves in its triangle's plane, its derivatives are simple in
//   xi_k = b_k . dr_k / h_k,   eta_k = d_k . dr_k / h_k,   alpha_k = e^ . dr_k / h_k,   eps = de / |e|,
//   dr_k = dx_{2+k} - (1 - s_k) dx0 - s_k dx1,
// their sums and differences x+- = (x_0 +- x_1) / sqrt(2), and the axes u, v across the edge that bisect the
// normals, d_0 = cos t u + sin t v, d_1 = cos t u - sin t v:
//   dtheta   = sqrt(2) eta+,
//   d2theta  = -2 (xi+ eta+ + xi- eta- + sqrt(2) cos t alpha+ eps_u + sqrt(2) sin t alpha- eps_v)
//              + sin 2t (eps_u^2 - eps_v^2).
// The Hessian of a function of theta is thus four 2x2 matrices, each projected by itself. The first variable
// of each pair is a strain in a triangle's plane, where the membrane is stiff anyway, and the second is a turn
// out of it, which should stay soft: the projection takes the first ones `plane_weight` times larger, so that
// more of the stiffness which it adds goes there.
#pragma once

#include <bulwark/math/symmetric_2x2.hpp>

#include <Eigen/Geometry>
#include <cmath>

namespace bulwark {

BULWARK_HD inline double dihedral_angle(const Vector3* x) {
  const Vector3 e = x[1] - x[0];
  const Vector3 n1 = e.cross(x[2] - x[0]), n2 = (x[3] - x[0]).cross(e);
  return std::atan2(n1.cross(n2).dot(e) / e.norm(), n1.dot(n2));
}

/// One triangle at a hinge.
struct HingeSide {
  Vector3 across, normal;  ///< b, d
  double height, foot;     ///< h, s
};

struct HingeFrame {
  Vector3 axis;  ///< e^
  double length;
  HingeSide side[2];
};

BULWARK_HD inline HingeFrame hinge_frame(const Vector3* x) {
  const Vector3 e = x[1] - x[0];
  HingeFrame frame;
  frame.length = e.norm();
  frame.axis = e / frame.length;
  for (int k = 0; k < 2; ++k) {
    const Vector3 r = x[2 + k] - x[0], n = e.cross(r);
    const double double_area = n.norm();
    const Vector3 turning = n / double_area;  // the way the corner goes in a turn about e
    HingeSide& side = frame.side[k];
    side.across = turning.cross(frame.axis);
    side.normal = k == 0 ? Vector3(-turning) : turning;
    side.height = double_area / frame.length;
    side.foot = frame.axis.dot(r) / frame.length;
  }
  return frame;
}

/// One column per vertex.
BULWARK_HD inline Eigen::Matrix<double, 3, 4> dihedral_gradient(const HingeFrame& frame) {
  Eigen::Matrix<double, 3, 4> g = Eigen::Matrix<double, 3, 4>::Zero();
  for (int k = 0; k < 2; ++k) {
    const HingeSide& side = frame.side[k];
    const Vector3 G = side.normal / side.height;
    g.col(0) -= (1 - side.foot) * G;
    g.col(1) -= side.foot * G;
    g.col(2 + k) = G;
  }
  return g;
}

/// u and v: the first along the sum of the normals or the second along their difference, whichever is longer.
BULWARK_HD inline Eigen::Matrix<double, 3, 2> bisecting_axes(const HingeFrame& frame) {
  const Vector3 &d0 = frame.side[0].normal, &d1 = frame.side[1].normal;
  Eigen::Matrix<double, 3, 2> axes;
  if (d0.dot(d1) >= 0) {
    axes.col(0) = (d0 + d1).normalized();
    axes.col(1) = frame.axis.cross(axes.col(0));
  } else {
    axes.col(1) = (d0 - d1).normalized();
    axes.col(0) = axes.col(1).cross(frame.axis);
  }
  return axes;
}

/// The Hessian of an energy V(theta), V' = slope and V'' = curvature:  curvature g g^T + slope d2theta.
BULWARK_HD inline Eigen::Matrix<double, 12, 12> dihedral_hessian(const HingeFrame& frame, double slope,
                                                                 double curvature, Psd psd) {
  constexpr double root = 1.41421356237309505, plane_weight = 10;
  const Eigen::Matrix<double, 3, 2> axes = bisecting_axes(frame);
  const double cos_t = frame.side[0].normal.dot(axes.col(0)), sin_t = frame.side[0].normal.dot(axes.col(1));
  const double tilt = 2 * slope * sin_t * cos_t;

  // The gradients of (xi+, eta+), (xi-, eta-), (alpha+, eps_u), (alpha-, eps_v), with weighted first ones.
  Eigen::Matrix<double, 12, 8> v = Eigen::Matrix<double, 12, 8>::Zero();
  for (int k = 0; k < 2; ++k) {
    const HingeSide& side = frame.side[k];
    const double weight[4] = {-(1 - side.foot), -side.foot, k == 0 ? 1.0 : 0.0, k == 0 ? 0.0 : 1.0};
    for (int i = 0; i < 4; ++i) {
      const double plus = weight[i] / (root * side.height), minus = k == 0 ? plus : -plus;
      v.block<3, 1>(3 * i, 0) += plane_weight * plus * side.across;
      v.block<3, 1>(3 * i, 1) += plus * side.normal;
      v.block<3, 1>(3 * i, 2) += plane_weight * minus * side.across;
      v.block<3, 1>(3 * i, 3) += minus * side.normal;
      v.block<3, 1>(3 * i, 4) += plane_weight * plus * frame.axis;
      v.block<3, 1>(3 * i, 6) += plane_weight * minus * frame.axis;
    }
  }
  for (int i = 0; i < 2; ++i) {
    v.block<3, 1>(0, 5 + 2 * i) = -1 / frame.length * axes.col(i);
    v.block<3, 1>(3, 5 + 2 * i) = 1 / frame.length * axes.col(i);
  }

  // Each 2x2 matrix is zero in its first variable.
  const double mixed[4] = {-slope, -slope, -root * slope * cos_t, -root * slope * sin_t};
  const double second[4] = {2 * curvature, 0, tilt, -tilt};
  Eigen::Matrix<double, 12, 8> product;
  for (int k = 0; k < 4; ++k) {
    Matrix2 own;
    own << 0, mixed[k] / plane_weight, mixed[k] / plane_weight, second[k];
    product.middleCols<2>(2 * k) = v.middleCols<2>(2 * k) * projected_2x2(own, psd);
  }
  return product.lazyProduct(v.transpose());
}

}  // namespace bulwark
