// Pairs of primitives that may touch, as the broad phases make them and CCD and contact consume them.
#pragma once

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

/// Each list is sorted and without repetition.
struct Candidates {
  bool complete = true;  ///< false when there were more than the caller's limit; the lists are then empty
  std::vector<PointTriangleCandidate> point_triangle;
  std::vector<EdgeEdgeCandidate> edge_edge;
  std::vector<PointPlaneCandidate> point_plane;
};

}  // namespace bulwark
