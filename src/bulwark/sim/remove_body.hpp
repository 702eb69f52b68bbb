// Takes a body out of a world, between steps. What comes after it in the world's arrays closes up, so the
// numbers of later bodies, controls and vertices change; their order, ids and values stay. The body's joints
// go with it.
#pragma once

#include <bulwark/sim/world.hpp>

namespace bulwark {

void remove_body(World& world, int body);

}  // namespace bulwark
