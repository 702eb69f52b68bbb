// The vector and matrix types that all layers share.
#pragma once

#include <Eigen/Core>

namespace bulwark {

using Vector2 = Eigen::Vector2d;
using Vector3 = Eigen::Vector3d;
using Matrix2 = Eigen::Matrix2d;
using Matrix3 = Eigen::Matrix3d;
using VectorX = Eigen::VectorXd;
using MatrixX = Eigen::MatrixXd;

/// One 3-vector per column: positions, velocities, forces of controls or vertices.
using Vectors = Eigen::Matrix3Xd;

/// The same numbers as one long vector.
inline Eigen::Map<VectorX> flat(Vectors& v) {
  return {v.data(), v.size()};
}
inline Eigen::Map<const VectorX> flat(const Vectors& v) {
  return {v.data(), v.size()};
}

}  // namespace bulwark
