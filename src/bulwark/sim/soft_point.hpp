// Points of soft bodies, and directions fixed in their material, for joints to hold: combinations of controls.
//
//   a point            x = sum_a s_a(X) e_a in its element; on cloth and rods in the nearest triangle or segment
//   a direction d      solids: the fibre between two material points, (x(X + delta d) - x(X - delta d)) / (2 delta);
//                      ANCF elements: sum_a (ds_a/dX . d) e_a, a combination of slopes;
//                      cloth: in its surface; rods: along themselves
//   gripped            the affine motion that fits the nodes within a radius best: with their places X_i, mean c and
//                      S = sum_i (X_i - c)(X_i - c)^T,   x = sum_i (1/n + (X - c)^T S^-1 (X_i - c)) e_i,
//                      d = sum_i d^T S^-1 (X_i - c) e_i
//   beyond the surface a point goes on with its element, linearly:  x = sum_a (s_a(Y) + ds_a/dX(Y) . (X - Y)) e_a from the
//                      element's point Y next to it, so that it turns with the body; cloth and rods have nothing that leads
//                      away from them linearly (CarriedPoint)
// X are places now, when the joint is added. Directions have the length 1 then, and stretch with the material.
#pragma once

#include <bulwark/bodies/material_vector.hpp>
#include <bulwark/sim/soft_place.hpp>

namespace bulwark {

struct World;

/// The point of a soft body that is at x now, or the nearest one.
MaterialVector soft_point(const World& world, int body, const Vector3& x);
/// The direction `d` at the material point next to x. Throws InputError where the body has none.
MaterialVector soft_direction(const World& world, int body, const Vector3& x, const Vector3& d);

/// What a soft body carries at a point that may lie a little beyond its surface.
struct CarriedPoint {
  /// The point itself; or, where there are sides, that of the triangle's plane or the segment's line next to it.
  MaterialVector point;
  /// Of length 1 now: two of a cloth's triangle or one of a rod, which what is carried stays at right angles to.
  std::vector<MaterialVector> sides;
};

/// A soft body that carries many points.
class CarryingBody {
 public:
  CarryingBody(const World& world, int body);
  /// Throws InputError where x is far from the body, or beside a body of points.
  CarriedPoint at(const Vector3& x) const;

 private:
  const World& world_;
  int number_;
  SoftElements elements_;
  SoftSurface surface_;
};

/// The point or (`shifts` 0) direction v of what lies within `radius` of x.
MaterialVector gripped_vector(const World& world, int body, const Vector3& x, double radius, const Vector3& v,
                              double shifts);

}  // namespace bulwark
