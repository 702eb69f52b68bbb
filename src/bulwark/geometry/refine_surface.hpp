// Cuts the triangles of a surface until no edge is longer than wanted; the surface keeps its shape exactly.
#pragma once

#include <bulwark/geometry/mesh.hpp>

namespace bulwark {

/// The same surface with new vertices, behind the old ones, at the middle of edges, until no edge is longer
/// than `limit` (greater than 0). Neighbours stay joined. Wires and points are left as they are.
SurfaceMesh refine_surface(const SurfaceMesh& surface, double limit);

}  // namespace bulwark
