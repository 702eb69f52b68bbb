// Making a symmetric matrix positive semi-definite, so that Newton's direction descends.
#pragma once

#include <bulwark/math/jacobi_eigen.hpp>

#include <cmath>

namespace bulwark {

/// What becomes of a negative eigenvalue: zero, its absolute value, or itself.
enum class Psd { clamp, abs, none };

BULWARK_HD inline double projected(double eigenvalue, Psd psd) {
  if (psd == Psd::none || eigenvalue >= 0) return eigenvalue;
  return psd == Psd::clamp ? 0.0 : -eigenvalue;
}

/// Whether a + shift I has a Cholesky factorisation.
template <int N>
BULWARK_HD bool is_positive_definite(const Eigen::Matrix<double, N, N>& a, double shift) {
  Eigen::Matrix<double, N, N> l = Eigen::Matrix<double, N, N>::Zero();
  for (int j = 0; j < N; ++j) {
    double pivot = a(j, j) + shift;
    for (int k = 0; k < j; ++k) pivot -= l(j, k) * l(j, k);
    if (!(pivot > 0)) return false;
    l(j, j) = std::sqrt(pivot);
    for (int i = j + 1; i < N; ++i) {
      double sum = a(i, j);
      for (int k = 0; k < j; ++k) sum -= l(i, k) * l(j, k);
      l(i, j) = sum / l(j, j);
    }
  }
  return true;
}

template <int N>
BULWARK_HD Eigen::Matrix<double, N, N> projected(const Eigen::Matrix<double, N, N>& a, Psd psd) {
  // A factorisation shows what needs no eigenvectors at a small part of their cost.
  if (psd == Psd::none || is_positive_definite<N>(a, 0)) return a;
  if (is_positive_definite<N>(-a, 0)) {
    return psd == Psd::clamp ? Eigen::Matrix<double, N, N>::Zero().eval() : Eigen::Matrix<double, N, N>(-a);
  }
  const SymmetricEigen<N> eigen = jacobi_eigen<N>(a);
  Eigen::Matrix<double, N, 1> values;
  for (int i = 0; i < N; ++i) values[i] = projected(eigen.values[i], psd);
  return eigen.vectors * values.asDiagonal() * eigen.vectors.transpose();
}

}  // namespace bulwark
