// Where scripts want their controls at a time, and the path there.
#pragma once

#include <bulwark/sim/world.hpp>
#include <bulwark/terms/control_path.hpp>

namespace bulwark {

/// The controls q with the scripted ones where they are to be.
Vectors script_targets(const World& world, const Vectors& q, double time);

/// Straight, but for stiff bodies that turn: on the path they keep their shape.
ControlPath script_path(const World& world, const Vectors& q, const Vectors& target);

/// Lets a stiff body turn on its path from path.from to the target, if it does.
void turn_towards(const Vectors& target, const StiffBody& body, ControlPath& path);

}  // namespace bulwark
