// Time integration of stiff bodies that turn (bodies/stiff_body.hpp). A straight prediction A + h A' would
// stretch the body and slow its spin. Instead the prediction is the body's own free flight, and contact and
// loads show as the distance of the new A from it:
//   A~ = R A,  R = free flight over h with the angular momentum L      p~ = p + h v
//   A' minimises 1/2 |A' - A~|^2_S + h^2 P                             L' = L + sum_k a'_k x (S (A' - A~))_k
//   / h
// The last part is h times the torque of all forces. So the momentum of a body in free flight is constant, to
// rounding, and changes by what acts on it. Velocities are those of a rigid motion: A' rate = [w'] A'.
#pragma once

#include <bulwark/bodies/stiff_body.hpp>
#include <bulwark/integrate/state.hpp>

#include <vector>

namespace bulwark {

/// The momenta of a step's beginning, one per body.
using SpinMomenta = std::vector<Vector3>;

/// Puts the free flight over h into the columns of `target` that belong to stiff bodies.
SpinMomenta predict_stiff(const std::vector<StiffBody>& bodies, const State& state, double h,
                          Vectors& target);

/// The rates of A at the new positions in `state`, given the prediction.
void advance_stiff(const std::vector<StiffBody>& bodies, const SpinMomenta& momenta, const Vectors& target,
                   double h, State& state);

}  // namespace bulwark
