// Sweep and prune along one axis: pairs of boxes whose intervals on it overlap are tested on the other two.
#pragma once

#include <bulwark/base/parallel.hpp>
#include <bulwark/collision/primitive_boxes.hpp>

#include <algorithm>
#include <vector>

namespace bulwark {

/// A box of one of two sets, as the sweep sees it.
struct SweptItem {
  Box box;
  int id;
  bool second;
};

inline void append_items(std::vector<SweptItem>& items, const PrimitiveBoxes& primitives, bool second) {
  for (std::size_t k = 0; k < primitives.size(); ++k) {
    items.push_back({primitives.box[k], primitives.index[k], second});
  }
}

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

/// Calls found(chunk, a, b) for every pair of overlapping boxes: of different sets where `between`, of all
/// otherwise. stop() ends the search.
template <class Found, class Stop>
void sweep(std::vector<SweptItem>& items, bool between, Found&& found, Stop&& stop) {
  const int axis = widest_axis(items);
  std::sort(items.begin(), items.end(), [axis](const SweptItem& a, const SweptItem& b) {
    if (a.box.lower[axis] != b.box.lower[axis]) return a.box.lower[axis] < b.box.lower[axis];
    return a.second != b.second ? a.second < b.second : a.id < b.id;
  });
  parallel_chunks(items.size(), swept_per_chunk, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
    for (std::size_t i = begin; i < end && !stop(); ++i) {
      const SweptItem& a = items[i];
      for (std::size_t j = i + 1; j < items.size() && items[j].box.lower[axis] <= a.box.upper[axis]; ++j) {
        const SweptItem& b = items[j];
        if (between && a.second == b.second) continue;
        if (overlap(a.box, b.box)) found(chunk, a, b);
      }
    }
  });
}

}  // namespace bulwark
