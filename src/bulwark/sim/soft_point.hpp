// Points of soft bodies, and directions fixed in their material, for joints to hold: combinations of controls.
//
//   a point            x = sum_a s_a(X) e_a in its element; on cloth and rods in the nearest triangle or segment
//   a direction d      solids: the fibre between two material points, (x(X + delta d) - x(X - delta d)) / (2 delta);
//                      ANCF elements: sum_a (ds_a/dX . d) e_a, a combination of slopes;
//                      cloth: in its surface; rods: along themselves
//   gripped            the affine motion that fits the nodes within a radius best: with their places X_i, mean c and
//                      S = sum_i (X_i - c)(X_i - c)^T,   x = sum_i (1/n + (X - c)^T S^-1 (X_i - c)) e_i,
//                      d = sum_i d^T S^-1 (X_i - c) e_i
// X are places now, when the joint is added. Directions have the length 1 then, and stretch with the material.
#pragma once

#include <bulwark/bodies/material_vector.hpp>

namespace bulwark {

struct World;

/// The point of a soft body that is at x now, or the nearest one.
MaterialVector soft_point(const World& world, int body, const Vector3& x);
/// The direction `d` at the material point next to x. Throws InputError where the body has none.
MaterialVector soft_direction(const World& world, int body, const Vector3& x, const Vector3& d);

/// The point or (`shifts` 0) direction v of what lies within `radius` of x.
MaterialVector gripped_vector(const World& world, int body, const Vector3& x, double radius, const Vector3& v,
                              double shifts);

}  // namespace bulwark
