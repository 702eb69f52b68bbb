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

void BlockAssembler::sort(SortedList& sorted, const BlockList& list, const BlockMap& map) {
  sorted.key = list.key;
  sorted.placed_in = 0;
  std::vector<std::pair<std::uint64_t, Entry>> entries;
  entries.reserve(list.key.size());
  auto add = [&](std::uint32_t k, int a, int row, int b, int column) {
    if (row < 0 || column < 0) return;
    entries.push_back({BlockList::make_key(std::min(row, column), std::max(row, column)),
                       {k, static_cast<std::int16_t>(a), static_cast<std::int16_t>(b)}});
  };
  for (std::uint32_t k = 0; k < list.key.size(); ++k) {
    const int i = static_cast<int>(list.key[k] >> 32), j = static_cast<int>(list.key[k] & 0xffffffffu);
    if (!map.follows(i) && !map.follows(j)) {
      add(k, -1, map.row[i], -1, map.row[j]);
      continue;
    }
    auto for_parts = [&map](int control, auto&& visit) {
      if (!map.follows(control)) return visit(-1, map.row[control]);
      const std::vector<BlockMap::Part>& parts = map.parts[map.follower[control]];
      for (std::size_t p = 0; p < parts.size(); ++p) visit(static_cast<int>(p), parts[p].row);
    };
    for_parts(i, [&](int a, int row) {
      for_parts(j, [&](int b, int column) {
        // A diagonal block is symmetric, so that only one of (a, b) and (b, a) is to be added.
        if (i != j || row <= column) add(k, a, row, b, column);
      });
    });
  }
  std::sort(entries.begin(), entries.end());
  sorted.order.clear();
  sorted.start.clear();
  sorted.distinct.clear();
  sorted.plain.clear();
  for (std::uint32_t e = 0; e < entries.size(); ++e) {
    if (e == 0 || entries[e].first != entries[e - 1].first) {
      sorted.start.push_back(e);
      sorted.distinct.push_back(entries[e].first);
      sorted.plain.push_back(1);
    }
    const Entry& entry = entries[e].second;
    sorted.order.push_back(entry);
    const std::uint64_t key = list.key[entry.k];
    if (entry.a >= 0 || entry.b >= 0 || !map.plain[key >> 32] || !map.plain[key & 0xffffffffu])
      sorted.plain.back() = 0;
  }
  sorted.start.push_back(static_cast<std::uint32_t>(entries.size()));
}

/// Makes the matrix's pattern the union of all lists' keys, unless they fit into the present one without much
/// waste. Returns whether it changed.
bool BlockAssembler::update_pattern(int rows) {
  std::vector<std::uint64_t> all(rows);
  for (int i = 0; i < rows; ++i) all[i] = BlockList::make_key(i, i);
  std::vector<std::uint64_t> merged;
  for (const SortedList& list : lists_) {
    merged.clear();
    std::set_union(all.begin(), all.end(), list.distinct.begin(), list.distinct.end(),
                   std::back_inserter(merged));
    all.swap(merged);
  }
  const double waste = fresh_ ? 1.0 : 1.2;
  fresh_ = false;
  if (matrix_.rows == rows && matrix_.pattern_version > 0 && waste * all.size() >= matrix_.column.size()) {
    bool fits = true;
    std::size_t k = 0;
    for (int i = 0; i < rows && fits; ++i) {
      int p = matrix_.row_start[i];
      while (k < all.size() && static_cast<int>(all[k] >> 32) == i) {
        const int j = static_cast<int>(all[k] & 0xffffffffu);
        while (p < matrix_.row_start[i + 1] && matrix_.column[p] < j) ++p;
        if (p == matrix_.row_start[i + 1] || matrix_.column[p] != j) {
          fits = false;
          break;
        }
        ++k;
      }
    }
    if (fits) return false;
  }
  matrix_.rows = rows;
  matrix_.row_start.assign(rows + 1, 0);
  matrix_.column.resize(all.size());
  for (std::size_t k = 0; k < all.size(); ++k) {
    ++matrix_.row_start[(all[k] >> 32) + 1];
    matrix_.column[k] = static_cast<int>(all[k] & 0xffffffffu);
  }
  std::partial_sum(matrix_.row_start.begin(), matrix_.row_start.end(), matrix_.row_start.begin());
  ++matrix_.pattern_version;
  return true;
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
