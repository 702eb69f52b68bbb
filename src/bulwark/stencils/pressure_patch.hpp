// Hydroelastic contact of one patch: a polygon of equal pressure that was found in some configuration, and what its
// pressure becomes when the two bodies part along its normal n by
//   u = n . d,   d = motion of A's point at the polygon's center since the step began, less that of B's.
// With the patch found at u0, with the pressure p0 and the area A, and the slopes g_A and g_B of the two pressures,
//   force      F(u) = A g (r - u)_+ (1 - c u)_+,   g = g_A g_B / (g_A + g_B),   r = u0 + p0 / g,   c = beta / h
//   energy     W(u) = integral of F from u to U,   U = min(r, 1 / c): convex, for F falls with u
// (two slopes act like springs in a row; beta is the dissipation, h the step, and u / h the speed of parting).
#pragma once

#include <bulwark/base/host_device.hpp>
#include <bulwark/math/types.hpp>

namespace bulwark {

struct PressurePatch {
  double stiffness = 0;  ///< A g (N/m)
  double release = 0;    ///< r: where the pressure ends (m)
  double damping = 0;    ///< c (1/m)
};

/// U: from here on there is no force (m).
BULWARK_HD inline double pressure_patch_end(const PressurePatch& patch) {
  return patch.damping * patch.release > 1 ? 1 / patch.damping : patch.release;
}

/// F, on A along n (N).
BULWARK_HD inline double pressure_patch_force(const PressurePatch& patch, double u) {
  if (u >= pressure_patch_end(patch)) return 0;
  return patch.stiffness * (patch.release - u) * (1 - patch.damping * u);
}

/// W; with t = U - u, F = A g (e1 + t) (e2 + c t), where one of e1 = r - U and e2 = 1 - c U is 0.
BULWARK_HD inline double pressure_patch_energy(const PressurePatch& patch, double u) {
  const double end = pressure_patch_end(patch), t = end - u, c = patch.damping;
  if (t <= 0) return 0;
  const double e1 = patch.release - end, e2 = c * patch.release > 1 ? 0 : 1 - c * end;
  return patch.stiffness * t * t * ((c * e1 + e2) / 2 + c * t / 3);
}

/// W'' = -F' (N/m), never negative.
BULWARK_HD inline double pressure_patch_curvature(const PressurePatch& patch, double u) {
  if (u >= pressure_patch_end(patch)) return 0;
  return patch.stiffness * (1 - patch.damping * u + patch.damping * (patch.release - u));
}

}  // namespace bulwark
