// The exact intersection test: rational arithmetic, no code shared with the solver's distances or CCD. It
// answers before the first step (does the start intersect?) and in `bulwark check` (does any frame?).
#pragma once

#include <bulwark/collision/collision_mesh.hpp>

#include <string>
#include <vector>

namespace bulwark {

struct Intersection {
  enum class Kind { edge_triangle, point_triangle, point_plane } kind;
  int first = 0;   ///< edge index, or vertex index for the point kinds
  int second = 0;  ///< triangle index, or plane index
  int body_first = 0, body_second = 0;
};

/// All pairs of an edge and a triangle of the mesh (that may collide by its rules and share no vertex) with a
/// common point, touching included; all points that lie on a triangle and belong to no edge; and all points
/// on or behind a plane. At most `limit` are listed, in a deterministic order.
std::vector<Intersection> find_intersections(const CollisionMesh& mesh, const Vectors& positions,
                                             std::size_t limit = 100);

}  // namespace bulwark
