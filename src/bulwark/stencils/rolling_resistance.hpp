// Resistance against rolling and spinning of one contact pair, lagged like friction: dissipative potentials of
// the turn by which the two sides differ in a step.
//   phi = phi_a - phi_b,   energy = c_r lambda f0(|P^T phi|) + c_s lambda f0(|n . phi|)
// with the tangent plane P, the normal n and the force lambda of the lagged contact, coefficients c in metres,
// and f0 of friction.hpp. To first order in A - A~, A~ = R(phi~) A^t the orientation that is expected, a side
// turns by
//   phi_s = phi~ + axial(A A~^-1) = phi~ + 1/2 sum_k b_k x a_k,     b_k the rows of A~^-1,
// which is linear in the columns a_k of A.
#pragma once

#include <bulwark/math/rotation.hpp>
#include <bulwark/stencils/friction.hpp>

namespace bulwark {

struct RollingPair {
  FrictionPair rolling, spinning;  ///< their strengths are torques, N m; weights are not used
  bool turns[2] = {false, false};  ///< of the two sides; obstacles and soft bodies do not
  Matrix3 inverse[2];              ///< A~^-1 of sides that turn
  Vector3 shift = Vector3(0, 0, 0);
};

/// The parts about the tangents and about the normal of a contact whose closest points differ by r.
BULWARK_HD inline void set_rolling_axes(RollingPair& pair, const Vector3& r, double rolling,
                                        double spinning) {
  pair.rolling.strength = rolling;
  pair.rolling.tangent = tangent_plane(r);
  pair.spinning.strength = spinning;
  pair.spinning.tangent << r.normalized(), Vector3(0, 0, 0);
}

/// A side that is expected to turn by phi to the orientation A~.
BULWARK_HD inline void set_turning_side(RollingPair& pair, int side, const Vector3& phi,
                                        const Matrix3& expected) {
  const Vector3 x = expected.col(0), y = expected.col(1), z = expected.col(2), yz = y.cross(z);
  pair.turns[side] = true;
  pair.inverse[side] << yz.transpose(), z.cross(x).transpose(), x.cross(y).transpose();
  pair.inverse[side] /= x.dot(yz);
  pair.shift += (side == 0 ? 1 : -1) * phi;
}

/// phi for the sides' matrices A.
BULWARK_HD inline Vector3 relative_turn(const RollingPair& pair, const Matrix3* a) {
  Vector3 phi = pair.shift;
  for (int side = 0; side < 2; ++side) {
    if (!pair.turns[side]) continue;
    for (int k = 0; k < 3; ++k) {
      const Vector3 row = pair.inverse[side].row(k), column = a[side].col(k);
      phi += (side == 0 ? 0.5 : -0.5) * row.cross(column);
    }
  }
  return phi;
}

BULWARK_HD inline double rolling_energy(const RollingPair& pair, const Vector3& phi, double eps) {
  return friction_energy(pair.rolling, pair.rolling.tangent.transpose() * phi, eps) +
         friction_energy(pair.spinning, pair.spinning.tangent.transpose() * phi, eps);
}

/// With respect to phi.
BULWARK_HD inline Vector3 rolling_gradient(const RollingPair& pair, const Vector3& phi, double eps) {
  return friction_gradient(pair.rolling, pair.rolling.tangent.transpose() * phi, eps) +
         friction_gradient(pair.spinning, pair.spinning.tangent.transpose() * phi, eps);
}

/// With respect to phi; `secant` as in friction_hessian.
BULWARK_HD inline Matrix3 rolling_hessian(const RollingPair& pair, const Vector3& phi, double eps,
                                          double secant = 0) {
  return friction_hessian(pair.rolling, pair.rolling.tangent.transpose() * phi, eps, secant) +
         friction_hessian(pair.spinning, pair.spinning.tangent.transpose() * phi, eps, secant);
}

/// d phi / d a_k of a side: a gradient g in phi is J^T g in the column, a Hessian H in phi J_k^T H J_l.
BULWARK_HD inline Matrix3 turn_derivative(const RollingPair& pair, int side, int k) {
  const Vector3 row = pair.inverse[side].row(k);
  return (side == 0 ? 0.5 : -0.5) * cross_matrix(row);
}

}  // namespace bulwark
