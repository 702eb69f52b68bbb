// Time integration of stiff bodies that turn (bodies/stiff_body.hpp). A straight prediction A + h A' would
// stretch the body and slow its spin. Instead the prediction is the body's own free flight, and contact and
// loads show as the distance of the new A from it:
//   A~ = R A,  R = free flight over h with the angular momentum L      p~ = p + h v
//   A' minimises 1/2 |A' - A~|^2_S + h^2 P                             L' = L + sum_k a'_k x (S (A' - A~))_k / h
// The last part is h times the torque of all forces. So the momentum of a body in free flight is constant, to
// rounding, and changes by what acts on it. Velocities are those of a rigid motion: A' rate = [w'] A'.
//
// BDF-2 is the same with two steps of history. In terms of the deviation y from the free flight through the
// state (q, v) of the step's beginning, where y = 0 and u = y' = 0, its formula for all other controls reads
//   y~ = - y0 / 3 - 2h/9 u0,     y0 = q0 - (q - h v),   u0 = v0 - v,
// and so it is taken for rotations, with the flight in place of the straight line:
//   A0 = exp([y0]) F-,  F-+ = free flight of A over -+h      u0 = I^-1 (L0 - L)
//   A~ = exp(- [R y0] / 3 - 2h/9 [u0]) F+                    R: the flight's rotation from F- to F+
//   A' minimises 1/2 |A' - A~|^2_S + 4/9 h^2 P               L' = (4 L - L0) / 3 + 3/(2h) sum_k a'_k x (S (A' - A~))_k
//
// Newmark's method is the same with the torque t of the step's beginning, which the accelerations of A's
// columns hold:
//   A~ = exp(h^2/4 [I^-1 t]) F+
//   A' minimises 1/2 |A' - A~|^2_S + 1/4 h^2 P               L' = L + h/2 t + 2/h sum_k a'_k x (S (A' - A~))_k
#pragma once

#include <bulwark/bodies/stiff_body.hpp>
#include <bulwark/integrate/integrator.hpp>

#include <vector>

namespace bulwark {

/// The angular momenta that bodies have at a step's end if nothing acts on them, one per body.
using SpinMomenta = std::vector<Vector3>;

/// Puts the free flight over h into the columns of the target that belong to stiff bodies.
SpinMomenta predict_stiff(const std::vector<StiffBody>& bodies, const State& state, double h,
                          Prediction& prediction);

/// How fast the columns of A turn under an angular momentum, or, of an acceleration, under a torque.
Matrix3 spin_under(const StiffBody& body, const Matrix3& A, const Vector3& momentum);

/// The rates of A at the new positions in `state`, given the prediction, and for Newmark's method its
/// accelerations.
void advance_stiff(const std::vector<StiffBody>& bodies, const SpinMomenta& momenta,
                   const Prediction& prediction, State& state);

}  // namespace bulwark
