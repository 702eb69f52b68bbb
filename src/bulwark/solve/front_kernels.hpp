// Dense arithmetic on the fronts of a Cholesky factorisation (front_tree.hpp): columns of padded() length,
// worked off in tiles of three columns by a few vector registers of rows.
#pragma once

#include <immintrin.h>

namespace bulwark::front_kernels {

inline constexpr int lanes = 4;
using Lanes [[gnu::vector_size(lanes * sizeof(double))]] = double;

/// Rows with those that fill the last vector.
inline int whole_vectors(int rows) {
  return (rows + lanes - 1) / lanes * lanes;
}

inline Lanes load(const double* p) {
  Lanes v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
inline void store(double* p, Lanes v) {
  __builtin_memcpy(p, &v, sizeof v);
}

/// c - a b, rounded once: fused by name, since the compiler is told to fuse nothing by itself.
inline Lanes minus_product(Lanes c, Lanes a, double b) {
  return _mm256_fnmadd_pd(a, _mm256_set1_pd(b), c);
}

/// A column of three factors l of the lower triangle of a 3x3 block, and its diagonal's reciprocals r.
struct Corner {
  double l10, l20, l21, r0, r1, r2;
};

enum class Tile {
  fresh,    ///< C = -A B^T
  reduced,  ///< C -= A B^T
  solved,   ///< C = (C - A B^T) L^-T, L the corner's triangle
};

/// A tile C of 4 `vectors` rows and three columns; A has `count` columns, and B three rows.
template <int vectors, Tile kind>
[[gnu::always_inline]] inline void tile(double* C, int stride, const double* A, int a_stride, const double* B,
                                        int b_stride, int count, const Corner& corner) {
  Lanes c0[vectors], c1[vectors], c2[vectors];
  for (int v = 0; v < vectors; ++v) {
    if constexpr (kind == Tile::fresh) {
      c0[v] = c1[v] = c2[v] = Lanes{};
    } else {
      c0[v] = load(C + lanes * v);
      c1[v] = load(C + stride + lanes * v);
      c2[v] = load(C + 2 * stride + lanes * v);
    }
  }
  for (int k = 0; k < count; ++k, A += a_stride, B += b_stride) {
    const double b0 = B[0], b1 = B[1], b2 = B[2];
    for (int v = 0; v < vectors; ++v) {
      const Lanes a = load(A + lanes * v);
      c0[v] = minus_product(c0[v], a, b0);
      c1[v] = minus_product(c1[v], a, b1);
      c2[v] = minus_product(c2[v], a, b2);
    }
  }
  for (int v = 0; v < vectors; ++v) {
    if constexpr (kind == Tile::solved) {
      c0[v] *= corner.r0;
      c1[v] = minus_product(c1[v], c0[v], corner.l10) * corner.r1;
      c2[v] = minus_product(minus_product(c2[v], c0[v], corner.l20), c1[v], corner.l21) * corner.r2;
    }
    store(C + lanes * v, c0[v]);
    store(C + stride + lanes * v, c1[v]);
    store(C + 2 * stride + lanes * v, c2[v]);
  }
}

/// The same for `rows` rows, a multiple of 4.
template <Tile kind>
[[gnu::always_inline]] inline void tiles(double* C, int stride, const double* A, int a_stride, int rows,
                                         const double* B, int b_stride, int count,
                                         const Corner& corner = {}) {
  for (; rows >= 4 * lanes; rows -= 4 * lanes, C += 4 * lanes, A += 4 * lanes)
    tile<4, kind>(C, stride, A, a_stride, B, b_stride, count, corner);
  if (rows == 3 * lanes) return tile<3, kind>(C, stride, A, a_stride, B, b_stride, count, corner);
  if (rows == 2 * lanes) return tile<2, kind>(C, stride, A, a_stride, B, b_stride, count, corner);
  if (rows == lanes) tile<1, kind>(C, stride, A, a_stride, B, b_stride, count, corner);
}

}  // namespace bulwark::front_kernels
