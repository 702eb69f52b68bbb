// Bodies that touch or pass through each other, as a user is told: one line for two bodies with how deep they
// are in each other and what would part them, then some of the places, in numbers of the bodies' own meshes.
#pragma once

#include <bulwark/collision/close_pairs.hpp>
#include <bulwark/collision/exact_intersection.hpp>
#include <bulwark/sim/world.hpp>

#include <string>
#include <vector>

namespace bulwark {

/// Where two bodies meet (or one meets itself), how, and the shortest motion found to part them.
struct BodyMeeting {
  int body_first = 0, body_second = 0;  ///< in ascending order
  std::vector<Intersection> intersections;
  std::vector<ClosePair> close;  ///< used where nothing intersects
  double distance = 0;           ///< between them, m; 0 where they intersect

  bool can_part = false;  ///< the rest is given; not for a body that meets itself
  int moved = 0;          ///< the body to move
  Vector3 direction = Vector3::UnitY();
  double way = 0;     ///< m, to beyond the gap that is needed
  double depth = 0;   ///< m, to where they touch; 0 where they do
  bool exact = true;  ///< whether the way is the shortest in this direction
};

/// Meetings by bodies, ascending. Ways are looked for of the first `most_parted`: that takes time.
std::vector<BodyMeeting> meetings_of(const World& world, const Vectors& positions,
                                     const std::vector<Intersection>& intersections,
                                     const std::vector<ClosePair>& close, std::size_t most_parted);

/// "'ball' is 0.012 m deep in 'floor': move 'ball' by at least 0.01201 m along (0, 1, 0)", and up to three
/// places on lines of their own.
std::string describe(const World& world, const Vectors& positions, const BodyMeeting& meeting);

/// "move 'ball' by at least 0.01201 m along (0, 1, 0)".
std::string parting_motion(const World& world, const BodyMeeting& meeting);

}  // namespace bulwark
