#include <bulwark/solve/block_cholesky.hpp>
#include <bulwark/solve/front_kernels.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace bulwark {

using namespace front_kernels;

namespace {

void grow(VectorX& buffer, std::size_t size) {
  if (buffer.size() < static_cast<Eigen::Index>(size)) buffer.resize(static_cast<Eigen::Index>(size));
}

int whole_vectors(int rows) {
  return (rows + lanes - 1) / lanes * lanes;
}

void add(const double* from, double* to, int count) {
  int i = 0;
  for (; i + lanes <= count; i += lanes) store(to + i, load(to + i) + load(from + i));
  for (; i < count; ++i) to[i] += from[i];
}

}  // namespace

bool BlockCholesky::analyse(const BlockMatrix& A, double most_operations) {
  if (analysed_ && A.pattern_version == pattern_version_) return true;
  std::optional<FrontTree> tree = find_fronts(A, most_operations);
  analysed_ = tree.has_value();
  if (!tree) return false;
  tree_ = std::move(*tree);
  pattern_version_ = A.pattern_version;
  for (int side : {0, 1}) grow(stack_[side], tree_.stack_size[side]);
  grow(factor_, tree_.factor_size);
  grow(gathered_, padded(tree_.most_rows));
  return true;
}

bool BlockCholesky::solve(const BlockMatrix& A, const VectorX& b, VectorX& x) {
  analyse(A);
  solution_.resize(3 * A.rows);
  for (int i = 0; i < A.rows; ++i) solution_.segment<3>(3 * i) = b.segment<3>(3 * tree_.order[i]);
  // A front's share of the forward substitution is done while it is at hand.
  for (const Front& front : tree_.fronts) {
    place(A, front);
    for (int c = front.children.begin; c < front.children.end; ++c)
      add_to_pivots(tree_.fronts[tree_.children[c]], front);
    if (!factorise(front)) return false;
    if (front.rows > 0) reduce(front);
    for (int c = front.children.begin; c < front.children.end; ++c)
      add_to_update(tree_.fronts[tree_.children[c]], front);
    substitute_forward(front);
  }
  for (auto front = tree_.fronts.rbegin(); front != tree_.fronts.rend(); ++front) substitute_backward(*front);
  x.resize(3 * A.rows);
  for (int i = 0; i < A.rows; ++i) x.segment<3>(3 * tree_.order[i]) = solution_.segment<3>(3 * i);
  return x.allFinite();
}

/// The blocks of the matrix in the front's columns.
void BlockCholesky::place(const BlockMatrix& A, const Front& front) {
  const std::size_t end = front.below + static_cast<std::size_t>(front.below_stride) * front.pivots;
  std::fill(factor_.data() + front.diagonal, factor_.data() + end, 0.0);
  for (int p = front.placements.begin; p < front.placements.end; ++p) {
    const FrontPlacement& placement = tree_.placements[p];
    const int stride = placement.stride;
    double* destination = factor_.data() + placement.destination;
    for (int r = 0; r < placement.rows; ++r) {
      const int c_begin = placement.offset == 0 ? r : 0;
      const Matrix3* value = A.value.data() + A.row_start[placement.row + r] + placement.offset - r + c_begin;
      if (placement.transposed) {
        double* out = destination + 3 * r * stride + 3 * c_begin;
        for (int c = c_begin; c < placement.columns; ++c, ++value, out += 3) {
          const double* in = value->data();
          for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) out[j * stride + i] = in[3 * i + j];
          }
        }
      } else {
        double* out = destination + 3 * r;
        for (int c = c_begin; c < placement.columns; ++c, ++value, out += 3 * stride) {
          const double* in = value->data();
          for (int j = 0; j < 3; ++j) {
            for (int i = 0; i < 3; ++i) out[j * stride + i] = in[3 * j + i];
          }
        }
      }
    }
  }
}

/// Columns of the child's Schur complement that are the parent's pivots.
void BlockCholesky::add_to_pivots(const Front& child, const Front& parent) {
  const double* from = update(child);
  double* diagonal = factor_.data() + parent.diagonal;
  double* below = factor_.data() + parent.below;
  const FrontRun* const runs = tree_.runs.data();
  const FrontRange pivots = child.to_parent_pivots, rest = child.to_parent_below;
  for (int a = pivots.begin; a < pivots.end; ++a) {
    for (int i = 0; i < runs[a].count; ++i) {
      const double* column = from + (runs[a].from + i) * child.below_stride;
      double* to = diagonal + (runs[a].to + i) * parent.diagonal_stride;
      add(column + runs[a].from + i, to + runs[a].to + i, runs[a].count - i);
      for (int b = a + 1; b < pivots.end; ++b) add(column + runs[b].from, to + runs[b].to, runs[b].count);
      to = below + (runs[a].to + i) * parent.below_stride;
      for (int b = rest.begin; b < rest.end; ++b) add(column + runs[b].from, to + runs[b].to, runs[b].count);
    }
  }
}

/// The others.
void BlockCholesky::add_to_update(const Front& child, const Front& parent) {
  const double* from = update(child);
  double* to_update = update(parent);
  const FrontRun* const runs = tree_.runs.data();
  const FrontRange rest = child.to_parent_below;
  for (int a = rest.begin; a < rest.end; ++a) {
    for (int i = 0; i < runs[a].count; ++i) {
      const double* column = from + (runs[a].from + i) * child.below_stride;
      double* to = to_update + (runs[a].to + i) * parent.below_stride;
      add(column + runs[a].from + i, to + runs[a].to + i, runs[a].count - i);
      for (int b = a + 1; b < rest.end; ++b) add(column + runs[b].from, to + runs[b].to, runs[b].count);
    }
  }
}

/// The front's columns of L. False when a pivot is not positive.
bool BlockCholesky::factorise(const Front& front) {
  double* const D = factor_.data() + front.diagonal;
  double* const B = factor_.data() + front.below;
  const int stride = front.diagonal_stride, below_stride = front.below_stride;
  const int end = whole_vectors(front.pivots), rows = whole_vectors(front.rows);
  for (int j = 0; j < front.pivots; j += 3) {
    double* const corner_at = D + j * stride + j;
    double d00 = corner_at[0], d10 = corner_at[1], d20 = corner_at[2];
    double d11 = corner_at[stride + 1], d21 = corner_at[stride + 2], d22 = corner_at[2 * stride + 2];
    for (int k = 0; k < j; ++k) {
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
    if (j + 3 < front.pivots) {
      const int begin = (j + 3) / lanes * lanes;
      tiles<Tile::solved>(D + j * stride + begin, stride, D + begin, stride, end - begin, D + j, stride, j,
                          corner);
    }
    corner_at[0] = corner.r0;
    corner_at[1] = corner.l10;
    corner_at[2] = corner.l20;
    corner_at[stride + 1] = corner.r1;
    corner_at[stride + 2] = corner.l21;
    corner_at[2 * stride + 2] = corner.r2;
    tiles<Tile::solved>(B + j * below_stride, below_stride, B, below_stride, rows, D + j, stride, j, corner);
  }
  return true;
}

/// -B B^T, the lower triangle.
void BlockCholesky::reduce(const Front& front) {
  const double* const B = factor_.data() + front.below;
  double* const U = update(front);
  const int stride = front.below_stride, rows = whole_vectors(front.rows);
  for (int j = 0; j < front.rows; j += 3) {
    const int begin = j / lanes * lanes;
    tiles<Tile::fresh>(U + j * stride + begin, stride, B + begin, stride, rows - begin, B + j, stride,
                       front.pivots);
  }
}

void BlockCholesky::substitute_forward(const Front& front) {
  const double* const D = factor_.data() + front.diagonal;
  const int stride = front.diagonal_stride;
  double* const __restrict y = solution_.data() + front.first;
  for (int j = 0; j < front.pivots; j += 3) {
    const double *const D0 = D + j * stride, *const D1 = D0 + stride, *const D2 = D1 + stride;
    const double y0 = y[j] * D0[j];
    const double y1 = (y[j + 1] - D0[j + 1] * y0) * D1[j + 1];
    const double y2 = (y[j + 2] - D0[j + 2] * y0 - D1[j + 2] * y1) * D2[j + 2];
    y[j] = y0;
    y[j + 1] = y1;
    y[j + 2] = y2;
    for (int i = j + 3; i < front.pivots; ++i) y[i] -= D0[i] * y0 + D1[i] * y1 + D2[i] * y2;
  }
  if (front.rows == 0) return;
  const int rows = whole_vectors(front.rows);
  for (int i = 0; i < rows; i += lanes) {
    const double* B = factor_.data() + front.below + i;
    Lanes sum{};
    for (int j = 0; j < front.pivots; ++j, B += front.below_stride) sum += load(B) * y[j];
    store(gathered_.data() + i, sum);
  }
  for (int r = front.positions.begin; r < front.positions.end; ++r) {
    const FrontRun& run = tree_.runs[r];
    for (int i = 0; i < run.count; ++i) solution_[run.to + i] -= gathered_[run.from + i];
  }
}

void BlockCholesky::substitute_backward(const Front& front) {
  double* const y = solution_.data() + front.first;
  if (front.rows > 0) {
    const int rows = whole_vectors(front.rows), stride = front.below_stride;
    for (int r = front.positions.begin; r < front.positions.end; ++r) {
      const FrontRun& run = tree_.runs[r];
      for (int i = 0; i < run.count; ++i) gathered_[run.from + i] = solution_[run.to + i];
    }
    for (int i = front.rows; i < rows; ++i) gathered_[i] = 0;
    const double* B = factor_.data() + front.below;
    for (int j = 0; j < front.pivots; j += 3, B += 3 * stride) {
      Lanes s0{}, s1{}, s2{};
      for (int i = 0; i < rows; i += lanes) {
        const Lanes z = load(gathered_.data() + i);
        s0 += load(B + i) * z;
        s1 += load(B + stride + i) * z;
        s2 += load(B + 2 * stride + i) * z;
      }
      y[j] -= (s0[0] + s0[1]) + (s0[2] + s0[3]);
      y[j + 1] -= (s1[0] + s1[1]) + (s1[2] + s1[3]);
      y[j + 2] -= (s2[0] + s2[1]) + (s2[2] + s2[3]);
    }
  }
  for (int j = front.pivots - 3; j >= 0; j -= 3) {
    const double* const D0 = factor_.data() + front.diagonal + j * front.diagonal_stride;
    const double *const D1 = D0 + front.diagonal_stride, *const D2 = D1 + front.diagonal_stride;
    double s0 = y[j], s1 = y[j + 1], s2 = y[j + 2];
    for (int i = j + 3; i < front.pivots; ++i) {
      s0 -= D0[i] * y[i];
      s1 -= D1[i] * y[i];
      s2 -= D2[i] * y[i];
    }
    y[j + 2] = s2 * D2[j + 2];
    y[j + 1] = (s1 - D1[j + 2] * y[j + 2]) * D1[j + 1];
    y[j] = (s0 - D0[j + 2] * y[j + 2] - D0[j + 1] * y[j + 1]) * D0[j];
  }
}

}  // namespace bulwark
