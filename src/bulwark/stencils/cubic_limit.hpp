// How far a volume that is a cubic of the step can go before too little of it is left. Barrier-like materials must
// never see it vanish.
#pragma once

#include <bulwark/base/host_device.hpp>
#include <bulwark/math/types.hpp>

#include <Eigen/Geometry>

namespace bulwark {

/// c0 + c1 t + c2 t^2 + c3 t^3.
struct CubicVolume {
  double c0, c1, c2, c3;
};

/// det(e + t d).
BULWARK_HD inline CubicVolume cubic_volume(const Matrix3& e, const Matrix3& d) {
  const Vector3 e1 = e.col(0), e2 = e.col(1), e3 = e.col(2), d1 = d.col(0), d2 = d.col(1), d3 = d.col(2);
  return {e1.dot(e2.cross(e3)), d1.dot(e2.cross(e3)) + e1.dot(d2.cross(e3)) + e1.dot(e2.cross(d3)),
          d1.dot(d2.cross(e3)) + d1.dot(e2.cross(d3)) + e1.dot(d2.cross(d3)), d1.dot(d2.cross(d3))};
}

/// A step t in [0, T] such that on [0, t] the cubic stays at or above keep times its start value; 0 where that is not
/// positive.
BULWARK_HD inline double cubic_largest_step(const CubicVolume& c, double keep, double T) {
  if (!(c.c0 > 0)) return 0;
  const double floor = keep * c.c0;
  // No root when even the sum of all downward terms leaves enough.
  const double down =
      (c.c1 < 0 ? -c.c1 * T : 0) + (c.c2 < 0 ? -c.c2 * T * T : 0) + (c.c3 < 0 ? -c.c3 * T * T * T : 0);
  if (c.c0 - down > floor) return T;
  // On [t, T] the cubic is bounded below by its value at t minus (largest slope) * time: advance by that
  // bound.
  double t = 0;
  constexpr int max_iterations = 200;
  for (int i = 0; i < max_iterations; ++i) {
    const double value = c.c0 + t * (c.c1 + t * (c.c2 + t * c.c3));
    const double gap = value - floor;
    if (gap <= 1e-3 * c.c0 * (1 - keep)) return t;
    // Steepest descent of the cubic over [t, T]: from slopes at the ends and the parabola's inner extremum.
    auto slope = [&](double at) { return c.c1 + at * (2 * c.c2 + 3 * c.c3 * at); };
    double steepest = slope(t) < slope(T) ? slope(t) : slope(T);
    if (c.c3 > 0) {
      const double inner = -c.c2 / (3 * c.c3);
      if (inner > t && inner < T) steepest = slope(inner) < steepest ? slope(inner) : steepest;
    }
    if (steepest >= 0) return T;
    t += 0.999 * gap / -steepest;
    if (t >= T) return T;
  }
  return t;
}

/// The same for a tetrahedron's volume. x and p are its four vertices and their displacements.
BULWARK_HD inline double tetrahedron_largest_step(const Vector3* x, const Vector3* p, double keep,
                                                  double max_step) {
  Matrix3 e, d;
  e << x[1] - x[0], x[2] - x[0], x[3] - x[0];
  d << p[1] - p[0], p[2] - p[0], p[3] - p[0];
  return cubic_largest_step(cubic_volume(e, d), keep, max_step);
}

}  // namespace bulwark
