// The boxes of primitives, from those of their vertices.
#pragma once

#include <bulwark/collision/broad_phase.hpp>
#include <bulwark/geometry/box_tree.hpp>

#include <algorithm>
#include <array>

namespace bulwark {

/// The box around the boxes of some vertices.
template <std::size_t count>
Box box_around(const VertexBoxes& boxes, const std::array<int, count>& vertices) {
  const double *lower = boxes.lower.data(), *upper = boxes.upper.data();
  Box box;
  for (int i = 0; i < 3; ++i) {
    box.lower[i] = lower[3 * vertices[0] + i];
    box.upper[i] = upper[3 * vertices[0] + i];
    for (std::size_t v = 1; v < count; ++v) {
      box.lower[i] = std::min(box.lower[i], lower[3 * vertices[v] + i]);
      box.upper[i] = std::max(box.upper[i], upper[3 * vertices[v] + i]);
    }
  }
  return box;
}

}  // namespace bulwark
