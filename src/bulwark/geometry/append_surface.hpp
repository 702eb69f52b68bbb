// Several surfaces as one mesh: a body of several shapes.
#pragma once

#include <bulwark/geometry/mesh.hpp>

namespace bulwark {

/// Adds the vertices and elements of `part` behind those that `mesh` has.
void append_surface(SurfaceMesh& mesh, const SurfaceMesh& part);

}  // namespace bulwark
