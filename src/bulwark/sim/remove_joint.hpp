// Takes joints out of a world, between steps. Later joints, rows, coordinates and drives close up.
#pragma once

#include <bulwark/sim/world.hpp>

#include <vector>

namespace bulwark {

/// Removes the marked joints (one flag per joint), and with them the motors that drive them.
void remove_joints(World& world, std::vector<char> gone);

/// Removes the joints of a body.
void remove_joints_of(World& world, int body);

}  // namespace bulwark
