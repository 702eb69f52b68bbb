// What a joint measures and of what, for those who only keep it: joint_coordinate.hpp has the formulas.
#pragma once

#include <bulwark/math/types.hpp>

namespace bulwark {

enum class JointMeasure { dot, length, angle, tilt, height };

using Vector9 = Eigen::Matrix<double, 9, 1>;
using Matrix9 = Eigen::Matrix<double, 9, 9>;

/// The vectors w, u, v of a coordinate; those that its measure does not have are not read.
struct JointVectors {
  Vector3 w, u, v;
};

}  // namespace bulwark
