// Fills a closed surface with tetrahedra, for deformable bodies that are given as surfaces. The work is done
// by the program tetgen, run as a command of its own.
#pragma once

#include <bulwark/geometry/mesh.hpp>

#include <string>

namespace bulwark {

/// The inside of the surface, whose vertices come first in the result, unmoved and in their order. Inner
/// surfaces that face the other way are cavities. `resolution` is the target edge length: longer edges of the
/// surface are halved first, which leaves its shape as it is. With 0 the surface's own triangles are the
/// result's boundary, and the inside has as few tetrahedra as a decent shape allows. Throws InputError,
/// calling the surface `name`, when it is not closed or crosses itself, or when tetgen is not installed.
TetMesh fill_with_tetrahedra(const SurfaceMesh& closed_surface, double resolution, const std::string& name);

}  // namespace bulwark
