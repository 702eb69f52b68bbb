// The rigid motion that carries one set of points onto another best, in the sense of least squares:
//   x_i ~ center + R (X_i - rest_center).
#pragma once

#include <bulwark/math/types.hpp>

namespace bulwark {

struct RigidFit {
  Vector3 center = Vector3::Zero();  ///< mean of the points
  Matrix3 rotation = Matrix3::Identity();
  double deviation = 0;  ///< the largest distance of a point from where the motion carries it, m
};

RigidFit fit_rigid_motion(const Vectors& rest, const Vectors& moved);

}  // namespace bulwark
