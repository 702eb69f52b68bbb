// Checks of the start state, before the first step: nothing may intersect, nothing may be too close.
#pragma once

#include <bulwark/base/stop_request.hpp>
#include <bulwark/sim/meeting_bodies.hpp>
#include <bulwark/sim/world.hpp>
#include <bulwark/terms/barrier_contact.hpp>

namespace bulwark {

/// Throws IntersectionError where bodies touch or pass through each other, or are so close that rounding
/// can't tell (collision/close_pairs.hpp): two bodies a line, with how deep and what would part them.
void check_start(const World& world, const StopRequest& stop = {});

/// The same after a change between steps, for the pairs of the bodies that are marked as changed.
void check_change(const World& world, const std::vector<char>& changed);

/// Throws IntersectionError when a pair is at or below the minimum distance. The contact must be prepared.
void check_minimum_distance(const World& world, const BarrierContact& contact);

}  // namespace bulwark
