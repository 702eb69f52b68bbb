// What holds a body of a planar scene in the plane, apart from what holds it there besides.
#pragma once

#include <bulwark/sim/world.hpp>

namespace bulwark {

/// The axes along which a control does not move because nothing leaves the plane (bodies/planar_layout.hpp); none in
/// space.
HeldAxes plane_axes(const World& world, int control);

/// The other axes along which a control does not move.
inline HeldAxes held_besides_plane(const World& world, int control) {
  return static_cast<HeldAxes>(world.held[control] & ~plane_axes(world, control));
}

}  // namespace bulwark
