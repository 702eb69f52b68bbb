#include <bulwark/base/parallel.hpp>
#include <bulwark/solve/block_cholesky.hpp>
#include <bulwark/solve/front_kernels.hpp>

#include <algorithm>
#include <atomic>
#include <ranges>
#include <span>
#include <utility>

namespace bulwark {

using namespace front_kernels;

namespace {

/// Columns of a Schur complement that one task adds to that of the parent.
constexpr std::size_t added_columns = 64;

void add(const double* from, double* to, int count) {
  int i = 0;
  for (; i + lanes <= count; i += lanes) store(to + i, load(to + i) + load(from + i));
  for (; i < count; ++i) to[i] += from[i];
}

}  // namespace

void BlockCholesky::begin_step() {
  in_step_ = fresh_ = true;
}

bool BlockCholesky::analyse(const BlockMatrix& A, double most_operations) {
  // The first pattern of a step has the order that is found for it alone.
  const bool own_order = fresh_ || !in_step_;
  fresh_ = false;
  const bool ordered = ordered_rows_ == A.row_start && ordered_columns_ == A.column;
  if (own_order && !ordered) order_ = {};
  if (analysed_ && A.pattern_version == pattern_version_ && !(own_order && borrowed_))
    return takes_at_most(tree_, most_operations);
  std::optional<FrontTree> tree = find_fronts(A, most_operations, order_);
  analysed_ = tree.has_value();
  if (!tree) return false;
  tree_ = std::move(*tree);
  pattern_version_ = A.pattern_version;
  borrowed_ = tree_.by_known_order && !ordered;
  if (!tree_.dissected.row.empty()) {
    order_ = std::move(tree_.dissected);
    ordered_rows_ = A.row_start;
    ordered_columns_ = A.column;
  }
  std::size_t scratch = 0;
  scratch_of_.clear();
  auto add_scratch = [&](const auto& fronts) {
    std::size_t most = 0;
    for (const Front& front : fronts) most = std::max(most, scratch_size(front.pivots, front.rows));
    scratch_of_.push_back(scratch);
    scratch += most;
  };
  for (FrontRange subtree : tree_.subtrees)
    add_scratch(std::span(tree_.fronts).subspan(subtree.begin, subtree.end - subtree.begin));
  add_scratch(tree_.top | std::views::transform([&](int f) -> const Front& { return tree_.fronts[f]; }));
  updates_.grow(tree_.update_size);
  factor_.grow(tree_.factor_size);
  carried_.grow(tree_.carried_size);
  scratch_.grow(scratch);
  return true;
}

/// visit(front, scratch, shared) for all fronts, children before parents, until one of them is false.
template <class Visit>
bool BlockCholesky::climb(Visit&& visit) {
  std::atomic<bool> good = true;
  parallel_chunks(tree_.subtrees.size(), 1, [&](std::size_t subtree, std::size_t, std::size_t) {
    const FrontRange range = tree_.subtrees[subtree];
    for (int f = range.begin; f < range.end && good; ++f) {
      if (!visit(tree_.fronts[f], scratch_.data() + scratch_of_[subtree], false)) good = false;
    }
  });
  for (int f : tree_.top) {
    if (!good) return false;
    good = visit(tree_.fronts[f], scratch_.data() + scratch_of_.back(), tree_.fronts[f].shared);
  }
  return good;
}

bool BlockCholesky::factorise(const BlockMatrix& A) {
  analyse(A);
  return climb(
      [&](const Front& front, double* scratch, bool shared) { return factorise(A, front, scratch, shared); });
}

void BlockCholesky::substitute(const VectorX& b, VectorX& x) {
  take(b);
  climb([&](const Front& front, double*, bool) {
    substitute_forward(front);
    return true;
  });
  substitute_backward(x);
}

bool BlockCholesky::solve(const BlockMatrix& A, const VectorX& b, VectorX& x) {
  analyse(A);
  take(b);
  // A front's share of the forward substitution is done while it is at hand.
  if (!climb([&](const Front& front, double* scratch, bool shared) {
        if (!factorise(A, front, scratch, shared)) return false;
        substitute_forward(front);
        return true;
      })) {
    return false;
  }
  substitute_backward(x);
  return x.allFinite();
}

bool BlockCholesky::factorise(const BlockMatrix& A, const Front& front, double* scratch, bool shared) {
  const DenseFront dense{front.pivots,
                         front.rows,
                         factor_.data() + front.diagonal,
                         front.diagonal_stride,
                         factor_.data() + front.below,
                         front.below_stride,
                         updates_.data() + front.update,
                         scratch,
                         shared};
  place(A, front);
  const auto children =
      std::span(tree_.children).subspan(front.children.begin, front.children.end - front.children.begin);
  auto for_columns = [&](const Front& child, auto&& add_columns) {
    if (!shared) return add_columns(0, child.rows);
    parallel_chunks(child.rows, added_columns, [&](std::size_t begin, std::size_t end, std::size_t) {
      add_columns(static_cast<int>(begin), static_cast<int>(end));
    });
  };
  for (int c : children) {
    const Front& child = tree_.fronts[c];
    for_columns(child, [&](int begin, int end) { add_to_pivots(child, front, begin, end); });
  }
  if (!bulwark::factorise(dense)) return false;
  if (front.rows == 0) return true;
  reduce(dense);
  for (int c : children) {
    const Front& child = tree_.fronts[c];
    for_columns(child, [&](int begin, int end) { add_to_update(child, front, begin, end); });
  }
  return true;
}

void BlockCholesky::take(const VectorX& b) {
  const int rows = static_cast<int>(tree_.order.size());
  solution_.resize(3 * rows);
  for (int i = 0; i < rows; ++i) solution_.segment<3>(3 * i) = b.segment<3>(3 * tree_.order[i]);
}

void BlockCholesky::substitute_backward(VectorX& x) {
  for (int f : tree_.top | std::views::reverse) substitute_backward(tree_.fronts[f]);
  parallel_chunks(tree_.subtrees.size(), 1, [&](std::size_t subtree, std::size_t, std::size_t) {
    const FrontRange range = tree_.subtrees[subtree];
    for (int f = range.end - 1; f >= range.begin; --f) substitute_backward(tree_.fronts[f]);
  });
  const int rows = static_cast<int>(tree_.order.size());
  x.resize(3 * rows);
  for (int i = 0; i < rows; ++i) x.segment<3>(3 * tree_.order[i]) = solution_.segment<3>(3 * i);
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

/// Those of the columns [begin, end) of the child's Schur complement that are the parent's pivots.
void BlockCholesky::add_to_pivots(const Front& child, const Front& parent, int begin, int end) {
  const double* from = updates_.data() + child.update;
  double* diagonal = factor_.data() + parent.diagonal;
  double* below = factor_.data() + parent.below;
  const FrontRun* const runs = tree_.runs.data();
  const FrontRange pivots = child.to_parent_pivots, rest = child.to_parent_below;
  for (int a = pivots.begin; a < pivots.end; ++a) {
    const int first = std::max(begin - runs[a].from, 0), last = std::min(end - runs[a].from, runs[a].count);
    for (int i = first; i < last; ++i) {
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
void BlockCholesky::add_to_update(const Front& child, const Front& parent, int begin, int end) {
  const double* from = updates_.data() + child.update;
  double* to_update = updates_.data() + parent.update;
  const FrontRun* const runs = tree_.runs.data();
  const FrontRange rest = child.to_parent_below;
  for (int a = rest.begin; a < rest.end; ++a) {
    const int first = std::max(begin - runs[a].from, 0), last = std::min(end - runs[a].from, runs[a].count);
    for (int i = first; i < last; ++i) {
      const double* column = from + (runs[a].from + i) * child.below_stride;
      double* to = to_update + (runs[a].to + i) * parent.below_stride;
      add(column + runs[a].from + i, to + runs[a].to + i, runs[a].count - i);
      for (int b = a + 1; b < rest.end; ++b) add(column + runs[b].from, to + runs[b].to, runs[b].count);
    }
  }
}

/// What the children carry of their rows enters the front's, and so does the product of its own columns.
void BlockCholesky::substitute_forward(const Front& front) {
  const double* const D = factor_.data() + front.diagonal;
  const int stride = front.diagonal_stride, rows = whole_vectors(front.rows);
  double* const __restrict y = solution_.data() + front.first;
  double* const __restrict carried = carried_.data() + front.carried;
  std::fill_n(carried, rows, 0.0);
  for (int c = front.children.begin; c < front.children.end; ++c) {
    const Front& child = tree_.fronts[tree_.children[c]];
    const double* const from = carried_.data() + child.carried;
    for (int r = child.to_parent_pivots.begin; r < child.to_parent_pivots.end; ++r)
      add(from + tree_.runs[r].from, y + tree_.runs[r].to, tree_.runs[r].count);
    for (int r = child.to_parent_below.begin; r < child.to_parent_below.end; ++r)
      add(from + tree_.runs[r].from, carried + tree_.runs[r].to, tree_.runs[r].count);
  }
  const double* B = factor_.data() + front.below;
  const int below_stride = front.below_stride;
  for (int j = 0; j < front.pivots; j += 3, B += 3 * below_stride) {
    const double *const D0 = D + j * stride, *const D1 = D0 + stride, *const D2 = D1 + stride;
    const double y0 = y[j] * D0[j];
    const double y1 = (y[j + 1] - D0[j + 1] * y0) * D1[j + 1];
    const double y2 = (y[j + 2] - D0[j + 2] * y0 - D1[j + 2] * y1) * D2[j + 2];
    y[j] = y0;
    y[j + 1] = y1;
    y[j + 2] = y2;
    for (int i = j + 3; i < front.pivots; ++i) y[i] -= D0[i] * y0 + D1[i] * y1 + D2[i] * y2;
    for (int i = 0; i < rows; i += lanes) {
      Lanes z = minus_product(load(carried + i), load(B + i), y0);
      z = minus_product(z, load(B + below_stride + i), y1);
      store(carried + i, minus_product(z, load(B + 2 * below_stride + i), y2));
    }
  }
}

void BlockCholesky::substitute_backward(const Front& front) {
  double* const y = solution_.data() + front.first;
  if (front.rows > 0) {
    const int rows = whole_vectors(front.rows), stride = front.below_stride;
    double* const gathered = carried_.data() + front.carried;
    for (int r = front.positions.begin; r < front.positions.end; ++r) {
      const FrontRun& run = tree_.runs[r];
      for (int i = 0; i < run.count; ++i) gathered[run.from + i] = solution_[run.to + i];
    }
    for (int i = front.rows; i < rows; ++i) gathered[i] = 0;
    const double* B = factor_.data() + front.below;
    for (int j = 0; j < front.pivots; j += 3, B += 3 * stride) {
      Lanes s0{}, s1{}, s2{};
      for (int i = 0; i < rows; i += lanes) {
        const Lanes z = load(gathered + i);
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
