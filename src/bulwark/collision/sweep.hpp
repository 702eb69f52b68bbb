// Sweep and prune along one axis: pairs of boxes whose intervals on it overlap are tested on the other two.
// Finds the bodies that are near each other.
#pragma once

#include <bulwark/base/parallel.hpp>
#include <bulwark/geometry/box_tree.hpp>

#include <algorithm>
#include <vector>

namespace bulwark {

struct SweptItem {
  Box box;
  int id;
};

/// The axis along which the boxes' centers vary most.
inline int widest_axis(const std::vector<SweptItem>& items) {
  int best = 0;
  double largest = -1;
  for (int axis = 0; axis < 3; ++axis) {
    double sum = 0, squares = 0;
    for (const SweptItem& item : items) {
      const double center = 0.5 * (item.box.lower[axis] + item.box.upper[axis]);
      sum += center;
      squares += center * center;
    }
    const auto n = static_cast<double>(items.size());
    const double variance = squares - sum * sum / std::max(1.0, n);
    if (variance > largest) {
      largest = variance;
      best = axis;
    }
  }
  return best;
}

inline constexpr std::size_t swept_per_chunk = 128;
inline std::size_t sweep_chunks(std::size_t items) {
  return (items + swept_per_chunk - 1) / swept_per_chunk;
}

/// Calls found(chunk, a, b) for every pair of overlapping boxes, from several threads, one of them in a
/// chunk.
template <class Found>
void sweep(std::vector<SweptItem>& items, Found&& found) {
  const int axis = widest_axis(items);
  std::sort(items.begin(), items.end(), [axis](const SweptItem& a, const SweptItem& b) {
    return a.box.lower[axis] != b.box.lower[axis] ? a.box.lower[axis] < b.box.lower[axis] : a.id < b.id;
  });
  parallel_chunks(items.size(), swept_per_chunk, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
    for (std::size_t i = begin; i < end; ++i) {
      const SweptItem& a = items[i];
      for (std::size_t j = i + 1; j < items.size() && items[j].box.lower[axis] <= a.box.upper[axis]; ++j) {
        if (overlap(a.box, items[j].box)) found(chunk, a, items[j]);
      }
    }
  });
}

}  // namespace bulwark
