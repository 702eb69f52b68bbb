// The faces of a body of solid or ANCF elements, cut into the triangles that collide, with their places on it:
// what fields on faces and distances between faces and triangles are integrated and measured over.
#pragma once

#include <bulwark/bodies/riding_surface.hpp>

namespace bulwark {

/// The elements of a body as they are numbered in it; `first_control` is subtracted from those of their controls.
ElementTable own_elements(const ElementTable& table, int first_element, int element_count, int first_control);

/// The solid that Lagrange elements of one type make up.
SolidMesh solid_of(const ElementTable& elements, const Vectors& controls);

/// All faces with `cuts` parts along each side (of ANCF elements 0: by their shape), triangle by triangle as contact
/// has them.
RidingSurface face_surface(const ElementTable& elements, const Vectors& controls, int cuts);

/// An upper bound of the distance between the faces of the elements and the triangles that they are cut into (m). On
/// one of its triangles a face is a polynomial of the triangle's own coordinates; in Bernstein's basis the norms of
/// its coefficients, less those of the flat triangle, bound the distance of points with the same coordinates on both.
double distance_from_faces(const ElementTable& elements, const Vectors& controls,
                           const RidingSurface& surface);

}  // namespace bulwark
