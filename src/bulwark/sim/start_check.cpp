#include <bulwark/base/error.hpp>
#include <bulwark/collision/exact_intersection.hpp>
#include <bulwark/sim/start_check.hpp>

#include <fmt/format.h>

#include <limits>

namespace bulwark {
std::string describe_vertex(const World& world, int vertex) {
  const int body = world.collision.vertex_body[vertex];
  return fmt::format("'{}' vertex {}", world.bodies[body].name, vertex - world.bodies[body].first_vertex);
}

namespace {

void check(const World& world, const std::string& what, const std::vector<char>& bodies) {
  constexpr std::size_t listed = 10;
  const Vectors positions = vertex_positions(world.collision, world.state.position);
  const std::vector<Intersection> hits = find_intersections(world.collision, positions, listed + 1, bodies);
  if (hits.empty()) return;
  std::vector<std::string> names;
  for (const Body& body : world.bodies) names.push_back(body.name);
  std::string message = what + " surfaces that touch or pass through each other:";
  for (std::size_t k = 0; k < std::min(listed, hits.size()); ++k) {
    message += "\n  " + describe(world.collision, positions, hits[k], names);
  }
  if (hits.size() > listed) message += "\n  and more";
  const std::string remedy = "Move the bodies apart; surfaces need a gap, however small, to begin with.";
  throw IntersectionError(message + "\n  " + remedy, remedy);
}

}  // namespace

void check_start(const World& world) {
  check(world, "the start state has", {});
}

void check_change(const World& world, const std::vector<char>& changed) {
  check(world, "the change is refused, it would make", changed);
}

void check_minimum_distance(const World& world, const BarrierContact& contact) {
  for (const ContactPair& pair : contact.contacts()) {
    const double distance = std::sqrt(closest_points(pair, contact.vertex_positions()).squared_distance());
    if (distance > contact.scales().minimum_distance()) continue;
    const int second = pair.second_side();
    throw IntersectionError(
        fmt::format("at the start {} and {} are {:.3g} m apart, not more than the minimum distance of {:.3g} "
                    "m.\n  Move the "
                    "bodies apart or lower /contact/minimum_distance.",
                    describe_vertex(world, pair.vertex[0]), describe_vertex(world, second), distance,
                    contact.scales().minimum_distance()));
  }
}

}  // namespace bulwark
