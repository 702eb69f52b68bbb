// The dihedral angle theta between two triangles that share an edge, with its derivatives. Vertices: the edge
// x0 x1, then the third corners x2 and x3 of the triangles; theta = 0 where they lie flat, in (-pi, pi),
// positive where they bend away from the side that the normal e x (x2 - x0) points to.
//
// Each triangle's part of the angle has the gradient  g2 = G,  g0 = -(1 - s) G,  g1 = -s G,
//   G = -|e| n / n.n,   n = e x r,   r = x2 - x0,   s = r.e / e.e,
// with the opposite sign for the other triangle; the Hessian follows by the chain rule.
#pragma once

#include <bulwark/math/psd.hpp>
#include <bulwark/math/rotation.hpp>

#include <Eigen/Geometry>
#include <cmath>

namespace bulwark {

BULWARK_HD inline double dihedral_angle(const Vector3* x) {
  const Vector3 e = x[1] - x[0];
  const Vector3 n1 = e.cross(x[2] - x[0]), n2 = (x[3] - x[0]).cross(e);
  return std::atan2(n1.cross(n2).dot(e) / e.norm(), n1.dot(n2));
}

/// One triangle's part in the dihedral angle: G, s, and their derivatives in e and r.
struct HingeSide {
  Vector3 G, s_by_e, s_by_r;
  Matrix3 G_by_e, G_by_r;
  double s;
};

BULWARK_HD inline HingeSide hinge_side(const Vector3& e, const Vector3& r, double sign) {
  const Vector3 n = e.cross(r);
  const double N = n.squaredNorm(), square = e.squaredNorm(), length = std::sqrt(square);
  HingeSide side;
  side.s = r.dot(e) / square;
  side.s_by_e = (r - 2 * side.s * e) / square;
  side.s_by_r = e / square;
  side.G = -sign * length / N * n;
  // dG = -sign (|e| (I - 2 n n^T / N) dn / N + n e^T de / (|e| N)),  dn = -[r] de + [e] dr
  const Matrix3 by_n = -sign * length / N * (Matrix3::Identity() - 2 / N * n * n.transpose());
  side.G_by_e = -by_n * cross_matrix(r) - sign / (length * N) * n * e.transpose();
  side.G_by_r = by_n * cross_matrix(e);
  return side;
}

/// One column per vertex.
BULWARK_HD inline Eigen::Matrix<double, 3, 4> dihedral_gradient(const Vector3* x) {
  const Vector3 e = x[1] - x[0];
  Eigen::Matrix<double, 3, 4> g = Eigen::Matrix<double, 3, 4>::Zero();
  for (int k = 0; k < 2; ++k) {
    const Vector3 r = x[2 + k] - x[0];
    const Vector3 n = e.cross(r);
    const Vector3 G = (k == 0 ? -1 : 1) * e.norm() / n.squaredNorm() * n;
    const double s = r.dot(e) / e.squaredNorm();
    g.col(0) -= (1 - s) * G;
    g.col(1) -= s * G;
    g.col(2 + k) = G;
  }
  return g;
}

/// The Hessian of an energy V(theta), V' = slope and V'' = curvature:  curvature g g^T + slope d2theta. It
/// depends on the three differences to x0; the projection is done there, on a 9x9 matrix.
BULWARK_HD inline Eigen::Matrix<double, 12, 12> dihedral_hessian(const Vector3* x, double slope,
                                                                 double curvature, Psd psd) {
  const Vector3 e = x[1] - x[0];
  const Eigen::Matrix<double, 3, 4> g = dihedral_gradient(x);
  const Eigen::Map<const Eigen::Matrix<double, 9, 1>> d(g.data() + 3);
  Eigen::Matrix<double, 9, 9> h = curvature * d * d.transpose();
  // In (e, r2, r3) the angle's gradient is (-s2 G2 - s3 G3, G2, G3).
  for (int k = 0; k < 2; ++k) {
    const HingeSide side = hinge_side(e, x[2 + k] - x[0], k == 0 ? 1 : -1);
    const int at = 3 + 3 * k;
    h.block<3, 3>(0, 0) -= slope * (side.G * side.s_by_e.transpose() + side.s * side.G_by_e);
    h.block<3, 3>(0, at) -= slope * (side.G * side.s_by_r.transpose() + side.s * side.G_by_r);
    h.block<3, 3>(at, 0) += slope * side.G_by_e;
    h.block<3, 3>(at, at) += slope * side.G_by_r;
  }
  h = projected<9>(0.5 * (h + h.transpose()), psd);
  Eigen::Matrix<double, 12, 12> all;
  all.bottomRightCorner<9, 9>() = h;
  all.block<3, 9>(0, 3) = -(all.block<3, 9>(3, 3) + all.block<3, 9>(6, 3) + all.block<3, 9>(9, 3));
  all.block<9, 3>(3, 0) = all.block<3, 9>(0, 3).transpose();
  all.block<3, 3>(0, 0) = -(all.block<3, 3>(0, 3) + all.block<3, 3>(0, 6) + all.block<3, 3>(0, 9));
  return all;
}

}  // namespace bulwark
