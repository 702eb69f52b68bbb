// Eigenvalues and eigenvectors of a small symmetric matrix by cyclic Jacobi rotations. Accurate, free of
// allocation, and usable in device code, where Eigen's own solver is not.
#pragma once

#include <bulwark/base/host_device.hpp>
#include <bulwark/math/types.hpp>

#include <cmath>
#include <utility>

namespace bulwark {

template <int N>
struct SymmetricEigen {
  Eigen::Matrix<double, N, 1> values;   ///< in no particular order
  Eigen::Matrix<double, N, N> vectors;  ///< one per column
};

/// A = vectors * diag(values) * vectors^T.
template <int N>
BULWARK_HD SymmetricEigen<N> jacobi_eigen(Eigen::Matrix<double, N, N> a) {
  SymmetricEigen<N> result;
  Eigen::Matrix<double, N, N>& v = result.vectors;
  v.setIdentity();
  constexpr int max_sweeps = 30;
  for (int sweep = 0; sweep < max_sweeps; ++sweep) {
    double off = 0, diagonal = 0;
    for (int j = 0; j < N; ++j) {
      diagonal += a(j, j) * a(j, j);
      for (int i = 0; i < j; ++i) off += a(i, j) * a(i, j);
    }
    // Squared norms: what is left is below rounding of the largest eigenvalue.
    if (!(off > 1e-33 * diagonal)) break;
    for (int q = 1; q < N; ++q) {
      for (int p = 0; p < q; ++p) {
        const double apq = a(p, q);
        if (apq == 0) continue;
        const double theta = (a(q, q) - a(p, p)) / (2 * apq);
        const double t = (theta >= 0 ? 1.0 : -1.0) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < N; ++k) {
          const double akp = a(k, p), akq = a(k, q);
          a(k, p) = c * akp - s * akq;
          a(k, q) = s * akp + c * akq;
        }
        for (int k = 0; k < N; ++k) {
          const double apk = a(p, k), aqk = a(q, k);
          a(p, k) = c * apk - s * aqk;
          a(q, k) = s * apk + c * aqk;
          const double vkp = v(k, p), vkq = v(k, q);
          v(k, p) = c * vkp - s * vkq;
          v(k, q) = s * vkp + c * vkq;
        }
      }
    }
  }
  for (int i = 0; i < N; ++i) result.values[i] = a(i, i);
  return result;
}

/// With the values in ascending order. The vectors are of either hand.
template <int N>
SymmetricEigen<N> sorted_eigen(const Eigen::Matrix<double, N, N>& a) {
  SymmetricEigen<N> result = jacobi_eigen<N>(a);
  for (int i = 0; i < N; ++i) {
    for (int j = i; j > 0 && result.values[j] < result.values[j - 1]; --j) {
      std::swap(result.values[j], result.values[j - 1]);
      result.vectors.col(j).swap(result.vectors.col(j - 1));
    }
  }
  return result;
}

}  // namespace bulwark
