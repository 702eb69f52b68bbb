// Pairs of primitives whose solids do not intersect, but are so close that rounding can't tell them from
// touching: no step could begin there.
#pragma once

#include <bulwark/collision/collision_mesh.hpp>

#include <limits>
#include <vector>

namespace bulwark {

/// The gap that two bodies need, in units of the last place of their largest coordinate. Positions of
/// vertices, distances and collision times carry some ten units of rounding; with twice as many as were seen
/// to fail, the gap is known well enough for a step to keep a part of it.
inline constexpr double least_gap_units = 64;

/// m, for bodies that reach out to `coordinate` from the origin.
inline double least_gap(double coordinate) {
  return least_gap_units * std::numeric_limits<double>::epsilon() * coordinate;
}

struct ClosePair {
  enum class Kind { point_triangle, edge_edge, point_plane } kind;
  int first = 0, second = 0;  ///< vertices, edges, triangles or planes of the mesh, as the kind says
  int body_first = 0, body_second = 0;
  double distance = 0;  ///< m, of the solids
};

/// All pairs that are not farther apart than the least gap; `of_bodies` as in find_intersections. At most
/// `limit` are listed, in a deterministic order.
std::vector<ClosePair> find_close_pairs(const CollisionMesh& mesh, const Vectors& positions,
                                        std::size_t limit, const std::vector<char>& of_bodies = {});

}  // namespace bulwark
