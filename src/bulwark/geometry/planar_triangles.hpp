// Areas in the plane z = 0 filled with linear triangles, counterclockwise: the solids of planar scenes.
#pragma once

#include <bulwark/geometry/solid_mesh.hpp>

namespace bulwark {

/// A rectangle around the origin, as a grid of squares that are cut in turn along one diagonal and the other.
SolidMesh triangulated_rectangle(const Vector2& sides, const std::array<int, 2>& cells);

/// A regular polygon around the origin, its corners as regular_polygon() has them: triangles from there to its sides, each
/// cut into parts * parts.
SolidMesh triangulated_regular_polygon(double radius, int corners, int parts);

/// A disk around the origin in rings, the k-th of 6 k points.
SolidMesh triangulated_disk(double radius, int rings);

/// A polygon of at most 64 corners that does not cross itself, its triangles cut into four until no side is longer than
/// `resolution`; 0 leaves them as they are.
SolidMesh triangulated_polygon(const std::vector<Vector2>& corners, double resolution);

/// The triangles of a surface in the plane, turned counterclockwise.
SolidMesh planar_solid(const SurfaceMesh& surface);

}  // namespace bulwark
