// Making a symmetric matrix positive semi-definite, so that Newton's direction descends.
#pragma once

#include <bulwark/math/jacobi_eigen.hpp>

namespace bulwark {

/// What becomes of a negative eigenvalue: zero, its absolute value, or itself.
enum class Psd { clamp, abs, none };

BULWARK_HD inline double projected(double eigenvalue, Psd psd) {
  if (psd == Psd::none || eigenvalue >= 0) return eigenvalue;
  return psd == Psd::clamp ? 0.0 : -eigenvalue;
}

template <int N>
BULWARK_HD Eigen::Matrix<double, N, N> projected(const Eigen::Matrix<double, N, N>& a, Psd psd) {
  if (psd == Psd::none) return a;
  const SymmetricEigen<N> eigen = jacobi_eigen<N>(a);
  Eigen::Matrix<double, N, 1> values;
  for (int i = 0; i < N; ++i) values[i] = projected(eigen.values[i], psd);
  return eigen.vectors * values.asDiagonal() * eigen.vectors.transpose();
}

}  // namespace bulwark
