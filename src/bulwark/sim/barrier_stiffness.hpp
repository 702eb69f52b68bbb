// The adaptive stiffness of the contact barrier, in J/m^4. It keeps gaps clear of both rounding (too soft)
// and of the end of the barrier (too stiff).
#pragma once

#include <bulwark/solve/objective.hpp>
#include <bulwark/terms/barrier_contact.hpp>

namespace bulwark {

/// Bounds for scenes of stiff bodies alone, of average mass `mass`. These have no compliance of their own, so
/// the barrier's is chosen for the solver: at half the contact distance it is a spring of 50 times the
/// inertia m / scale. Stiffer barriers act in the outermost part of their range only, where their curvature
/// changes from step to step of Newton's method.
struct StiffnessBounds;
StiffnessBounds stiff_body_bounds(const BarrierRange& range, double mass, double scale);

struct StiffnessBounds {
  double minimum = 0, maximum = 0;
};

/// The smallest useful stiffness makes the barrier's Hessian at a gap of 1e-8 of the scene's length 1e11
/// times the nodal mass:  minimum = 1e11 m / (4 D0 b''(D0)) / scale,  D0 = (1e-8 length)^2;  maximum = 100
/// minimum. scale = beta h^2 turns the source's convention (barrier outside of it) into ours.
StiffnessBounds stiffness_bounds(const BarrierRange& range, double length, double nodal_mass, double scale);

/// The stiffness that balances the objective's other forces at q in the sense of least squares, within the
/// bounds. The contact must be prepared at q.
double balancing_stiffness(Objective& objective, const BarrierContact& contact, const CollisionMesh& mesh,
                           const Vectors& q, const StiffnessBounds& bounds);

/// The stiffness that would hold the hardest pressed contact, under the force that it has now, at a fiftieth
/// of the contact distance:  f / u(d / 50),  u the barrier's force per unit of stiffness. Where light nodes
/// carry a heavy load, what their mass asks for would let the gaps shrink to nothing. To ask for more would
/// stiffen the contacts of any hard impact while they are compressed, which does work: things jump.
double loaded_stiffness(const BarrierContact& contact);

/// Doubled, up to the maximum, when the smallest gap was below 1e-9 of the length before and after an
/// iteration, and shrank.
double adapted_stiffness(double stiffness, double distance_before, double distance_after, double tiny,
                         const StiffnessBounds& bounds);

}  // namespace bulwark
