// Scripted motion in time: of an obstacle, or of a held selection; and values tabled over time.
#pragma once

#include <bulwark/math/types.hpp>

#include <vector>

namespace bulwark {

/// A 3-vector that is constant (one value) or linear between the given times, constant outside them.
struct Table {
  std::vector<double> times;  ///< ascending; empty for a constant
  std::vector<Vector3> values;
  double begin = 0;  ///< times count from here: when it came into the world

  static Table constant(const Vector3& value) { return {{}, {value}}; }
  Vector3 at(double time) const;
};

/// A key of a motion: the displacement from the start, and the rotation about the pivot (rotation vector).
struct Keyframe {
  double time = 0;
  Vector3 displacement = Vector3::Zero();
  Vector3 rotation = Vector3::Zero();
};

/// Rigid motion of points X given at the beginning, t = 0:
///   x(t) = pivot + R(t) (X - pivot) + displacement(t)
/// with constant velocities, or linear between keyframes (held outside them).
struct Motion {
  Vector3 linear_velocity = Vector3::Zero();
  Vector3 angular_velocity = Vector3::Zero();  ///< radians per second, as a vector
  Vector3 pivot = Vector3::Zero();
  std::vector<Keyframe> keyframes;  ///< when not empty, these replace the velocities
  double begin = 0;                 ///< t counts from here: when the motion came into the world

  bool is_still() const { return keyframes.empty() && linear_velocity.isZero() && angular_velocity.isZero(); }
  Vector3 at(double time, const Vector3& start) const;
};

}  // namespace bulwark
