// Solids of higher order that follow the true surface of a round shape instead of the facets between its vertices.
#pragma once

#include <bulwark/geometry/shapes.hpp>
#include <bulwark/geometry/solid_mesh.hpp>

namespace bulwark {

/// Moves the nodes of boundary edges and faces of `raised(as_solid_mesh(solid_mesh(shape)), order)` onto the surface of a
/// sphere, cylinder, capsule, cone, torus or ring; corners are there already. Nodes inside the cells' other faces
/// and cells follow the edges:
///
///   u(L) = sum_{edges ij} L_i L_j / (s (1 - s)) u_ij(s),   s = (1 + L_j - L_i) / 2,
///
/// with u_ij the displacement along an edge, plus inside a cell half the mean of what its faces' nodes differ
/// from that. A cell whose Jacobian would not stay positive keeps its straight nodes. Meshes of order 1, of other
/// shapes and of hexahedra stay as they are.
void curve_boundary(SolidMesh& mesh, const Shape& shape);

}  // namespace bulwark
