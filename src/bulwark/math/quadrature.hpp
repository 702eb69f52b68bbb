// Points and weights for integrals over intervals, triangles, cubes and tetrahedra. All weights are positive, so that what is
// integrated from definite parts stays definite.
#pragma once

#include <bulwark/math/types.hpp>

#include <vector>

namespace bulwark {

struct QuadraturePoint {
  Vector3 place;
  double weight;
};
using QuadratureRule = std::vector<QuadraturePoint>;

/// Gauss and Legendre's rule on [-1, 1] along x: exact to degree 2 count - 1.
QuadratureRule interval_rule(int count);

/// The product of three on [-1, 1]^3.
QuadratureRule cube_rule(int along_x, int along_y, int along_z);

/// On the triangle with the corners 0, e1, e2 (weights sum up to 1/2), exact to `degree`: symmetric rules of 1, 3, 6, 7
/// and 12 points up to degrees 1, 2, 4, 5 and 6, beyond those a product in collapsed coordinates.
QuadratureRule triangle_rule(int degree);

/// On the tetrahedron with the corners 0, e1, e2, e3 (weights sum up to 1/6), exact to `degree`: symmetric rules of
/// 1, 4, 8, 14 and 24 points up to degrees 1, 2, 3, 5 and 6, beyond those a product in collapsed coordinates.
QuadratureRule tetrahedron_rule(int degree);

}  // namespace bulwark
