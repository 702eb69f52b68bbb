// The pairs within contact range of each other at one configuration, each reduced to its closest features.
// Pairs that reduce to the same points or point and edge are kept once, with their multiplicity, or with the
// sum of their areas where contact is area-weighted (contact_areas.hpp, shared_features.hpp).
#pragma once

#include <bulwark/collision/candidates.hpp>
#include <bulwark/collision/collision_mesh.hpp>
#include <bulwark/collision/contact_scales.hpp>
#include <bulwark/stencils/barrier.hpp>
#include <bulwark/stencils/closest_points.hpp>

#include <array>
#include <vector>

namespace bulwark {

struct ContactPair {
  PairKind kind = PairKind::point_point;
  bool mollified = false;  ///< an edge-edge pair with an active mollifier; then all four vertices count
  std::array<int, 4> vertex = {-1, -1, -1, -1};  ///< of the collision mesh, in the kind's order
  /// How often it counts. Where contact is area-weighted its area (m^2), negative where it is taken off.
  double multiplicity = 1;
  double stiffness = 1;  ///< of the two bodies, J/m^4; J/m^4 per m^2 where contact is area-weighted
  double offset =
      0;  ///< m: the part of the range's minimum distance that is the solids' own (pair_offset.hpp)
  BarrierRange range;  ///< of the two bodies
  double mollifier_threshold = 0;
  Vector3 plane_normal = Vector3::Zero();  ///< of a point-plane pair

  double weight() const { return multiplicity * stiffness; }
  int vertices() const { return mollified ? 4 : vertex_count(kind); }
  /// The first vertex of the second side; the first side begins with the first vertex.
  int second_side() const { return kind == PairKind::edge_edge ? vertex[2] : vertex[1]; }
};

/// Closest points of a pair at vertex positions V; weights in the order of pair.vertex.
ClosestPoints closest_points(const ContactPair& pair, const Vectors& positions);
SlidingPoints sliding_points(const ContactPair& pair, const Vectors& positions);

/// The order of contacts: by the bodies they are between, then by kind and vertices; planes come last.
bool is_before(const CollisionMesh& mesh, const ContactPair& a, const ContactPair& b);

class ContactAreas;
class FlatFaces;

/// All candidates within their bodies' range, in order, a flat face counted once; `near` must have them.
/// Where there are areas, pairs count by them.
std::vector<ContactPair> find_contacts(const CollisionMesh& mesh, const FlatFaces& faces,
                                       const Vectors& positions, const Candidates& candidates,
                                       const NearCandidates& near, const ContactScales& scales,
                                       const ContactAreas& areas);
/// The same of candidates at any distance.
std::vector<ContactPair> find_distant_contacts(const CollisionMesh& mesh, const FlatFaces& faces,
                                               const Vectors& positions, const Candidates& candidates,
                                               const NearCandidates& near, const ContactScales& scales,
                                               const ContactAreas& areas);

/// The four vertices of a candidate.
inline std::array<int, 4> vertices_of(const CollisionMesh& mesh, const PointTriangleCandidate& c) {
  const Triangle& t = mesh.triangles[c.triangle];
  return {c.point, t[0], t[1], t[2]};
}
inline std::array<int, 4> vertices_of(const CollisionMesh& mesh, const EdgeEdgeCandidate& c) {
  const Edge &a = mesh.edges[c.edge_a], &b = mesh.edges[c.edge_b];
  return {a[0], a[1], b[0], b[1]};
}
/// The positions of four vertices.
inline std::array<Vector3, 4> positions_of(const std::array<int, 4>& vertex, const Vectors& positions) {
  return {positions.col(vertex[0]), positions.col(vertex[1]), positions.col(vertex[2]),
          positions.col(vertex[3])};
}

inline ClosestFeatures features_of(const PointTriangleCandidate&, const std::array<Vector3, 4>& x) {
  return point_triangle_features(x[0], x[1], x[2], x[3]);
}
inline ClosestFeatures features_of(const EdgeEdgeCandidate&, const std::array<Vector3, 4>& x) {
  return edge_edge_features(x[0], x[1], x[2], x[3]);
}

}  // namespace bulwark
