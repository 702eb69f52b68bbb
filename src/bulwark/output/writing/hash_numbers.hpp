// How the things of a world are connected, as a part of a hash: the lengths of its arrays and the numbers in
// them (sim/world_arrays.hpp). Checkpoints are told apart by it.
#pragma once

#include <bulwark/base/hash.hpp>
#include <bulwark/sim/world.hpp>

namespace bulwark {

void hash_numbers(Hash& hash, const World& world);

}  // namespace bulwark
