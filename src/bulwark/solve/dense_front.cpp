#include <bulwark/base/parallel.hpp>
#include <bulwark/solve/dense_front.hpp>
#include <bulwark/solve/packed_strips.hpp>

#include <algorithm>
#include <cmath>

namespace bulwark {

using namespace front_kernels;

namespace {

/// Pivots that are eliminated column by column. More of them are cut in half, again and again.
constexpr int panel_pivots = 48;
/// A whole front that is not cut.
constexpr int widest_panel = 72;
/// Rows that one task solves for, and strips that it packs.
constexpr int solved_rows = 192, packed_strips = 32;
/// Strips of the rows and of the columns of C that one task multiplies: 96 KB and 384 KB of them, which stay in the
/// second cache.
constexpr int tile_row_strips = 8, tile_column_strips = 32;
/// Multiplications from which packing pays.
constexpr double smallest_packed = 1e5;

/// body(begin, end) for chunks of [0, count), by many threads where they are shared.
template <class Body>
void for_chunks(bool shared, int count, int chunk, Body&& body) {
  if (!shared || count <= chunk) return body(0, count);
  parallel_chunks(static_cast<std::size_t>(count), static_cast<std::size_t>(chunk),
                  [&](std::size_t begin, std::size_t end, std::size_t) {
                    body(static_cast<int>(begin), static_cast<int>(end));
                  });
}

void pack(bool shared, const double* M, int stride, int rows, int columns, double* strips) {
  for_chunks(shared, strips_of(rows), packed_strips, [&](int begin, int end) {
    for (int s = begin; s < end; ++s) {
      pack_strip(M + s * strip_rows, stride, rows - s * strip_rows, columns,
                 strips + static_cast<std::size_t>(s) * strip_rows * columns);
    }
  });
}

/// C = C - A B^T, or -A B^T where C is fresh.
struct Product {
  double* C;
  int stride, rows, width;
  const double *A, *B;  ///< strips
  int columns;          ///< of A and B
  bool lower;           ///< strips above the diagonal are left out
  bool fresh;

  /// One strip of rows of C, by the strips [begin, end) of its columns.
  void multiply(int i, int begin, int end) const {
    const std::size_t size = static_cast<std::size_t>(strip_rows) * columns;
    if (lower) end = std::min(end, i + 1);
    for (int j = begin; j < end; ++j) {
      (fresh ? strip_product<true>
             : strip_product<false>)(C + static_cast<std::size_t>(j) * strip_rows * stride + i * strip_rows,
                                     stride, whole_vectors(rows - i * strip_rows), width - j * strip_rows,
                                     A + i * size, B + j * size, columns);
    }
  }
};

/// In tiles.
void multiply(bool shared, const Product& product) {
  const int row_strips = strips_of(product.rows), column_strips = strips_of(product.width);
  const int across = (column_strips + tile_column_strips - 1) / tile_column_strips;
  const int down = (row_strips + tile_row_strips - 1) / tile_row_strips;
  for_chunks(shared, across * down, 1, [&](int begin, int end) {
    for (int t = begin; t < end; ++t) {
      const int row = t % down * tile_row_strips, column = t / down * tile_column_strips;
      for (int i = row; i < std::min(row + tile_row_strips, row_strips); ++i)
        product.multiply(i, column, std::min(column + tile_column_strips, column_strips));
    }
  });
}

/// The triangles of 3x3 on the diagonal of a panel of columns.
struct Panel {
  int begin, end;
  Corner corner[widest_panel / 3];
};

/// Eliminates the panel's columns in its own rows. Columns before them have been subtracted. False when a pivot
/// is not positive.
bool factorise_triangle(const DenseFront& front, Panel& panel) {
  double* const D = front.diagonal;
  const int stride = front.diagonal_stride;
  const int end = whole_vectors(panel.end);
  for (int j = panel.begin; j < panel.end; j += 3) {
    double* const corner_at = D + j * stride + j;
    double d00 = corner_at[0], d10 = corner_at[1], d20 = corner_at[2];
    double d11 = corner_at[stride + 1], d21 = corner_at[stride + 2], d22 = corner_at[2 * stride + 2];
    for (int k = panel.begin; k < j; ++k) {
      const double* l = D + k * stride + j;
      d00 -= l[0] * l[0];
      d10 -= l[1] * l[0];
      d20 -= l[2] * l[0];
      d11 -= l[1] * l[1];
      d21 -= l[2] * l[1];
      d22 -= l[2] * l[2];
    }
    // Reciprocals of the pivots first and roots last: the roots then do not wait for each other.
    const double i0 = 1 / d00;
    const double e1 = d11 - d10 * (d10 * i0), e21 = d21 - d20 * (d10 * i0), e22 = d22 - d20 * (d20 * i0);
    const double i1 = 1 / e1;
    const double f2 = e22 - e21 * (e21 * i1);
    // Not even NaN is a pivot.
    if (!(d00 > 0 && e1 > 0 && f2 > 0)) return false;
    Corner corner;
    corner.r0 = std::sqrt(i0);
    corner.r1 = std::sqrt(i1);
    corner.r2 = std::sqrt(1 / f2);
    corner.l10 = d10 * corner.r0;
    corner.l20 = d20 * corner.r0;
    corner.l21 = e21 * corner.r1;
    panel.corner[(j - panel.begin) / 3] = corner;
    if (j + 3 < panel.end) {
      const int below = (j + 3) / lanes * lanes;
      tiles<Tile::solved>(D + j * stride + below, stride, D + panel.begin * stride + below, stride,
                          end - below, D + panel.begin * stride + j, stride, j - panel.begin, corner);
    }
    corner_at[0] = corner.r0;
    corner_at[1] = corner.l10;
    corner_at[2] = corner.l20;
    corner_at[stride + 1] = corner.r1;
    corner_at[stride + 2] = corner.l21;
    corner_at[2 * stride + 2] = corner.r2;
  }
  return true;
}

/// And in other rows M of the same columns, a multiple of 4.
void solve_rows(const DenseFront& front, const Panel& panel, double* M, int stride, int rows) {
  const double* const D = front.diagonal + panel.begin * front.diagonal_stride;
  M += static_cast<std::size_t>(panel.begin) * stride;
  for (int i = 0; i < rows; i += 4 * lanes) {
    for (int j = panel.begin; j < panel.end; j += 3) {
      const int done = j - panel.begin;
      tiles<Tile::solved>(M + done * stride + i, stride, M + i, stride, std::min(rows - i, 4 * lanes), D + j,
                          front.diagonal_stride, done, panel.corner[done / 3]);
    }
  }
}

bool factorise_panel(const DenseFront& front, int begin, int end) {
  Panel panel;
  panel.begin = begin;
  panel.end = end;
  if (!factorise_triangle(front, panel)) return false;
  // A panel that others follow ends with a whole vector.
  if (end < front.pivots) {
    for_chunks(front.shared, whole_vectors(front.pivots) - end, solved_rows, [&](int first, int last) {
      solve_rows(front, panel, front.diagonal + end + first, front.diagonal_stride, last - first);
    });
  }
  for_chunks(front.shared, whole_vectors(front.rows), solved_rows, [&](int first, int last) {
    solve_rows(front, panel, front.below + first, front.below_stride, last - first);
  });
  return true;
}

/// Subtracts the product of columns [begin, middle) from columns [middle, end).
void subtract_columns(const DenseFront& front, int begin, int middle, int end) {
  const int square = front.pivots - middle;
  for (int k = begin; k < middle; k += strip_columns) {
    const int columns = std::min(strip_columns, middle - k);
    double* const strips = front.scratch;
    double* const strips_below = strips + static_cast<std::size_t>(strips_of(square)) * strip_rows * columns;
    const double* const D = front.diagonal + static_cast<std::size_t>(k) * front.diagonal_stride + middle;
    const double* const B = front.below + static_cast<std::size_t>(k) * front.below_stride;
    pack(front.shared, D, front.diagonal_stride, square, columns, strips);
    pack(front.shared, B, front.below_stride, front.rows, columns, strips_below);
    multiply(front.shared,
             {front.diagonal + static_cast<std::size_t>(middle) * front.diagonal_stride + middle,
              front.diagonal_stride, square, end - middle, strips, strips, columns, true, false});
    multiply(front.shared,
             {front.below + static_cast<std::size_t>(middle) * front.below_stride, front.below_stride,
              front.rows, end - middle, strips_below, strips, columns, false, false});
  }
}

bool factorise_columns(const DenseFront& front, int begin, int end) {
  if (end - begin <= panel_pivots || front.pivots <= widest_panel) return factorise_panel(front, begin, end);
  const int panels = (end - begin + panel_pivots - 1) / panel_pivots;
  const int middle = begin + panels / 2 * panel_pivots;
  if (!factorise_columns(front, begin, middle)) return false;
  subtract_columns(front, begin, middle, end);
  return factorise_columns(front, middle, end);
}

}  // namespace

std::size_t scratch_size(int pivots, int rows) {
  return static_cast<std::size_t>(strips_of(pivots) + strips_of(rows)) * strip_rows *
         std::min(pivots, strip_columns);
}

bool factorise(const DenseFront& front) {
  return factorise_columns(front, 0, front.pivots);
}

void reduce(const DenseFront& front) {
  const double* const B = front.below;
  const int stride = front.below_stride;
  if (0.5 * front.rows * front.rows * front.pivots < smallest_packed) {
    const int rows = whole_vectors(front.rows);
    for (int j = 0; j < front.rows; j += 3) {
      const int begin = j / lanes * lanes;
      tiles<Tile::fresh>(front.update + j * stride + begin, stride, B + begin, stride, rows - begin, B + j,
                         stride, front.pivots);
    }
    return;
  }
  for (int k = 0; k < front.pivots; k += strip_columns) {
    const int columns = std::min(strip_columns, front.pivots - k);
    double* const strips = front.scratch;
    pack(front.shared, B + static_cast<std::size_t>(k) * stride, stride, front.rows, columns, strips);
    multiply(front.shared,
             {front.update, stride, front.rows, front.rows, strips, strips, columns, true, k == 0});
  }
}

}  // namespace bulwark
