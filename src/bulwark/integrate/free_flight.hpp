// The torque-free rotation of a rigid body over a step of time: what inertia alone does to its orientation.
//
// A body with the matrix A of orientation (x = p + A X) and the constant second moments J = int rho X X^T has
// the moments M = A J A^T in space, the inertia I = tr(M) - M, and turns with w = I^-1 L, dA/dt = [w] A,
// where its angular momentum L stays. All that follows is a rotation: A(t) = R(t) A(0), whether A(0) is one
// or not.
//
// In the frame of the principal axes, with the momentum pi = B^T L, the energy is a sum over the axes. With
// any of them, k, taken as the reference,
//
//   H = 1/2 sum_i pi_i^2 / I_i = |L|^2 / (2 I_k) + 1/2 sum_{i != k} (1/I_i - 1/I_k) pi_i^2,
//
// and each part alone is solved exactly: the first turns the body about L, at the rate |L| / I_k, and
// commutes with all others; the part of axis i turns the body about that axis, at the rate
// (1/I_i - 1/I_k) pi_i. The two parts are composed by the symmetric scheme of order 6 with ten stages of Blanes and Moan
// (2002). It is symplectic, so the energy's error does not grow; L is kept by construction. The reference is
// the axis for which the two parts disturb each other least: a body with two equal moments is then solved
// exactly.
#pragma once

#include <bulwark/math/types.hpp>

namespace bulwark {

/// L = int rho (A X) x (dA/dt X) about the body's center, for the rate of change of A.
Vector3 angular_momentum(const Matrix3& a, const Matrix3& a_rate, const Matrix3& second_moment);

/// w = I^-1 L. About an axis with no inertia (a wire's own) a body does not turn: such a part of L is
/// ignored. Axes below 1e-12 of the largest inertia count as having none, for rounding leaves nothing to
/// divide by.
Vector3 angular_velocity(const Matrix3& a, const Vector3& angular_momentum, const Matrix3& second_moment);

struct FreeFlight {
  Matrix3 rotation;          ///< R: the orientation after the step is R A. Orthonormal to rounding
  Vector3 angular_velocity;  ///< after the step, in space; the momentum is still L
};

/// The flight over the time h. The number of substeps follows from constants of the motion and h, so that the
/// steps of a flight are alike; beyond 64, that is turns of some 15 radians in one step, errors grow.
FreeFlight free_flight(const Matrix3& a, const Vector3& angular_momentum, const Matrix3& second_moment,
                       double h);

/// The same in a given number of substeps.
FreeFlight free_flight(const Matrix3& a, const Vector3& angular_momentum, const Matrix3& second_moment,
                       double h, int substeps);

}  // namespace bulwark
