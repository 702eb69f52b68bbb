// A body's place and motion, written into a state: what a program sets between steps. Simulation::move_to
// takes the result over.
#pragma once

#include <bulwark/sim/world.hpp>

namespace bulwark {

/// Moves a body to a center of mass and an orientation, without any deformation of a stiff body; a soft one
/// keeps its present shape. Velocities turn with it. Throws InputError for bodies that follow a script, for
/// rotations that are held, and for numbers that are no rotation.
void place_body(const World& world, int body, const Vector3& center, const Matrix3& rotation, State& state);

/// Gives a body the velocity of its center of mass and an angular velocity (rad/s), along what is not held.
/// Throws InputError for bodies that follow a script, and for numbers that are not finite.
void set_body_velocity(const World& world, int body, const Vector3& velocity, const Vector3& angular_velocity,
                       State& state);

}  // namespace bulwark
