// What a joint moves: the inertia that its stiffnesses are made from, and the size that its errors are small
// against.
#pragma once

#include <bulwark/sim/world.hpp>

#include <array>

namespace bulwark {

/// Whether forces move a body, or a part of it: not the world, an obstacle, or what follows a script.
bool is_moved_by_forces(const World& world, int body);

double mass_of(const World& world, int body);
/// Moment of inertia of a body as it is about an axis through a point; more than nothing, even of a rod about itself.
double moment_of(const World& world, int body, const Vector3& point, const Vector3& axis);

/// 1 / sum of 1 / measure(body) over those of the two bodies that forces move; 1 where there are none.
template <class Measure>
double reduced_inertia(const World& world, const std::array<int, 2>& bodies, Measure&& measure) {
  double inverse = 0;
  for (const int body : bodies) {
    if (is_moved_by_forces(world, body)) inverse += 1 / measure(body);
  }
  return inverse > 0 ? 1 / inverse : 1;
}

/// Size of the smaller one of those of the two bodies that forces move (m).
double smaller_extent(const World& world, const std::array<int, 2>& bodies);

}  // namespace bulwark
