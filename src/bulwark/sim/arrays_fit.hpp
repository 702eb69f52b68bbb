// Whether the arrays of a world fit together: all of the length they should have, and all numbers within what
// they are numbers of (sim/world_arrays.hpp).
#pragma once

#include <bulwark/sim/world.hpp>

#include <string>

namespace bulwark {

/// The first array that does not fit and why, in words; empty when all do.
std::string arrays_misfit(const World& world);

}  // namespace bulwark
