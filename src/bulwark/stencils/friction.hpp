// Lagged friction of one contact pair: a dissipative potential whose negative gradient is Coulomb's force,
// smoothed below the static speed.
//   u = P^T sum_i w_i (x_i - x_i^t),   P = tangent plane and w = weights of the lagged contact
//   energy = mu lambda f0(|u|),   f0' = f1 rising from 0 to 1 over |u| < eps = static speed * h.
//
// A solid with a radius touches at a point of its surface, at l = -+ radius * normal from the point that the
// weights give. Where it turns by phi in the step, that point moves by phi x l more. With the turn phi~ that is
// expected, A~ = R(phi~) A^t, this is to first order in A - A~
//   phi x l = phi~ x l + (A - A~) rho,   rho = A~^-1 l,
// linear in the columns of A: a body that rolls slips by nothing, however far it turns in a step.
#pragma once

#include <bulwark/math/svd3.hpp>
#include <bulwark/math/types.hpp>

namespace bulwark {

/// What stays fixed while a solve runs.
struct FrictionPair {
  double strength;  ///< mu * lambda (N)
  Eigen::Vector4d weight;
  Eigen::Matrix<double, 3, 2> tangent;                      ///< P
  Vector3 lever[2] = {Vector3(0, 0, 0), Vector3(0, 0, 0)};  ///< rho of the two sides; zero where none turns
  Vector3 shift = Vector3(0, 0, 0);                         ///< sum of phi~ x l - A~ rho

  BULWARK_HD bool turns(int side) const {
    return lever[side][0] != 0 || lever[side][1] != 0 || lever[side][2] != 0;
  }
};

/// Makes the turning part of one side, whose solid touches at l from the point of the weights.
BULWARK_HD inline void set_lever(FrictionPair& pair, int side, const Vector3& l, const Vector3& phi,
                                 const Matrix3& expected) {
  const Vector3 x = expected.col(0), y = expected.col(1), z = expected.col(2), yz = y.cross(z);
  pair.lever[side] = Vector3(l.dot(yz), l.dot(z.cross(x)), l.dot(x.cross(y))) / x.dot(yz);
  pair.shift += phi.cross(l) - l;
}

/// The tangent plane of a contact whose closest points differ by r.
BULWARK_HD inline Eigen::Matrix<double, 3, 2> tangent_plane(const Vector3& r) {
  const Vector3 normal = r.normalized();
  const Vector3 first = any_perpendicular(normal);
  Eigen::Matrix<double, 3, 2> p;
  p << first, normal.cross(first);
  return p;
}

BULWARK_HD inline double friction_f0(double y, double eps) {
  return y >= eps ? y : y * y / eps * (1 - y / (3 * eps)) + eps / 3;
}

/// f1(y) / y, finite at y = 0.
BULWARK_HD inline double friction_f1_over_y(double y, double eps) {
  return y >= eps ? 1 / y : (2 - y / eps) / eps;
}

/// Slip u for the vertices' displacements since the start of the step.
BULWARK_HD inline Vector2 friction_slip(const FrictionPair& pair, const Vector3* displacement, int vertices) {
  Vector3 relative = Vector3::Zero();
  for (int i = 0; i < vertices; ++i) relative += pair.weight[i] * displacement[i];
  return pair.tangent.transpose() * relative;
}

/// The same with the matrices A of sides that turn; the others' are not looked at.
BULWARK_HD inline Vector2 friction_slip(const FrictionPair& pair, const Vector3* displacement, int vertices,
                                        const Matrix3* turned) {
  Vector3 relative = pair.shift;
  for (int i = 0; i < vertices; ++i) relative += pair.weight[i] * displacement[i];
  for (int side = 0; side < 2; ++side) {
    if (pair.turns(side)) relative += turned[side] * pair.lever[side];
  }
  return pair.tangent.transpose() * relative;
}

BULWARK_HD inline double friction_energy(const FrictionPair& pair, const Vector2& slip, double eps) {
  return pair.strength * friction_f0(slip.norm(), eps);
}

/// Gradient with respect to vertex i is weight_i times this, with respect to column k of A lever_k times.
BULWARK_HD inline Vector3 friction_gradient(const FrictionPair& pair, const Vector2& slip, double eps) {
  return pair.tangent * (pair.strength * friction_f1_over_y(slip.norm(), eps) * slip);
}

/// Hessian block (i, j) is weight_i weight_j times this, likewise of columns. Its eigenvalues f1' and f1/y are never negative.
/// Along the slip, where f1' jumps from 2/eps to 0, `secant` in [0, 1] leads from f1' to f1/y: with 1, this
/// is the Hessian of a paraboloid that touches the energy at the slip and is nowhere below it.
BULWARK_HD inline Matrix3 friction_hessian(const FrictionPair& pair, const Vector2& slip, double eps,
                                           double secant = 0) {
  const double y = slip.norm();
  Matrix2 inner = friction_f1_over_y(y, eps) * Matrix2::Identity();
  if (y >= eps) {
    inner -= (1 - secant) * slip * slip.transpose() / (y * y * y);
  } else if (y > 0) {
    inner -= (1 - secant) * slip * slip.transpose() / (eps * eps * y);
  }
  return pair.strength * (pair.tangent * inner * pair.tangent.transpose());
}

}  // namespace bulwark
