// Where a body starts: x = position + rotation * (scale * X).
#pragma once

#include <bulwark/math/types.hpp>

namespace bulwark {

struct Pose {
  Vector3 position = Vector3::Zero();
  Matrix3 rotation = Matrix3::Identity();
  Vector3 scale = Vector3::Ones();
};

inline Vectors transformed(const Pose& pose, const Vectors& points) {
  return (pose.rotation * (pose.scale.asDiagonal() * points)).colwise() + pose.position;
}

}  // namespace bulwark
