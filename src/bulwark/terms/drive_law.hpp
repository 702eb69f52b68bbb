// What acts on the coordinate of a joint.
#pragma once

namespace bulwark {

/// A spring to a rest value; a motor's stiff spring to a place, the same to what a speed leads to, or its
/// force; viscous damping; the barriers of a range.
enum class DriveLaw : unsigned char { spring, position, speed, force, damping, range };

}  // namespace bulwark
