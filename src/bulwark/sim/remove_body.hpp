// Takes bodies out of a world, between steps, with all that is theirs: elements, scripts, loads, joints and
// pairs. Numbers close up (remove_marked.hpp); order, ids and values stay.
#pragma once

#include <bulwark/sim/world.hpp>

#include <vector>

namespace bulwark {

void remove_body(World& world, int body);

/// Removes the marked bodies (one flag per body) at once.
void remove_bodies(World& world, const std::vector<char>& gone);

}  // namespace bulwark
