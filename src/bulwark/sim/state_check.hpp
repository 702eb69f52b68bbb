// Whether a state belongs to a world: asked of states that come from files and from programs.
#pragma once

#include <bulwark/sim/world.hpp>

#include <string>

namespace bulwark {

/// Throws InputError naming `place` when an array of the state has another size than the world's, when a
/// number is not finite or too large to be computed with, or when a stiff body is turned inside out.
void require_state_fits(const State& state, const World& world, const std::string& place);

}  // namespace bulwark
