// Takes joints out of a world, between steps. Numbers of joints, rows, coordinates and drives close up
// (remove_marked.hpp).
#pragma once

#include <bulwark/sim/world.hpp>

#include <vector>

namespace bulwark {

/// Removes the marked joints (one flag per joint), and with them the motors that drive them. Two bodies that
/// did not collide because of a joint still do not: they may overlap.
void remove_joints(World& world, const std::vector<char>& gone);

}  // namespace bulwark
