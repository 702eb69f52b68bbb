// The flat, convex faces of bodies that keep their shape. A face of several triangles pushes a point once,
// along its normal: that of its triangles counts which is nearest, the first of equally near ones, so that
// rounding may change which one it is, but not that it is one. Summed over triangles instead, a point that
// slides over an edge inside the face would meet a push along the face, and twice the force on the edge.
//
// Inside faces are the edges that contact does without (CollisionMesh::edges lacks them). In a convex face
// the nearest point is unique and its distance smooth, so that contacts come and go without a jump; in others
// all triangles count.
#pragma once

#include <bulwark/collision/candidates.hpp>
#include <bulwark/collision/collision_mesh.hpp>
#include <bulwark/stencils/closest_points.hpp>

#include <span>
#include <vector>

namespace bulwark {

class FlatFaces {
 public:
  explicit FlatFaces(const CollisionMesh& mesh);

  /// Whether the contact of a point and a triangle with these closest features is another triangle's.
  bool covered(const CollisionMesh& mesh, const Vectors& positions, const PointTriangleCandidate& candidate,
               const ClosestFeatures& features) const;
  /// The face of a triangle, named by one of its triangles; a triangle that counts by itself is its own.
  int face_of(int triangle) const { return face_.empty() ? triangle : face_[triangle]; }

 private:
  /// Triangles of the same face that share a vertex with this one.
  std::span<const int> neighbours(int triangle) const {
    return {neighbour_.data() + first_[triangle], neighbour_.data() + first_[triangle + 1]};
  }

  std::vector<std::size_t> first_;  ///< per triangle: its first place in neighbour_
  std::vector<int> neighbour_;
  std::vector<int> face_;  ///< per triangle; empty where all are their own
};

}  // namespace bulwark
