// The exact intersection test: rational arithmetic, no code shared with the solver's distances or CCD. It
// answers before the first step (does the start intersect?) and in `bulwark check` (does any frame?).
#pragma once

#include <bulwark/base/stop_request.hpp>
#include <bulwark/collision/collision_mesh.hpp>

#include <compare>
#include <string>
#include <vector>

namespace bulwark {

struct Intersection {
  enum class Kind { edge_triangle, point_triangle, point_plane, edge_edge } kind;
  int first = 0;   ///< edge index, or vertex index for the point kinds
  int second = 0;  ///< triangle index, or plane or edge index
  int body_first = 0, body_second = 0;
  auto operator<=>(const Intersection&) const = default;
};

/// All pairs of an edge and a triangle of the mesh (that may collide by its rules and share no vertex) with a
/// common point, touching included; all pairs of segments that belong to no triangle, such as outlines in the
/// plane z = 0, with one; all points that lie on a triangle and belong to no edge; and all points on or behind
/// a plane. Where primitives have radii, also all points and triangles, edges, and points and
/// planes whose distance is no more than their offset (pair_offset.hpp): d^2 <= offset^2, in exact arithmetic.
/// At most `limit` are listed, in a deterministic order; the search ends when they are found.
///
/// An edge and a triangle that share a vertex are adjacent and skipped. Two triangles with one common vertex
/// that pass through each other are found all the same, by the edge opposite to that vertex in one of them;
/// only neighbours folded flat onto each other, without a volume swept, are not.
///
/// With `of_bodies` (one flag per body) only pairs with one of these bodies: when the others are known to be
/// free of intersection.
///
/// Throws InputError where a coordinate is not finite, and Interrupted when it is to stop.
std::vector<Intersection> find_intersections(const CollisionMesh& mesh, const Vectors& positions,
                                             std::size_t limit = 100, const std::vector<char>& of_bodies = {},
                                             const StopRequest& stop = {});

/// A place for a report: the point (rounded) where an edge crosses a triangle's plane, or the point itself.
Vector3 location(const CollisionMesh& mesh, const Vectors& positions, const Intersection& intersection);

/// "edge 12 (vertices 3, 9) of body 0 meets triangle 7 (vertices 20, 21, 25) of body 1 at (0.1, 0, 2)".
/// Bodies go by their names where these are given.
std::string describe(const CollisionMesh& mesh, const Vectors& positions, const Intersection& intersection,
                     const std::vector<std::string>& body_names = {});

}  // namespace bulwark
