#include <bulwark/base/parallel.hpp>
#include <bulwark/math/block_matrix.hpp>

#include <algorithm>
#include <numeric>

namespace bulwark {

void BlockMatrix::multiply(const VectorX& x, VectorX& y) const {
  y.setZero(3 * rows);
  for (int i = 0; i < rows; ++i) {
    Vector3 sum = Vector3::Zero();
    const Vector3 xi = x.segment<3>(3 * i);
    for (int k = row_start[i]; k < row_start[i + 1]; ++k) {
      const int j = column[k];
      sum += value[k] * x.segment<3>(3 * j);
      if (j != i) y.segment<3>(3 * j) += value[k].transpose() * xi;
    }
    y.segment<3>(3 * i) += sum;
  }
}

namespace {

/// Rows that are worth a task.
constexpr std::size_t rows_of_a_task = 32;

}  // namespace

/// The entries of a list; the row of one that does not enter is -1.
std::vector<BlockAssembler::Placed> BlockAssembler::placed(const BlockList& list, const BlockMap& map) {
  auto place = [](std::uint32_t k, int a, int row, int b, int column) {
    if (row < 0 || column < 0) return Placed{-1, -1, {}};
    return Placed{std::min(row, column),
                  std::max(row, column),
                  {k, static_cast<std::int16_t>(a), static_cast<std::int16_t>(b)}};
  };
  auto row_of = [&](std::uint64_t key) { return static_cast<int>(key >> 32); };
  auto column_of = [](std::uint64_t key) { return static_cast<int>(key & 0xffffffffu); };
  std::vector<Placed> entries;
  if (map.follower.empty()) {
    entries.resize(list.key.size());
    parallel_for(list.key.size(), [&](std::size_t k) {
      entries[k] = place(static_cast<std::uint32_t>(k), -1, map.row[row_of(list.key[k])], -1,
                         map.row[column_of(list.key[k])]);
    });
    return entries;
  }
  entries.reserve(list.key.size());
  auto for_parts = [&map](int control, auto&& visit) {
    if (!map.follows(control)) return visit(-1, map.row[control]);
    const std::vector<BlockMap::Part>& parts = map.parts[map.follower[control]];
    for (std::size_t p = 0; p < parts.size(); ++p) visit(static_cast<int>(p), parts[p].row);
  };
  for (std::uint32_t k = 0; k < list.key.size(); ++k) {
    const int i = row_of(list.key[k]), j = column_of(list.key[k]);
    const bool any_follows = map.follows(i) || map.follows(j);
    for_parts(i, [&](int a, int row) {
      for_parts(j, [&](int b, int column) {
        // A diagonal block is symmetric, so that only one of (a, b) and (b, a) is to be added.
        if (!any_follows || i != j || row <= column) entries.push_back(place(k, a, row, b, column));
      });
    });
  }
  return entries;
}

/// By counting on the rows, then each row's few entries by themselves.
void BlockAssembler::sort(SortedList& sorted, const BlockList& list, const BlockMap& map) {
  sorted.key = list.key;
  sorted.placed_in = 0;
  const std::vector<Placed> entries = placed(list, map);
  const std::size_t rows = map.rows;
  std::vector<std::uint32_t> begin(rows + 2, 0);
  for (const Placed& e : entries) {
    if (e.row >= 0) ++begin[e.row + 2];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  struct InRow {
    int column;
    Entry entry;
    bool operator<(const InRow& other) const {
      return column != other.column ? column < other.column : entry < other.entry;
    }
  };
  std::vector<InRow> by_row(begin.back());
  for (const Placed& e : entries) {
    if (e.row >= 0) by_row[begin[e.row + 1]++] = {e.column, e.entry};
  }
  sorted.row.assign(rows + 1, 0);
  parallel_chunks(rows, rows_of_a_task, [&](std::size_t first, std::size_t last, std::size_t) {
    for (std::size_t i = first; i < last; ++i) {
      InRow *const from = by_row.data() + begin[i], *const to = by_row.data() + begin[i + 1];
      if (!std::is_sorted(from, to)) std::sort(from, to);
      std::uint32_t distinct = 0;
      for (const InRow* e = from; e != to; ++e) distinct += e == from || e->column != e[-1].column;
      sorted.row[i + 1] = distinct;
    }
  });
  std::partial_sum(sorted.row.begin(), sorted.row.end(), sorted.row.begin());
  const std::uint32_t count = sorted.row.back();
  sorted.order.resize(by_row.size());
  sorted.start.resize(count + 1);
  sorted.distinct.resize(count);
  sorted.plain.resize(count);
  sorted.start[count] = static_cast<std::uint32_t>(by_row.size());
  parallel_chunks(rows, rows_of_a_task, [&](std::size_t first, std::size_t last, std::size_t) {
    for (std::size_t i = first; i < last; ++i) {
      std::uint32_t d = sorted.row[i];
      for (std::uint32_t e = begin[i]; e < begin[i + 1]; ++e) {
        const auto& [column, entry] = by_row[e];
        if (e == begin[i] || column != by_row[e - 1].column) {
          sorted.start[d] = e;
          sorted.distinct[d] = BlockList::make_key(static_cast<int>(i), column);
          sorted.plain[d++] = 1;
        }
        sorted.order[e] = entry;
        const std::uint64_t key = list.key[entry.k];
        if (entry.a >= 0 || entry.b >= 0 || !map.plain[key >> 32] || !map.plain[key & 0xffffffffu])
          sorted.plain[d - 1] = 0;
      }
    }
  });
}

/// Makes the matrix's pattern the union of all lists' keys, unless they fit into the present one without much
/// waste.
void BlockAssembler::update_pattern(int rows) {
  const std::size_t count = rows;
  std::vector<int> row_start(count + 1, 0);
  std::vector<std::vector<int>> columns((count + rows_of_a_task - 1) / rows_of_a_task);
  parallel_chunks(count, rows_of_a_task, [&](std::size_t first, std::size_t last, std::size_t chunk) {
    std::vector<int>& own = columns[chunk];
    for (std::size_t i = first; i < last; ++i) {
      const auto before = static_cast<std::ptrdiff_t>(own.size());
      own.push_back(static_cast<int>(i));
      for (const SortedList& list : lists_) {
        for (std::uint32_t d = list.row[i]; d < list.row[i + 1]; ++d)
          own.push_back(static_cast<int>(list.distinct[d] & 0xffffffffu));
      }
      std::sort(own.begin() + before, own.end());
      own.erase(std::unique(own.begin() + before, own.end()), own.end());
      row_start[i + 1] = static_cast<int>(static_cast<std::ptrdiff_t>(own.size()) - before);
    }
  });
  std::partial_sum(row_start.begin(), row_start.end(), row_start.begin());
  const double waste = fresh_ ? 1.0 : 1.2;
  fresh_ = false;
  if (matrix_.rows == rows && matrix_.pattern_version > 0 &&
      waste * row_start.back() >= static_cast<double>(matrix_.column.size())) {
    std::vector<char> fits(columns.size(), 1);
    parallel_chunks(count, rows_of_a_task, [&](std::size_t first, std::size_t last, std::size_t chunk) {
      const int* own = columns[chunk].data();
      for (std::size_t i = first; i < last && fits[chunk]; ++i) {
        const int size = row_start[i + 1] - row_start[i];
        fits[chunk] = std::includes(matrix_.column.begin() + matrix_.row_start[i],
                                    matrix_.column.begin() + matrix_.row_start[i + 1], own, own + size);
        own += size;
      }
    });
    if (std::find(fits.begin(), fits.end(), 0) == fits.end()) return;
  }
  matrix_.rows = rows;
  matrix_.row_start = std::move(row_start);
  matrix_.column.resize(matrix_.row_start.back());
  parallel_chunks(count, rows_of_a_task, [&](std::size_t first, std::size_t, std::size_t chunk) {
    std::copy(columns[chunk].begin(), columns[chunk].end(),
              matrix_.column.begin() + matrix_.row_start[first]);
  });
  ++matrix_.pattern_version;
}

namespace {

/// B as it enters the matrix. A block between two controls of one row stands for itself and its mirror image.
Matrix3 mapped(const Matrix3& B, std::uint64_t key, const BlockMap& map) {
  const int i = static_cast<int>(key >> 32), j = static_cast<int>(key & 0xffffffffu);
  const Matrix3 block = map.factor[i].transpose() * B * map.factor[j];
  return i != j && map.row[i] == map.row[j] ? Matrix3(block + block.transpose()) : block;
}

/// The same where a control follows others. `with_factors`: B has the factors of rigid bodies already.
Matrix3 mapped_parts(const Matrix3& B, std::uint64_t key, int a, int b, bool with_factors,
                     const BlockMap& map) {
  const int i = static_cast<int>(key >> 32), j = static_cast<int>(key & 0xffffffffu);
  auto row = [&map](int control, int part) {
    return part < 0 ? map.row[control] : map.parts[map.follower[control]][part].row;
  };
  auto factor = [&map, with_factors](int control, int part) -> Matrix3 {
    if (part >= 0) return map.parts[map.follower[control]][part].factor;
    if (!with_factors) return map.factor[control];
    Matrix3 free = Matrix3::Identity();
    for (int axis = 0; axis < 3; ++axis) {
      if (map.held[control] >> axis & 1) free(axis, axis) = 0;
    }
    return free;
  };
  const Matrix3 block = factor(i, a).transpose() * B * factor(j, b);
  const int first = row(i, a), second = row(j, b);
  if (first > second) return block.transpose();
  return i != j && first == second ? Matrix3(block + block.transpose()) : block;
}

/// B, which has the map's factors already, without the axes that are held.
Matrix3 without_held(const Matrix3& B, std::uint64_t key, const BlockMap& map) {
  const unsigned rows = map.held[key >> 32], columns = map.held[key & 0xffffffffu];
  if (rows == 0 && columns == 0) return B;
  Matrix3 block = B;
  for (int axis = 0; axis < 3; ++axis) {
    if (rows >> axis & 1) block.row(axis).setZero();
    if (columns >> axis & 1) block.col(axis).setZero();
  }
  return block;
}

}  // namespace

BlockMatrix& BlockAssembler::assemble(std::span<const Source> sources, const BlockMap& map) {
  bool changed = lists_.size() != sources.size() || map.row != row_of_ || map.version != map_version_;
  if (changed) {
    lists_.assign(sources.size(), {});
    row_of_ = map.row;
    map_version_ = map.version;
  }
  for (std::size_t s = 0; s < sources.size(); ++s) {
    if (changed || lists_[s].key != sources[s].list->key) {
      sort(lists_[s], *sources[s].list, map);
      changed = true;
    }
  }
  if (changed || fresh_) update_pattern(map.rows);
  matrix_.value.resize(matrix_.column.size());
  parallel_for(matrix_.value.size(), [&](std::size_t k) { matrix_.value[k].setZero(); });
  for (std::size_t s = 0; s < sources.size(); ++s) {
    SortedList& list = lists_[s];
    if (list.placed_in != matrix_.pattern_version) {
      list.placed_in = matrix_.pattern_version;
      list.position.resize(list.distinct.size());
      parallel_for(list.distinct.size(), [&](std::size_t d) {
        const int row = static_cast<int>(list.distinct[d] >> 32);
        const int column = static_cast<int>(list.distinct[d] & 0xffffffffu);
        const auto begin = matrix_.column.begin() + matrix_.row_start[row];
        const auto end = matrix_.column.begin() + matrix_.row_start[row + 1];
        list.position[d] =
            static_cast<std::uint32_t>(std::lower_bound(begin, end, column) - matrix_.column.begin());
      });
    }
    const std::vector<Matrix3>& value = sources[s].list->value;
    const std::vector<std::uint64_t>& key = list.key;
    const double scale = sources[s].scale;
    const bool with_factors = sources[s].mapped;
    parallel_for(list.distinct.size(), [&](std::size_t d) {
      Matrix3 sum = Matrix3::Zero();
      for (std::uint32_t e = list.start[d]; e < list.start[d + 1]; ++e) {
        const auto [k, a, b] = list.order[e];
        if (list.plain[d]) {
          sum += value[k];
        } else if (a >= 0 || b >= 0) {
          sum += mapped_parts(value[k], key[k], a, b, with_factors, map);
        } else if (with_factors) {
          sum += without_held(value[k], key[k], map);
        } else {
          sum += mapped(value[k], key[k], map);
        }
      }
      matrix_.value[list.position[d]] += scale * sum;
    });
  }
  return matrix_;
}

}  // namespace bulwark
