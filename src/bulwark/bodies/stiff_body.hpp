// Stiff bodies: all points of a body follow four controls, its center of mass p and the columns a_1 a_2 a_3
// of a matrix A,
//   x(X) = p + A X,   X = the point's place at the start, relative to the center of mass.
// A is the identity at the start. An affine body holds A near a rotation by an energy (stencils/
// orthogonality.hpp); a rigid body has A exactly a rotation. The kinetic energy is the same for both,
//   1/2 m |p'|^2 + 1/2 tr(A' S A'^T),   S = integral rho X X^T,
// so the mass matrix is constant: m for p, and S (times the 3x3 identity) for the columns of A.
#pragma once

#include <bulwark/math/types.hpp>

#include <algorithm>
#include <array>

namespace bulwark {

struct StiffMaterial {
  double density = 1000;    ///< kg/m^3
  double stiffness = 1e12;  ///< of the orthogonality of an affine body, Pa
  double thickness = 0;     ///< m; gives a mass to sheets, wires and points
};

struct StiffBody {
  int body = 0;           ///< index into World::bodies
  int first_control = 0;  ///< p; the columns of A follow
  bool rigid = false;
  std::array<bool, 3> turns_about = {true, true, true};  ///< world axes
  bool turns_freely() const { return turns_about[0] && turns_about[1] && turns_about[2]; }
  double mass = 0;                                        ///< kg
  Matrix3 second_moment = Matrix3::Zero();                ///< S, kg m^2
  double stiffness = 0;                                   ///< of orthogonality, times the volume: J
  Vector3 low = Vector3::Zero(), high = Vector3::Zero();  ///< box around the body's points X
};

/// A's columns and p at the controls q.
inline Matrix3 deformation(const StiffBody& body, const Vectors& q) {
  return q.middleCols<3>(body.first_control + 1);
}
inline Vector3 center(const StiffBody& body, const Vectors& q) {
  return q.col(body.first_control);
}

/// How far the body reaches along each axis of X: what makes changes of A's columns comparable with shifts. A
/// flat or thin body has no extent of its own in some directions; any length does there.
inline Vector3 column_lengths(const StiffBody& body) {
  const double least = 1e-3 * std::max(body.low.norm(), body.high.norm());
  return body.low.cwiseAbs().cwiseMax(body.high.cwiseAbs()).cwiseMax(least);
}

/// How far A is from a rotation: half the norm of A^T A - I, no less than the largest
/// |singular value - 1| to first order.
inline double rigidity_error(const Matrix3& A) {
  return 0.5 * (A.transpose() * A - Matrix3::Identity()).norm();
}

}  // namespace bulwark
