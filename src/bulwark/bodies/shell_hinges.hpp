// The hinges of a shell: pairs of triangles that share an edge.
#pragma once

#include <bulwark/geometry/mesh.hpp>

#include <algorithm>
#include <map>
#include <vector>

namespace bulwark {

/// The edge, then the triangles' corners opposite to it.
using Hinge = std::array<int, 4>;

/// In ascending order of the edges. Where more than two triangles meet at an edge, every two of them make a
/// hinge.
inline std::vector<Hinge> shell_hinges(const std::vector<Triangle>& triangles) {
  std::map<Edge, std::vector<int>> opposite;
  for (const Triangle& t : triangles) {
    for (int k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      opposite[{std::min(a, b), std::max(a, b)}].push_back(t[(k + 2) % 3]);
    }
  }
  std::vector<Hinge> hinges;
  for (const auto& [edge, corners] : opposite) {
    for (std::size_t i = 0; i < corners.size(); ++i) {
      for (std::size_t j = i + 1; j < corners.size(); ++j)
        hinges.push_back({edge[0], edge[1], corners[i], corners[j]});
    }
  }
  return hinges;
}

}  // namespace bulwark
