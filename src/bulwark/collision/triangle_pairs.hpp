// Detection of contact between bodies whose surfaces may overlap: the pairs of triangles, and of triangles and
// planes, that are within reach of each other. What is done with them is in contact_patches.hpp.
#pragma once

#include <bulwark/collision/collision_mesh.hpp>

#include <array>
#include <vector>

namespace bulwark {

struct TrianglePairs {
  std::vector<std::array<int, 2>> triangles;  ///< that of the body with the smaller number first; sorted
  std::vector<std::array<int, 2>> on_planes;  ///< a triangle and a plane of the mesh; sorted
};

/// The surfaces of the bodies of some pairs, as they were when it was made: find() may be called in any thread, whatever
/// becomes of the mesh.
class OverlapSearch {
 public:
  /// Pairs of bodies, the smaller number first.
  OverlapSearch(const CollisionMesh& mesh, std::vector<std::array<int, 2>> body_pairs);

  /// All pairs of triangles whose boxes, each grown by its body's reach (m), overlap at the given positions of the
  /// vertices, and all triangles that are no farther in front of a plane than both reaches. So none is missing
  /// that meet wherever each vertex is no farther from there than its body's reach.
  TrianglePairs find(const Vectors& positions, const std::vector<double>& reach) const;

  const std::vector<std::array<int, 2>>& body_pairs() const { return body_pairs_; }
  /// Bodies that are in any pair.
  const std::vector<int>& bodies() const { return bodies_; }
  /// Vertices that triangles and planes of a body have, in rising order.
  const std::vector<int>& vertices(int body) const { return vertices_[body]; }
  bool has_planes(int body) const { return !planes_[body].empty(); }

 private:
  struct NumberedTriangle {
    int number;  ///< in the mesh
    Triangle corners;
  };
  struct NumberedPlane {
    int number;
    CollisionPlane plane;
  };

  std::vector<std::array<int, 2>> body_pairs_;
  std::vector<int> bodies_;
  std::vector<std::vector<NumberedTriangle>> triangles_;  ///< this and the next ones: per body of the mesh
  std::vector<std::vector<NumberedPlane>> planes_;
  std::vector<std::vector<int>> vertices_;
};

}  // namespace bulwark
