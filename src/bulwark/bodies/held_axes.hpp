// Axes along which a control does not move, one bit each. For the first column of a rigid body's A: axes
// about which the body does not turn.
#pragma once

namespace bulwark {

using HeldAxes = unsigned char;
inline constexpr HeldAxes all_axes = 7;

}  // namespace bulwark
