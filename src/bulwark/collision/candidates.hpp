// Pairs of primitives that may touch, as the broad phases make them and CCD and contact consume them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bulwark {

struct PointTriangleCandidate {
  int point;     ///< vertex of the collision mesh
  int triangle;  ///< index into CollisionMesh::triangles
  auto operator<=>(const PointTriangleCandidate&) const = default;
};

struct EdgeEdgeCandidate {
  int edge_a;  ///< indices into CollisionMesh::edges, edge_a < edge_b
  int edge_b;
  auto operator<=>(const EdgeEdgeCandidate&) const = default;
};

struct PointPlaneCandidate {
  int point;
  int plane;  ///< index into CollisionMesh::planes
  auto operator<=>(const PointPlaneCandidate&) const = default;
};

/// The candidates between two bodies (or within one): they follow each other in the lists.
struct BodyGroup {
  int body_a = 0, body_b = 0;  ///< body_a <= body_b
  std::size_t point_begin = 0, point_end = 0, edge_begin = 0, edge_end = 0;
};

/// One number for two bodies.
inline std::uint64_t body_pair_key(int body_a, int body_b) {
  return static_cast<std::uint64_t>(body_a) << 32 | static_cast<std::uint32_t>(body_b);
}

/// Each list is sorted within a group, and without repetition.
struct Candidates {
  bool complete = true;  ///< false when there were more than the caller's limit; the lists are then empty
  std::vector<BodyGroup> groups;  ///< by bodies, ascending
  std::vector<PointTriangleCandidate> point_triangle;
  std::vector<EdgeEdgeCandidate> edge_edge;
  std::vector<PointPlaneCandidate> point_plane;
};

/// Candidates of which the boxes come within a distance of each other, by their places in the lists.
struct NearCandidates {
  std::vector<std::size_t> groups;  ///< the bodies whose boxes do
  std::vector<std::uint32_t> point_triangle, edge_edge, point_plane;

  bool empty() const { return point_triangle.empty() && edge_edge.empty() && point_plane.empty(); }
};

class ContactScales;
struct CollisionMesh;
struct VertexBoxes;

/// Orders point-triangle and edge-edge candidates by the bodies they are between, so that what two bodies far
/// apart have in common can be passed over at once.
void group_by_bodies(const CollisionMesh& mesh, Candidates& candidates);

/// Those that may come within the full range of their bodies' solids while every vertex stays in its box. Where
/// `moving` has a flag for every body, pairs of which neither side moves are left out.
NearCandidates near_candidates(const CollisionMesh& mesh, const Candidates& candidates,
                               const VertexBoxes& boxes, const ContactScales& scales,
                               const std::vector<char>& moving = {});

/// Whether the boxes of a candidate's two sides are farther apart than `distance` and the sum of their radii.
bool boxes_apart(const CollisionMesh& mesh, const VertexBoxes& boxes, const PointTriangleCandidate& candidate,
                 double distance);
bool boxes_apart(const CollisionMesh& mesh, const VertexBoxes& boxes, const EdgeEdgeCandidate& candidate,
                 double distance);

}  // namespace bulwark
