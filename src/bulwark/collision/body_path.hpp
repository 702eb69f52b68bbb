// The path of a rigid body within one step, and how far its points leave their chords. Host and device.
//
//   center  c(t) = c + t d,     arm  r(t) = exp(t [w]) r,     point  x(t) = c(t) + r(t),     t in [0, 1]
//
// By Rodrigues (math/rotation.hpp), with a and b taken at the angle t |w|,
//
//   x(t) - x(0) = t d + a (t w) x r + b (t w) x ((t w) x r),
//
// and this is how positions are computed: what a small step does to a point is as precise as the step.
//
// The bound. Along any vector n, f(t) = n . x(t) has f'' = n . (w x (w x r(t))) = -(w x n) . (w x r(t)).
// Turning about w changes neither the length of w x r nor its right angle to w, so
//
//   |f''| <= |w x n| |w x r|   at all times,   and likewise   |f'''| <= |w| |w x n| |w x r|.
//
// On an interval of length h the difference between f and the straight line l through its two end values is
// f - l = f''(s) (t - t0) (t - t1) / 2 for some s (the error of linear interpolation), so
//
//   |f(t) - l(t)| <= h^2/8 |w x n| |w x r|,
//
// and with n along the difference itself, |x(t) - chord(t)| <= h^2/8 |w| |w x r| = h^2/8 |w|^2 (distance from
// the axis). Nor is it ever more than the diameter 2 |w x r| / |w| of the circle. This holds for any step and
// any number of turns, and interval arithmetic gives nothing better (the test compares).
#pragma once

#include <bulwark/base/host_device.hpp>
#include <bulwark/math/rotation.hpp>

#include <cfloat>

namespace bulwark {

struct BodyPath {
  Vector3 center;        ///< c, at the start
  Vector3 displacement;  ///< d, of the center over the whole step
  Vector3 rotation;      ///< w, of the whole step, about the center
};

/// x(t) of the point that is at x at the start.
BULWARK_HD inline Vector3 path_position(const BodyPath& path, const Vector3& x, double t) {
  const Vector3 turn = t * path.rotation;
  return x + t * path.displacement +
         arm_displacement(turn, rodrigues_coefficients(turn.norm()), x - path.center);
}

/// By how much, along each axis, paths of a body's points over [0, 1] may leave the boxes of their two end
/// points. Rounding of the end points, by whoever computes them, is included.
class PathBulge {
 public:
  BULWARK_HD explicit PathBulge(const BodyPath& path)
      : path_(path), angle_(path.rotation.norm()), fixed_(path.center.norm() + path.displacement.norm()) {
    // Beyond the angle 4 the diameter is the smaller bound.
    const double factor = angle_ < 4 ? 0.125 : 2 / (angle_ * angle_);
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      const double across =
          std::sqrt(path.rotation[j] * path.rotation[j] + path.rotation[k] * path.rotation[k]);
      across_[i] = factor * across * (1 + 20 * DBL_EPSILON);
    }
  }

  /// Of the point that is at x at the start.
  BULWARK_HD Vector3 at(const Vector3& x) const {
    const Vector3 arm = x - path_.center;
    const double length = arm.norm();
    const double rounding = 16 * DBL_EPSILON * ((1 + angle_) * length + fixed_);
    const double reach = path_.rotation.cross(arm).norm() + 4 * DBL_EPSILON * angle_ * length;
    return reach * across_ + Vector3::Constant(rounding);
  }

 private:
  const BodyPath& path_;
  double angle_, fixed_;
  Vector3 across_;
};

BULWARK_HD inline Vector3 path_bulge(const BodyPath& path, const Vector3& x) {
  return PathBulge(path).at(x);
}

}  // namespace bulwark
