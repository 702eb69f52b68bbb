// Shape functions of the ANCF elements with all slopes: the 3243 beam and the 3443 shell. A node has its place r and
// the slopes r_u, r_v, r_w by the element's lengths u, v, w (m), with u along a beam, u and v in a shell, w across.
// Controls of an element: the places of its nodes, then the three slopes of each node in turn.
//   beam, xi = 2u/L, the node at xi_i = -1 or 1, X = xi xi_i:
//     s_r = (2 + 3 X - X^3)/4,  s_u = L/8 xi_i (X + 1)^2 (X - 1),  s_v = v (1 + X)/2,  s_w = w (1 + X)/2
//   shell, nodes (-,-), (+,-), (+,+), (-,+), Y = eta eta_i, eta = 2v/W:
//     s_r = (1 + X)(1 + Y)(2 + X + Y - xi^2 - eta^2)/8,   s_w = w (1 + X)(1 + Y)/4,
//     s_u = L/16 xi_i (1 + X)^2 (X - 1)(1 + Y),           s_v = W/16 eta_i (1 + Y)^2 (Y - 1)(1 + X)
#pragma once

#include <bulwark/bodies/element_geometry.hpp>

namespace bulwark {

/// By the parent coordinates (xi, eta, zeta) in [-1, 1]^3; `size` is length, width and height.
ShapeFunctions ancf_beam_functions(const Vector3& size, const Vector3& parent);
ShapeFunctions ancf_shell_functions(const Vector3& size, const Vector3& parent);

/// Length, width and height of an element by its controls at rest: the lengths of the curves through its nodes.
Vector3 ancf_size(ElementType type, const Vectors& rest, double width, double height);

}  // namespace bulwark
