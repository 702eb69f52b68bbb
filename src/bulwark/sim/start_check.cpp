#include <bulwark/base/error.hpp>
#include <bulwark/collision/close_pairs.hpp>
#include <bulwark/collision/exact_intersection.hpp>
#include <bulwark/sim/name_parts.hpp>
#include <bulwark/sim/start_check.hpp>

#include <fmt/format.h>

#include <limits>

namespace bulwark {
namespace {

/// Pairs of elements that are looked for, and pairs of bodies that are told of.
constexpr std::size_t most_elements = 20'000, most_told = 10;

void check(const World& world, const std::string& what, const std::vector<char>& bodies,
           const StopRequest& stop = {}) {
  const Vectors positions = vertex_positions(world.collision, world.state.position);
  const std::vector<Intersection> hits =
      find_intersections(world.collision, positions, most_elements, bodies, stop);
  const std::vector<ClosePair> close = find_close_pairs(world.collision, positions, most_elements, bodies);
  if (hits.empty() && close.empty()) return;
  const std::vector<BodyMeeting> meetings = meetings_of(world, positions, hits, close, most_told);
  std::string message = what + " surfaces that touch or pass through each other:";
  for (std::size_t k = 0; k < std::min(most_told, meetings.size()); ++k)
    message += "\n  " + describe(world, positions, meetings[k]);
  if (meetings.size() > most_told) {
    const std::size_t more = meetings.size() - most_told;
    const bool all = hits.size() < most_elements && close.size() < most_elements;
    message +=
        fmt::format("\n  and {}{} more pair{} of bodies", all ? "" : "at least ", more, more == 1 ? "" : "s");
  }
  std::string remedy = meetings[0].can_part ? parting_motion(world, meetings[0]) + "; s" : "S";
  remedy += "urfaces need a gap, however small, to begin with";
  throw IntersectionError(message + "\n  Surfaces need a gap, however small, to begin with.", remedy);
}

}  // namespace

void check_start(const World& world, const StopRequest& stop) {
  check(world, "the start state has", {}, stop);
}

void check_change(const World& world, const std::vector<char>& changed) {
  check(world, "the change is refused; it would create", changed);
}

void check_minimum_distance(const World& world, const BarrierContact& contact) {
  const double least = contact.scales().minimum_distance();
  for (const ContactPair& pair : contact.contacts()) {
    const ClosestPoints closest = closest_points(pair, contact.vertex_positions());
    const double from = std::sqrt(closest.squared_distance()), distance = from - pair.offset;
    if (distance > least) continue;
    const int first = pair.vertex[0], second = pair.second_side();
    const std::string problem = fmt::format(
        "at the start {} and {} are {:.3g} m apart, not more than the minimum distance of {:.3g} m",
        describe(part_of_primitive(world, {PrimitiveKind::vertex, first})),
        describe(part_of_primitive(world, {PrimitiveKind::vertex, second})), distance, least);
    std::string remedy = "lower /contact/minimum_distance";
    const int a = world.collision.vertex_body[first], b = world.collision.vertex_body[second];
    if (a != b && from > 0) {
      BodyMeeting meeting;
      meeting.moved = world.bodies[a].is_obstacle() ? b : a;
      meeting.direction = (meeting.moved == a ? 1 : -1) * closest.r / from;
      meeting.way = 1.001 * least - distance;
      remedy = parting_motion(world, meeting) + ", or " + remedy;
    }
    throw IntersectionError(problem + "\n  " + remedy, remedy);
  }
}

}  // namespace bulwark
