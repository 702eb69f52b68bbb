// Which pairs of primitives a broad phase reports, apart from where they are. Shared by all broad phases.
#pragma once

#include <bulwark/collision/broad_phase.hpp>

#include <limits>

namespace bulwark {

inline bool share_vertex(int point, const Triangle& t) {
  return point == t[0] || point == t[1] || point == t[2];
}

inline bool share_vertex(const Edge& a, const Edge& b) {
  return a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1];
}

/// Whether two edges are looked at for contact, apart from the rules of their bodies. A lone point meets free
/// segments and other lone points, an end of a segment meets free segments, where there is a radius to meet;
/// surfaces meet points by their triangles. In the plane z = 0 segments first touch at an end of one of them: only
/// corners and lone points meet them.
inline bool edges_meet(const CollisionMesh& mesh, int a, int b) {
  const Edge &first = mesh.edges[a], &second = mesh.edges[b];
  const EdgeRole role_a = mesh.role_of(a), role_b = mesh.role_of(b);
  if (role_a == EdgeRole::outline || role_b == EdgeRole::outline)
    return is_lone_point(role_a == EdgeRole::outline ? second : first);
  if (role_a == EdgeRole::corner || role_b == EdgeRole::corner) return false;
  if (!is_lone_point(first) && !is_lone_point(second)) return true;
  if (role_a == EdgeRole::of_triangle || role_b == EdgeRole::of_triangle) return false;
  // The other side of an end is a segment, which has the points at its own ends in it.
  if (role_a == EdgeRole::end && (role_b == EdgeRole::end || is_lone_point(second))) return false;
  if (role_b == EdgeRole::end && is_lone_point(first)) return false;
  return mesh.radius_of(first[0]) + mesh.radius_of(second[0]) > 0;
}

/// Whether some point x of the vertex's box and some point y of the plane vertex's box have n . (x - y) <= 0.
/// The slack covers the rounding of the sum, so that no pair is lost to it.
inline bool reaches_plane(const VertexBoxes& boxes, int point, const CollisionPlane& plane) {
  double sum = 0, magnitude = 0;
  for (int i = 0; i < 3; ++i) {
    const double n = plane.normal[i];
    const double nearest = n > 0 ? n * (boxes.lower(i, point) - boxes.upper(i, plane.vertex))
                                 : n * (boxes.upper(i, point) - boxes.lower(i, plane.vertex));
    sum += nearest;
    magnitude += std::abs(nearest);
  }
  return sum <= 4 * std::numeric_limits<double>::epsilon() * magnitude;
}

/// All point-plane pairs: planes are few, so every point is tested against each.
std::vector<PointPlaneCandidate> find_point_plane(const CollisionMesh& mesh, const VertexBoxes& boxes);

}  // namespace bulwark
