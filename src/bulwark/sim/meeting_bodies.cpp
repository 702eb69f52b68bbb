#include <bulwark/collision/parting.hpp>
#include <bulwark/sim/body_nodes.hpp>
#include <bulwark/sim/meeting_bodies.hpp>
#include <bulwark/sim/name_parts.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

namespace bulwark {
namespace {

/// The gap that a proposed motion leaves, relative to the smaller body.
constexpr double proposed_gap = 1e-6;
/// Places that are named of two bodies, and normals of surfaces there that are tried as directions.
constexpr std::size_t most_places = 3, most_normals = 24;

bool is_of(const Body& body, int vertex) {
  return vertex >= body.first_vertex && vertex < body.first_vertex + body.vertex_count;
}

/// The elements of a body follow each other in the lists of the mesh.
template <class Element>
std::pair<std::size_t, std::size_t> range_of(const std::vector<Element>& elements, const Body& body) {
  const auto before = [&](const Element& e) { return e[0] < body.first_vertex; };
  const auto up_to = [&](const Element& e) { return e[0] < body.first_vertex + body.vertex_count; };
  const auto first = std::partition_point(elements.begin(), elements.end(), before);
  const auto last = std::partition_point(first, elements.end(), up_to);
  return {first - elements.begin(), last - elements.begin()};
}

std::string text_of(const World& world, PrimitiveKind kind, int number) {
  return describe(part_of_primitive(world, {kind, number}));
}

/// Without what rounding leaves beside 1, and without the sign of a zero.
double plain(double value, double beside = 1) {
  return std::abs(value) <= 1e-12 * beside ? 0 : value;
}

std::string place_text(const Vector3& x) {
  const double most = x.cwiseAbs().maxCoeff();
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", plain(x[0], most), plain(x[1], most), plain(x[2], most));
}

bool any_radius(const World& world, int vertex_a, int vertex_b) {
  return world.collision.radius_of(vertex_a) + world.collision.radius_of(vertex_b) > 0;
}

std::string text_of(const World& world, const Vectors& positions, const Intersection& hit) {
  const std::string at = place_text(location(world.collision, positions, hit));
  switch (hit.kind) {
    case Intersection::Kind::point_plane:
      return fmt::format("{} at {} is {} the plane", text_of(world, PrimitiveKind::vertex, hit.first), at,
                         world.collision.radius_of(hit.first) > 0 ? "within its radius of" : "on or behind");
    case Intersection::Kind::point_triangle:
      return fmt::format("{} {} {} at {}", text_of(world, PrimitiveKind::vertex, hit.first),
                         any_radius(world, hit.first, world.collision.triangles[hit.second][0])
                             ? "is within its radius of"
                             : "lies on",
                         text_of(world, PrimitiveKind::triangle, hit.second), at);
    case Intersection::Kind::edge_edge:
      return fmt::format(
          "{} {} {} at {}", text_of(world, PrimitiveKind::edge, hit.first),
          any_radius(world, world.collision.edges[hit.first][0], world.collision.edges[hit.second][0])
              ? "is within its radius of"
              : "meets",
          text_of(world, PrimitiveKind::edge, hit.second), at);
    case Intersection::Kind::edge_triangle:
      break;
  }
  return fmt::format("{} meets {} at {}", text_of(world, PrimitiveKind::edge, hit.first),
                     text_of(world, PrimitiveKind::triangle, hit.second), at);
}

std::string text_of(const World& world, const Vectors& positions, const ClosePair& pair) {
  const int vertex =
      pair.kind == ClosePair::Kind::edge_edge ? world.collision.edges[pair.first][0] : pair.first;
  const std::string at = place_text(positions.col(vertex));
  switch (pair.kind) {
    case ClosePair::Kind::point_plane:
      return fmt::format("{} at {} and the plane", text_of(world, PrimitiveKind::vertex, pair.first), at);
    case ClosePair::Kind::point_triangle:
      return fmt::format("{} at {} and {}", text_of(world, PrimitiveKind::vertex, pair.first), at,
                         text_of(world, PrimitiveKind::triangle, pair.second));
    case ClosePair::Kind::edge_edge:
      break;
  }
  return fmt::format("{} at {} and {}", text_of(world, PrimitiveKind::edge, pair.first), at,
                     text_of(world, PrimitiveKind::edge, pair.second));
}

/// The body's triangles, and its wires and points.
LooseSurface surface_of(const World& world, const Vectors& x, const Body& body) {
  const CollisionMesh& mesh = world.collision;
  LooseSurface surface;
  std::vector<char> used(body.vertex_count, 0);
  const auto use = [&](int a, int b, int c) {
    surface.pieces.push_back({x.col(a), x.col(b), x.col(c)});
    for (const int v : {a, b, c}) used[v - body.first_vertex] = 1;
  };
  const auto [first, last] = range_of(mesh.triangles, body);
  Vector3 vector_area = Vector3::Zero();
  double area = 0;
  for (std::size_t t = first; t < last; ++t) {
    const Triangle& v = mesh.triangles[t];
    use(v[0], v[1], v[2]);
    const Vector3 a = x.col(v[0]), twice = (x.col(v[1]) - a).cross(x.col(v[2]) - a);
    vector_area += twice;
    area += twice.norm();
  }
  // The areas of a closed surface add up to zero; those of a flat sheet or an open tube with ends do not.
  const bool thin = is_thin(world, body);
  surface.closed = area > 0 && vector_area.norm() < 1e-9 * area && !thin;
  const auto [first_edge, last_edge] = range_of(mesh.edges, body);
  for (std::size_t e = first_edge; e < last_edge; ++e) {
    const Edge& v = mesh.edges[e];
    if (used[v[0] - body.first_vertex] && used[v[1] - body.first_vertex] && last > first) continue;
    use(v[0], v[1], v[1]);
  }
  const auto points = std::lower_bound(mesh.points.begin(), mesh.points.end(), body.first_vertex);
  for (auto p = points; p != mesh.points.end() && is_of(body, *p); ++p) {
    if (!used[*p - body.first_vertex]) use(*p, *p, *p);
  }
  return surface;
}

/// Obstacles, and bodies that are held or moved by scripts, are better left where they are.
bool stays(const World& world, const Body& body) {
  return body.is_obstacle() || world.scripted[body.first_control] != 0;
}

struct Reach {
  Vector3 low, high;
  double length() const { return (high - low).norm(); }
  double reach() const { return low.cwiseAbs().cwiseMax(high.cwiseAbs()).maxCoeff(); }
};

Reach reach_of(const World& world, const Vectors& x, const Body& body) {
  const auto points = x.middleCols(body.first_vertex, body.vertex_count);
  const Vector3 radius = Vector3::Constant(largest_radius(world, body));
  return {points.rowwise().minCoeff() - radius, points.rowwise().maxCoeff() + radius};
}

class Parter {
 public:
  Parter(const World& world, const Vectors& positions) : world_(world), x_(positions) {}

  void part(BodyMeeting& meeting) const {
    const Body* a = &world_.bodies[meeting.body_first];
    const Body* b = &world_.bodies[meeting.body_second];
    const Reach of_a = reach_of(world_, x_, *a), of_b = reach_of(world_, x_, *b);
    if (a == b) return;
    const bool a_smaller = of_a.length() < of_b.length();
    const bool a_stays = stays(world_, *a), b_stays = stays(world_, *b);
    if (a_stays != b_stays ? a_stays : !a_smaller) std::swap(a, b);
    double size = std::min(of_a.length(), of_b.length());
    if (!(size > 0)) size = std::max(of_a.length(), of_b.length());
    const double gap = least_gap(std::max(of_a.reach(), of_b.reach()));
    const double margin = std::max(proposed_gap * size, 16 * gap);
    meeting.moved = static_cast<int>(a - world_.bodies.data());
    const CollisionPlane* plane = plane_of(meeting);
    if (plane != nullptr) {
      meeting.moved = plane->body == meeting.body_first ? meeting.body_second : meeting.body_first;
      const Body& solid = world_.bodies[meeting.moved];
      meeting.direction = plane->normal;
      meeting.way = margin - lowest(solid, *plane);
    } else {
      const LooseSurface moving = surface_of(world_, x_, *a), other = surface_of(world_, x_, *b);
      if (moving.pieces.empty() || other.pieces.empty()) return;
      const double radii = largest_radius(world_, *a) + largest_radius(world_, *b);
      const Parting parting = find_parting(moving, other, directions(meeting, *a, *b), radii + margin);
      meeting.direction = parting.direction;
      meeting.way = parting.way;
      // Corners of boxes around what is round are not where it is.
      meeting.exact = parting.exact && radii == 0;
    }
    meeting.can_part = std::isfinite(meeting.way) && meeting.way > 0;
    const double touching = std::max(2 * margin, 16 * gap);
    meeting.depth = meeting.way > touching ? meeting.way - margin : 0;
  }

 private:
  const CollisionPlane* plane_of(const BodyMeeting& meeting) const {
    for (const Intersection& hit : meeting.intersections) {
      if (hit.kind == Intersection::Kind::point_plane) return &world_.collision.planes[hit.second];
    }
    for (const ClosePair& pair : meeting.close) {
      if (pair.kind == ClosePair::Kind::point_plane) return &world_.collision.planes[pair.second];
    }
    return nullptr;
  }

  double lowest(const Body& body, const CollisionPlane& plane) const {
    const Vector3 point = x_.col(plane.vertex);
    double least = std::numeric_limits<double>::infinity();
    const std::vector<int>& points = world_.collision.points;
    auto p = std::lower_bound(points.begin(), points.end(), body.first_vertex);
    for (; p != points.end() && is_of(body, *p); ++p)
      least = std::min(least, plane.normal.dot(x_.col(*p) - point) - world_.collision.radius_of(*p));
    return least;
  }

  /// The axes, the normals of the surfaces where they meet, and the line between the centers.
  std::vector<Vector3> directions(const BodyMeeting& meeting, const Body& moving, const Body& other) const {
    std::vector<Vector3> result;
    const auto both_ways = [&](const Vector3& d) { result.insert(result.end(), {d, -d}); };
    for (const int axis : {1, 0, 2}) {
      if (axis < 2 || !world_.thickness) both_ways(Vector3::Unit(axis));
    }
    std::size_t normals = 0;
    const auto normal_of = [&](int triangle) {
      const Triangle& t = world_.collision.triangles[triangle];
      const Vector3 a = x_.col(t[0]), n = (x_.col(t[1]) - a).cross(x_.col(t[2]) - a);
      const bool known = std::any_of(result.begin(), result.end(), [&](const Vector3& d) {
        return d.dot(n) >= (1 - 1e-9) * d.norm() * n.norm();
      });
      if (known || ++normals > most_normals) return;
      both_ways(n);
    };
    const auto across = [&](int edge) {
      const Edge& e = world_.collision.edges[edge];
      if (is_lone_point(e) || normals >= most_normals) return;
      ++normals;
      both_ways(Vector3::UnitZ().cross(Vector3(x_.col(e[1]) - x_.col(e[0]))));
    };
    for (const Intersection& hit : meeting.intersections) {
      if (world_.thickness && hit.kind == Intersection::Kind::edge_edge) {
        across(hit.first);
        across(hit.second);
      }
      if (hit.kind != Intersection::Kind::edge_edge && hit.kind != Intersection::Kind::point_plane)
        normal_of(hit.second);
    }
    for (const ClosePair& pair : meeting.close) {
      if (pair.kind == ClosePair::Kind::point_triangle) {
        normal_of(pair.second);
      } else if (pair.kind == ClosePair::Kind::edge_edge && world_.thickness) {
        across(pair.first);
        across(pair.second);
      } else if (pair.kind == ClosePair::Kind::edge_edge && normals < most_normals) {
        const Edge &e = world_.collision.edges[pair.first], &f = world_.collision.edges[pair.second];
        ++normals;
        both_ways((x_.col(e[1]) - x_.col(e[0])).cross(Vector3(x_.col(f[1]) - x_.col(f[0]))));
      }
    }
    const auto center = [&](const Body& body) -> Vector3 {
      return x_.middleCols(body.first_vertex, body.vertex_count).rowwise().mean();
    };
    result.push_back(center(moving) - center(other));
    return result;
  }

  const World& world_;
  const Vectors& x_;
};

/// Four digits, rounded up.
double rounded_up(double value) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 3);
  return unit * std::ceil(value / unit * (1 - 1e-12));
}

}  // namespace

std::vector<BodyMeeting> meetings_of(const World& world, const Vectors& positions,
                                     const std::vector<Intersection>& intersections,
                                     const std::vector<ClosePair>& close, std::size_t most_parted) {
  std::map<std::pair<int, int>, BodyMeeting> meetings;
  const auto between = [&](int a, int b) -> BodyMeeting& {
    BodyMeeting& meeting = meetings[std::minmax(a, b)];
    meeting.body_first = std::min(a, b);
    meeting.body_second = std::max(a, b);
    return meeting;
  };
  for (const Intersection& hit : intersections)
    between(hit.body_first, hit.body_second).intersections.push_back(hit);
  for (const ClosePair& pair : close) {
    BodyMeeting& meeting = between(pair.body_first, pair.body_second);
    if (!meeting.intersections.empty()) continue;
    meeting.distance = meeting.close.empty() ? pair.distance : std::min(meeting.distance, pair.distance);
    meeting.close.push_back(pair);
  }
  std::vector<BodyMeeting> result;
  const Parter parter(world, positions);
  for (auto& [bodies, meeting] : meetings) {
    if (result.size() < most_parted) parter.part(meeting);
    result.push_back(std::move(meeting));
  }
  return result;
}

std::string parting_motion(const World& world, const BodyMeeting& meeting) {
  const Vector3& d = meeting.direction;
  // Directions are told by four digits; what that turns them by is made up for by a longer motion.
  const bool axis = d.cwiseAbs().maxCoeff() == 1;
  const double way = rounded_up(axis ? meeting.way : 1.001 * meeting.way);
  return fmt::format("move '{}' by {} {:.4g} m along ({:.4g}, {:.4g}, {:.4g})",
                     world.bodies[meeting.moved].name, meeting.exact ? "at least" : "about", way, plain(d[0]),
                     plain(d[1]), plain(d[2]));
}

std::string describe(const World& world, const Vectors& positions, const BodyMeeting& meeting) {
  const bool itself = meeting.body_first == meeting.body_second;
  const int a = meeting.can_part ? meeting.moved : meeting.body_first;
  const int b = a == meeting.body_first ? meeting.body_second : meeting.body_first;
  const std::string second = itself ? "itself" : fmt::format("'{}'", world.bodies[b].name);
  std::string text = fmt::format("'{}' ", world.bodies[a].name);
  if (meeting.intersections.empty()) {
    text += fmt::format("is {:.2g} m from {}, which rounding can't distinguish from touching",
                        meeting.distance, second);
  } else if (!meeting.can_part) {
    text += fmt::format("touches or passes through {}", second);
  } else if (meeting.depth > 0) {
    text += fmt::format("is {:.4g} m deep in {}", meeting.depth, second);
  } else {
    text += fmt::format("touches {}", second);
  }
  if (meeting.can_part) {
    text += ": " + parting_motion(world, meeting);
  } else if (itself) {
    text += ": its mesh needs to be changed";
  }
  const std::size_t count = std::max(meeting.intersections.size(), meeting.close.size());
  for (std::size_t i = 0; i < std::min(count, most_places); ++i) {
    text += "\n    " + (meeting.intersections.empty() ? text_of(world, positions, meeting.close[i])
                                                      : text_of(world, positions, meeting.intersections[i]));
  }
  if (count > most_places) text += fmt::format("; and {} more", count - most_places);
  return text;
}

}  // namespace bulwark
