// Bodies of a scene in the plane z = 0: meshes of segments and points, all at z = 0. Closed curves of segments bound an
// area by the even-odd rule: a curve within another one is a hole.
#pragma once

#include <bulwark/geometry/mass_moments.hpp>
#include <bulwark/geometry/mesh.hpp>

#include <vector>

namespace bulwark {

/// The curve along the points, closed by a last segment where it is asked for.
SurfaceMesh planar_curve(const std::vector<Vector2>& points, bool closed);
/// The corners of a regular polygon, counterclockwise from +x on.
std::vector<Vector2> regular_polygon(double radius, int corners);

/// The segments that bound the mesh's triangles, beside its own segments and points: the triangles are left out.
SurfaceMesh outline_of(const SurfaceMesh& mesh);

/// Whether the segments without a radius are closed curves: each of their vertices has an even number of them.
bool is_closed_outline(const SurfaceMesh& mesh);

/// Triangles over the area that closed curves bound, with vertices of their own. It is cut at the height of every
/// vertex, so that they are trapezoids between those.
SurfaceMesh filled_outline(const Vectors& vertices, const std::vector<Edge>& curves);

/// What is drawn of a body: the area within its outline, and what its radii add.
SurfaceMesh planar_skin(const SurfaceMesh& mesh, int around = 32);

/// Moments of the area that the mesh covers, by its density per area (kg/m^2): what closed curves bound, disks around
/// points and capsules around segments that have a radius. Other points and segments are `line_width` wide. `volume` is
/// the area. Nothing depends on what lies along z; that entry keeps the moments regular.
MassMoments planar_moments(const SurfaceMesh& mesh, double area_density, double line_width);

}  // namespace bulwark
