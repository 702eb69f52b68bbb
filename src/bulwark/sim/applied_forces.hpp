// Forces and torques that a program which steers lets act on bodies, see World::applied. Used by StepSolver.
#pragma once

#include <bulwark/sim/world.hpp>

namespace bulwark {

/// A torque t on a stiff body is the force 1/2 t x a_k on the columns of its A: together they turn it by t
/// and stretch nothing.
void add_torque(const StiffBody& body, const Vector3& torque, const Vectors& q, Vectors& force);

/// Adds what is applied to the forces on the controls (N), at the controls q. A body's force acts in equal
/// shares on its points: on all nodes of a soft body, at the center of mass of a stiff one.
void add_applied_forces(const World& world, const Vectors& q, Vectors& force);

/// Sets a body's force and torque, which act until they are set again. Throws InputError for numbers that are
/// not finite, and for a torque on a body that is not stiff.
void apply(World& world, int body, const Applied& applied);

}  // namespace bulwark
