// Many symmetric 3x3 tensors as columns of six numbers, in the order that VTK and ParaView read them by:
// xx, yy, zz, xy, yz, xz. Stresses and strains of output.
#pragma once

#include <bulwark/math/types.hpp>

namespace bulwark {

using SymmetricTensor = Eigen::Matrix<double, 6, 1>;
using SymmetricTensors = Eigen::Matrix<double, 6, Eigen::Dynamic>;

inline SymmetricTensor tensor_of(const Matrix3& m) {
  SymmetricTensor result;
  result << m(0, 0), m(1, 1), m(2, 2), m(0, 1), m(1, 2), m(0, 2);
  return result;
}

inline Matrix3 matrix_of(const SymmetricTensor& t) {
  Matrix3 result;
  result << t[0], t[3], t[5], t[3], t[1], t[4], t[5], t[4], t[2];
  return result;
}

}  // namespace bulwark
