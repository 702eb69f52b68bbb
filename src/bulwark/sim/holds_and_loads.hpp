// What holds and drives the bodies of a world; world.hpp has what a scene's reader asks for.
#pragma once

#include <bulwark/sim/world.hpp>

#include <vector>

namespace bulwark {

/// Moves controls by a script, from where they are.
void add_script(World& world, const std::vector<int>& controls, const Motion& motion);

}  // namespace bulwark
