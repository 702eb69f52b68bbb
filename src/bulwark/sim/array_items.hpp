// The items of the kinds of arrays that World has, in one way for all of them: vectors, columns, scalars, the
// rows of W and the pairs of a map. Used over sim/world_arrays.hpp.
#pragma once

#include <bulwark/math/types.hpp>

#include <Eigen/SparseCore>
#include <algorithm>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace bulwark {

using WeightRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

template <class T>
int item_count(const std::vector<T>& items) {
  return static_cast<int>(items.size());
}
inline int item_count(const Vectors& columns) {
  return static_cast<int>(columns.cols());
}
inline int item_count(const VectorX& scalars) {
  return static_cast<int>(scalars.size());
}
inline int item_count(const WeightRows& rows) {
  return static_cast<int>(rows.rows());
}
template <class Key, class Value>
int item_count(const std::map<Key, Value>& map) {
  return static_cast<int>(map.size());
}

/// look(item, i) for each item that may have numbers in it; a row of W is the list of its columns.
template <class T, class Look>
void for_each_item(const std::vector<T>& items, Look&& look) {
  for (std::size_t i = 0; i < items.size(); ++i) look(items[i], static_cast<int>(i));
}
template <class Look>
void for_each_item(const Vectors&, Look&&) {}
template <class Look>
void for_each_item(const VectorX&, Look&&) {}
template <class Look>
void for_each_item(const WeightRows& rows, Look&& look) {
  for (int i = 0; i < rows.rows(); ++i) {
    const std::span<const int> columns(rows.innerIndexPtr() + rows.outerIndexPtr()[i],
                                       rows.innerIndexPtr() + rows.outerIndexPtr()[i + 1]);
    look(columns, i);
  }
}
template <class Key, class Value, class Look>
void for_each_item(const std::map<Key, Value>& map, Look&& look) {
  int i = 0;
  for (const auto& item : map) look(item, i++);
}

/// change(item) for each item; numbers keep their order.
template <class T, class Change>
void change_items(std::vector<T>& items, Change&& change) {
  for (T& item : items) change(item);
}
template <class Change>
void change_items(Vectors&, Change&&) {}
template <class Change>
void change_items(VectorX&, Change&&) {}
template <class Change>
void change_items(WeightRows& rows, Change&& change) {
  for (int i = 0; i < rows.rows(); ++i) {
    const std::span<int> columns(rows.innerIndexPtr() + rows.outerIndexPtr()[i],
                                 rows.innerIndexPtr() + rows.outerIndexPtr()[i + 1]);
    change(columns);
  }
}
template <class Key, class Value, class Change>
void change_items(std::map<Key, Value>& map, Change&& change) {
  std::map<Key, Value> changed;
  for (const auto& entry : map) {
    std::pair<Key, Value> item = entry;
    change(item);
    changed.insert(changed.end(), item);
  }
  map = std::move(changed);
}

/// Takes out the items that are marked; the others close up.
template <class T>
void erase_items(std::vector<T>& items, const std::vector<char>& gone) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (gone[i]) continue;
    if (kept != i) items[kept] = std::move(items[i]);  // onto itself, an item would be lost
    ++kept;
  }
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(kept), items.end());
}
inline void erase_items(Vectors& columns, const std::vector<char>& gone) {
  Eigen::Index kept = 0;
  for (Eigen::Index i = 0; i < columns.cols(); ++i) {
    if (!gone[i]) columns.col(kept++) = Vector3(columns.col(i));
  }
  columns.conservativeResize(3, kept);
}
inline void erase_items(VectorX& scalars, const std::vector<char>& gone) {
  Eigen::Index kept = 0;
  for (Eigen::Index i = 0; i < scalars.size(); ++i) {
    if (!gone[i]) scalars[kept++] = scalars[i];
  }
  scalars.conservativeResize(kept);
}
inline void erase_items(WeightRows& rows, const std::vector<char>& gone) {
  int kept = 0, end = 0;
  int* first = rows.outerIndexPtr();
  for (int i = 0, begin = 0; i < rows.rows(); ++i) {
    const int next = first[i + 1];
    if (!gone[i]) {
      std::copy(rows.innerIndexPtr() + begin, rows.innerIndexPtr() + next, rows.innerIndexPtr() + end);
      std::copy(rows.valuePtr() + begin, rows.valuePtr() + next, rows.valuePtr() + end);
      end += next - begin;
      first[++kept] = end;
    }
    begin = next;
  }
  rows.conservativeResize(kept, rows.cols());
  rows.resizeNonZeros(end);
}
template <class Key, class Value>
void erase_items(std::map<Key, Value>& map, const std::vector<char>& gone) {
  int i = 0;
  for (auto entry = map.begin(); entry != map.end();) entry = gone[i++] ? map.erase(entry) : std::next(entry);
}

/// Makes room for `count` items, the new ones zero; of W for the rows alone, and of a map for nothing.
template <class T>
void resize_items(std::vector<T>& items, int count) {
  items.resize(count);
}
inline void resize_items(Vectors& columns, int count) {
  const Eigen::Index had = columns.cols();
  columns.conservativeResize(3, count);
  if (count > had) columns.rightCols(count - had).setZero();
}
inline void resize_items(VectorX& scalars, int count) {
  const Eigen::Index had = scalars.size();
  scalars.conservativeResize(count);
  if (count > had) scalars.tail(count - had).setZero();
}
inline void resize_items(WeightRows& rows, int count) {
  rows.conservativeResize(count, rows.cols());
}
template <class Key, class Value>
void resize_items(std::map<Key, Value>&, int) {}

}  // namespace bulwark
