// Where a surface passes through itself. Such a surface encloses no proper volume: what it counts twice, or
// as negative, makes mass and inertia wrong.
#pragma once

#include <bulwark/geometry/mesh.hpp>

#include <vector>

namespace bulwark {

struct SelfCrossing {
  int first = 0, second = 0;  ///< triangles, first < second
  Vector3 place = Vector3::Zero();
};

/// Pairs of triangles that pass through each other, in exact arithmetic; at most `limit`, in a deterministic
/// order. Parts that only touch (a vertex on a face, faces that share a plane) do not cross. Vertices must be
/// finite.
std::vector<SelfCrossing> find_self_crossings(const SurfaceMesh& mesh, std::size_t limit = 5);

/// The same of segments in the plane z = 0 that share no vertex.
std::vector<SelfCrossing> find_crossing_segments(const SurfaceMesh& mesh, std::size_t limit = 1);

}  // namespace bulwark
