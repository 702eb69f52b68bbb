// Where a shell bends: its hinges, pairs of triangles that share an edge, and the triangles whose three edges
// are hinges or free.
#pragma once

#include <bulwark/geometry/mesh.hpp>

#include <algorithm>
#include <map>
#include <vector>

namespace bulwark {

/// The edge, then the triangles' corners opposite to it.
using Hinge = std::array<int, 4>;

/// A triangle with a hinge at each of its edges (from corner i to i + 1), -1 at a free one. The sign makes
/// the hinge's angle positive where the surface bends away from the triangle's own normal.
struct BentTriangle {
  int triangle = 0;
  std::array<int, 3> hinge = {-1, -1, -1};
  std::array<double, 3> sign = {1, 1, 1};
  double share = 1;  ///< of the triangle's area
};

struct ShellHinges {
  std::vector<Hinge> hinges;  ///< in ascending order of the edges
  std::vector<BentTriangle> bent;
};

/// Where n > 2 triangles meet at an edge, every two of them make a hinge, and a triangle there bends against
/// each of the others with a share of its area.
inline ShellHinges shell_hinges(const std::vector<Triangle>& triangles) {
  struct Side {
    int triangle, edge, opposite;
    double direction;
  };
  std::map<Edge, std::vector<Side>> sides;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const int a = triangles[t][k], b = triangles[t][(k + 1) % 3];
      sides[{std::min(a, b), std::max(a, b)}].push_back(
          {static_cast<int>(t), k, triangles[t][(k + 2) % 3], a < b ? 1.0 : -1.0});
    }
  }
  struct Choice {
    int hinge;
    double sign;
  };
  std::vector<std::array<std::vector<Choice>, 3>> choices(triangles.size());
  ShellHinges result;
  for (const auto& [edge, of] : sides) {
    for (std::size_t i = 0; i < of.size(); ++i) {
      for (std::size_t j = i + 1; j < of.size(); ++j) {
        const int hinge = static_cast<int>(result.hinges.size());
        result.hinges.push_back({edge[0], edge[1], of[i].opposite, of[j].opposite});
        choices[of[i].triangle][of[i].edge].push_back({hinge, of[i].direction});
        choices[of[j].triangle][of[j].edge].push_back({hinge, -of[j].direction});
      }
    }
  }
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const auto& own = choices[t];
    const std::size_t count = std::max({own[0].size(), own[1].size(), own[2].size()});
    for (std::size_t n = 0; n < count; ++n) {
      BentTriangle bent;
      bent.triangle = static_cast<int>(t);
      bent.share = 1.0 / static_cast<double>(count);
      for (int k = 0; k < 3; ++k) {
        if (own[k].empty()) continue;
        const Choice& choice = own[k][std::min(n, own[k].size() - 1)];
        bent.hinge[k] = choice.hinge;
        bent.sign[k] = choice.sign;
      }
      result.bent.push_back(bent);
    }
  }
  return result;
}

}  // namespace bulwark
