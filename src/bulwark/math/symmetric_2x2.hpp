// Eigenvalues and eigenvectors of a symmetric 2x2 matrix, and its projection: one Jacobi rotation, without the
// loops of the general case.
#pragma once

#include <bulwark/math/psd.hpp>

namespace bulwark {

BULWARK_HD inline SymmetricEigen<2> eigen_of_2x2(const Matrix2& a) {
  SymmetricEigen<2> result;
  const double off = a(0, 1);
  if (off == 0) {
    result.values = a.diagonal();
    result.vectors.setIdentity();
    return result;
  }
  const double theta = (a(1, 1) - a(0, 0)) / (2 * off);
  const double t = (theta >= 0 ? 1.0 : -1.0) / (std::abs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1), s = t * c;
  result.values = {a(0, 0) - t * off, a(1, 1) + t * off};
  result.vectors << c, s, -s, c;
  return result;
}

BULWARK_HD inline Matrix2 projected_2x2(const Matrix2& a, Psd psd) {
  if (psd == Psd::none) return a;
  const SymmetricEigen<2> eigen = eigen_of_2x2(a);
  if (eigen.values[0] >= 0 && eigen.values[1] >= 0) return a;
  const double first = projected(eigen.values[0], psd), second = projected(eigen.values[1], psd);
  const double c = eigen.vectors(0, 0), s = eigen.vectors(0, 1);
  Matrix2 result;
  result(0, 0) = first * c * c + second * s * s;
  result(1, 1) = first * s * s + second * c * c;
  result(0, 1) = result(1, 0) = (second - first) * c * s;
  return result;
}

}  // namespace bulwark
