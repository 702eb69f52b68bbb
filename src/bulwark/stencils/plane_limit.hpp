// How far a point can move before too little of its gap to a plane is left. The plane moves straight; the
// gap, less the smallest allowed distance, is  f(t),  t in [0, 1]:
//   a point that moves straight    f = gap + way t
//   a point of a body that turns   f = gap + way t + n . (exp(t [w]) r - r),   f'' >= -|w x n| |w x r|
// with the normal n, the straight motion `way` of the point against the plane along n, the body's rotation w
// about its center, and the arm r from there to the point. collision/body_path.hpp derives the bound.
#pragma once

#include <bulwark/math/rotation.hpp>

#include <cmath>

namespace bulwark {

/// The part of a straight step, at most 1, on which f stays at or above `kept`.
BULWARK_HD inline double plane_largest_step(double gap, double way, double kept) {
  if (!(gap > 0)) return 0;
  if (gap + way >= kept) return 1;
  return (gap - kept) / -way;
}

/// The same for a point of a body that turns: safe, but not the largest.
BULWARK_HD inline double turning_plane_largest_step(double gap, double way, const Vector3& normal,
                                                    const Vector3& arm, const Vector3& w, double kept) {
  if (!(gap > 0)) return 0;
  const Vector3 swing = w.cross(arm);
  const Vector3 turned = arm_displacement(w, rodrigues_coefficients(w.norm()), arm);
  const double end = gap + way + normal.dot(turned), slope = way + normal.dot(swing);
  const double bend = w.cross(normal).norm() * swing.norm() * (1 + 1e-12);
  if ((end < gap ? end : gap) - bend / 8 >= kept) return 1;
  const double above = gap - kept;
  if (!(above > 0)) return 0;
  const double root = std::sqrt(slope * slope + 2 * bend * above);
  const double step = slope < 0 ? 2 * above / (root - slope) : (slope + root) / bend;
  return step < 1 ? step : 1;
}

}  // namespace bulwark
