// Bodies of a scene in the plane z = 0. They are bodies like others whose controls stay in the plane: what would
// leave it is held (held_axes.hpp), so that the solve does not see it. What collides is their outline, segments and
// the points at their ends.
#pragma once

#include <bulwark/bodies/body_layout.hpp>
#include <bulwark/geometry/solid_mesh.hpp>

namespace bulwark {

/// Takes over the segments and points of a mesh whose vertices are the surface's.
void set_outline(BodyLayout& layout, const SurfaceMesh& mesh);

/// The sides of a mesh of triangles that bound it, each cut into so many segments: the outline that collides, of the
/// radius. With as many cuts as the order its vertices are nodes. The mesh's nodes are the body's first controls.
void use_cut_outline(BodyLayout& layout, const SolidMesh& mesh, int cuts, double radius);

/// What would move a control out of the plane: the z of points; of a stiff body also that of the columns of A, all of
/// the third one, and its turns about x and y, which the first column of a rigid body has. `place` is the control's
/// in its body.
HeldAxes axes_out_of_plane(bool stiff, bool rigid, int place);

/// Holds all of these.
void hold_in_plane(BodyLayout& layout);

/// Throws where a vertex of the body is not in the plane.
void require_in_plane(const Vectors& placed, const BodyOptions& options);

}  // namespace bulwark
