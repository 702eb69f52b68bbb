// Products of large matrices, for the large fronts of a Cholesky factorisation (dense_front.cpp). Rows of a
// factor are packed into strips of 12, k-th columns side by side, so that what the innermost loop reads
// follows each other in memory and stays in the nearest cache. The same strips serve as left and as right
// factor of  C -= A B^T.
#pragma once

#include <bulwark/solve/front_kernels.hpp>

#include <algorithm>
#include <cstddef>

namespace bulwark::front_kernels {

inline constexpr int strip_rows = 12;
/// Columns that are packed at once: two strips of them fit into 32 KB.
inline constexpr int strip_columns = 128;

inline int strips_of(int rows) {
  return (rows + strip_rows - 1) / strip_rows;
}

/// Rows [0, rows) of `columns` columns of M as one strip, zeros below them.
inline void pack_strip(const double* M, int stride, int rows, int columns, double* strip) {
  if (rows >= strip_rows) {
    for (int k = 0; k < columns; ++k, M += stride, strip += strip_rows) {
      for (int v = 0; v < strip_rows; v += lanes) store(strip + v, load(M + v));
    }
    return;
  }
  for (int k = 0; k < columns; ++k, M += stride, strip += strip_rows) {
    for (int i = 0; i < strip_rows; ++i) strip[i] = i < rows ? M[i] : 0.0;
  }
}

/// C = C - A B^T, or -A B^T where C is fresh, for a strip A and four rows of a strip B.
template <bool fresh>
inline void strip_times_four(double* C, int stride, const double* A, const double* B, int columns) {
  constexpr int vectors = strip_rows / lanes;
  Lanes c[4][vectors];
  for (int j = 0; j < 4; ++j) {
    for (int v = 0; v < vectors; ++v) c[j][v] = fresh ? Lanes{} : load(C + j * stride + lanes * v);
  }
  for (int k = 0; k < columns; ++k, A += strip_rows, B += strip_rows) {
    Lanes a[vectors];
    for (int v = 0; v < vectors; ++v) a[v] = load(A + lanes * v);
    for (int j = 0; j < 4; ++j) {
      for (int v = 0; v < vectors; ++v) c[j][v] = minus_product(c[j][v], a[v], B[j]);
    }
  }
  for (int j = 0; j < 4; ++j) {
    for (int v = 0; v < vectors; ++v) store(C + j * stride + lanes * v, c[j][v]);
  }
}

/// The same for the 12 rows of B, where C has `rows` rows and `width` columns of the 12.
template <bool fresh>
inline void strip_product(double* C, int stride, int rows, int width, const double* A, const double* B,
                          int columns) {
  if (rows >= strip_rows && width >= strip_rows) {
    for (int j = 0; j < strip_rows; j += 4)
      strip_times_four<fresh>(C + j * stride, stride, A, B + j, columns);
    return;
  }
  rows = std::min(rows, strip_rows);
  double whole[4 * strip_rows] = {};
  for (int j = 0; j < std::min(width, strip_rows); j += 4) {
    const int valid = std::min(4, width - j);
    for (int c = 0; !fresh && c < valid; ++c) std::copy_n(C + (j + c) * stride, rows, whole + c * strip_rows);
    strip_times_four<fresh>(whole, strip_rows, A, B + j, columns);
    for (int c = 0; c < valid; ++c) std::copy_n(whole + c * strip_rows, rows, C + (j + c) * stride);
  }
}

}  // namespace bulwark::front_kernels
