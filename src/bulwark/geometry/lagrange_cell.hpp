// Lagrange polynomials of a parent cell (solid_mesh.hpp), for work on meshes: nodes in between, Jacobians,
// volumes. N_a is 1 at node a of the lattice and 0 at all others.
//
//   tetrahedron:  N_a(xi) = prod_c P_{a_c}(L_c),          L = (1 - xi_1 - xi_2 - xi_3, xi_1, xi_2, xi_3)
//   triangle:     the same without the third coordinate, on which nothing depends
//   hexahedron:   N_a(xi) = prod_c Q_{a_c}(xi_c)
//
//   P_n(t) = prod_{m < n} (p t - m) / (n - m),   Q_n(t) = prod_{m != n} (p t - m) / (n - m),   p the order.
#pragma once

#include <bulwark/geometry/solid_mesh.hpp>

namespace bulwark {

/// All N_a at a place of the parent cell, in the order of the nodes.
VectorX lagrange_values(CellShape shape, int order, const Vector3& xi);

/// Their derivatives: column a is the gradient of N_a with respect to xi.
Vectors lagrange_gradients(CellShape shape, int order, const Vector3& xi);

}  // namespace bulwark
