// How far a tetrahedron can move along a straight line before too little of its volume is left. The volume is
// a cubic in the step; barrier-like materials must never see it vanish.
#pragma once

#include <bulwark/base/host_device.hpp>
#include <bulwark/math/types.hpp>

#include <Eigen/Geometry>
#include <cmath>

namespace bulwark {

/// A step t in [0, max_step] such that on [0, t] the volume stays at or above keep times its start value.
/// x and p are the four vertices and their displacements.
BULWARK_HD inline double tetrahedron_largest_step(const Vector3* x, const Vector3* p, double keep,
                                                  double max_step) {
  const Vector3 e1 = x[1] - x[0], e2 = x[2] - x[0], e3 = x[3] - x[0];
  const Vector3 d1 = p[1] - p[0], d2 = p[2] - p[0], d3 = p[3] - p[0];
  // volume(t) * 6 = c0 + c1 t + c2 t^2 + c3 t^3
  const double c0 = e1.dot(e2.cross(e3));
  const double c1 = d1.dot(e2.cross(e3)) + e1.dot(d2.cross(e3)) + e1.dot(e2.cross(d3));
  const double c2 = d1.dot(d2.cross(e3)) + d1.dot(e2.cross(d3)) + e1.dot(d2.cross(d3));
  const double c3 = d1.dot(d2.cross(d3));
  if (!(c0 > 0)) return 0;
  const double floor = keep * c0;
  const double T = max_step;
  // No root when even the sum of all downward terms leaves enough.
  const double down = (c1 < 0 ? -c1 * T : 0) + (c2 < 0 ? -c2 * T * T : 0) + (c3 < 0 ? -c3 * T * T * T : 0);
  if (c0 - down > floor) return T;
  // On [t, T] the cubic is bounded below by its value at t minus (largest slope) * time: advance by that
  // bound.
  double t = 0;
  constexpr int max_iterations = 200;
  for (int i = 0; i < max_iterations; ++i) {
    const double value = c0 + t * (c1 + t * (c2 + t * c3));
    const double gap = value - floor;
    if (gap <= 1e-3 * c0 * (1 - keep)) return t;
    // Steepest descent of the cubic over [t, T]: from slopes at the ends and the parabola's inner extremum.
    auto slope = [&](double at) { return c1 + at * (2 * c2 + 3 * c3 * at); };
    double steepest = slope(t) < slope(T) ? slope(t) : slope(T);
    if (c3 > 0) {
      const double inner = -c2 / (3 * c3);
      if (inner > t && inner < T) steepest = slope(inner) < steepest ? slope(inner) : steepest;
    }
    if (steepest >= 0) return T;
    t += 0.999 * gap / -steepest;
    if (t >= T) return T;
  }
  return t;
}

}  // namespace bulwark
