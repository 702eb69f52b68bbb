// What differs between a world and its edited copy, and the past that changed bodies get. Simulation uses
// this to change a world between steps.
#pragma once

#include <bulwark/sim/world.hpp>

#include <vector>

namespace bulwark {

/// Per body of the world after the change.
struct BodyChanges {
  std::vector<char> surface;  ///< new, moved, or taking part in contact by other rules
  std::vector<char> motion;   ///< new, or with other positions or velocities of its controls
};

/// Bodies are the same when their ids are.
BodyChanges changes_between(const World& before, const World& after);

/// Throws InputError when the arrays of a world do not fit together, or its state can't be one: positions or
/// velocities that are not finite, a rigid body whose A is no rotation, an affine one turned inside out, a
/// joint that does not hold.
void require_sound(const World& world);

/// Gives the marked bodies one step of past: free motion with the velocity v and the acceleration a,
///   q0 = q - h v + h^2/2 a,   v0 = v - h a;   A0 = exp(-h [w]) A for stiff bodies that turn by w.
/// BDF-2 then begins as exactly as it goes on: from there its step gives q + h v + h^2/2 a and v + h a. Where
/// the world has no past yet (before the first step) there is nothing to do.
void begin_past(World& world, const std::vector<char>& bodies, double h);

}  // namespace bulwark
