// Checks of the start state, before the first step: nothing may intersect, nothing may be too close.
#pragma once

#include <bulwark/sim/world.hpp>
#include <bulwark/terms/barrier_contact.hpp>

#include <string>

namespace bulwark {

/// Throws IntersectionError that lists the first intersecting pairs by body, element and coordinates.
void check_start(const World& world);

/// The same after a change between steps, for the pairs of the bodies that are marked as changed.
void check_change(const World& world, const std::vector<char>& changed);

/// Throws IntersectionError when a pair is at or below the minimum distance. The contact must be prepared.
void check_minimum_distance(const World& world, const BarrierContact& contact);

/// "'ball' vertex 12".
std::string describe_vertex(const World& world, int vertex);

}  // namespace bulwark
