// Forces and torques that a program which steers lets act on bodies, see World::applied. Used by StepSolver.
#pragma once

#include <bulwark/sim/world.hpp>

namespace bulwark {

/// Adds what is applied to the forces on the controls (N), at the controls q. A body's force acts at the
/// center of mass of a stiff body, and in equal shares on the nodes of a soft one. A torque t is the force
/// 1/2 t x a_k on the columns a_k of a stiff body's A.
void add_applied_forces(const World& world, const Vectors& q, Vectors& force);

/// Sets a body's force and torque, which act until they are set again. Throws InputError for numbers that are
/// not finite, and for a torque on a body that is not stiff.
void apply(World& world, int body, const Applied& applied);

}  // namespace bulwark
