// A force and a torque about a point: the forces of joints, supports and contacts.
#pragma once

#include <bulwark/math/types.hpp>

#include <Eigen/Geometry>

namespace bulwark {

struct Wrench {
  Vector3 point = Vector3::Zero();   ///< in the world (m)
  Vector3 force = Vector3::Zero();   ///< N
  Vector3 torque = Vector3::Zero();  ///< about the point (N m)

  /// A force that acts at x.
  void add(const Vector3& x, const Vector3& f) {
    force += f;
    torque += (x - point).cross(f);
  }
  void add(const Wrench& other) {
    add(other.point, other.force);
    torque += other.torque;
  }
  Wrench opposite() const { return {point, -force, -torque}; }
};

}  // namespace bulwark
