// The surface that is drawn of a solid with radii: spheres around points, capsules around edges, and the
// rounded outside of a convex surface of triangles. It is inscribed, and only for the eye: contact knows the
// solid itself.
#pragma once

#include <bulwark/geometry/mesh.hpp>

namespace bulwark {

/// Triangles around all points and free edges of the mesh that have a radius. Triangles of the mesh come as they
/// are, moved outward by their radius. `around` is the number of vertices around a sphere.
SurfaceMesh round_skin(const SurfaceMesh& mesh, int around = 28);

/// A sphere of triangles of nearly equal size around the origin.
SurfaceMesh sphere_skin(double radius, int around);
/// A capsule along y from -half to half, and around its ends.
SurfaceMesh capsule_skin(double radius, double half, int around);
/// A box of the given inner sides with edges rounded by the radius.
SurfaceMesh rounded_box_skin(const Vector3& inner_sides, double radius, int around);

}  // namespace bulwark
