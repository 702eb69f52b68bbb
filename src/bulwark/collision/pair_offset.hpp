// How far apart the points, edges and triangles of two solids with radii have to stay: the offset of a pair.
//
// Between two bodies it is the sum of the two radii. Within one body it is less for primitives that are close
// to each other at rest: parts of a rope nearer to each other than its thickness are the same piece of rope.
// They keep half of the distance that they have at rest.
#pragma once

#include <bulwark/collision/contact_set.hpp>

#include <algorithm>
#include <cmath>

namespace bulwark {

/// Part of the distance at rest that primitives of one body keep in any case.
inline constexpr double kept_of_rest_distance = 0.5;

/// A vertex of each side of a candidate.
inline std::array<int, 2> vertices_of_sides(const CollisionMesh& mesh, const PointTriangleCandidate& c) {
  return {c.point, mesh.triangles[c.triangle][0]};
}
inline std::array<int, 2> vertices_of_sides(const CollisionMesh& mesh, const EdgeEdgeCandidate& c) {
  return {mesh.edges[c.edge_a][0], mesh.edges[c.edge_b][0]};
}

/// The offset of a pair (m).
template <class Candidate>
double pair_offset(const CollisionMesh& mesh, const Candidate& candidate) {
  if (mesh.radius.empty()) return 0;
  const std::array<int, 2> side = vertices_of_sides(mesh, candidate);
  const double sum = mesh.radius_of(side[0]) + mesh.radius_of(side[1]);
  if (sum == 0 || mesh.vertex_body[side[0]] != mesh.vertex_body[side[1]]) return sum;
  const std::array<Vector3, 4> x = positions_of(vertices_of(mesh, candidate), mesh.rest);
  return std::min(sum,
                  kept_of_rest_distance * std::sqrt(squared_distance(features_of(candidate, x), x.data())));
}

inline double pair_offset(const CollisionMesh& mesh, const PointPlaneCandidate& candidate) {
  return mesh.radius_of(candidate.point);
}

}  // namespace bulwark
