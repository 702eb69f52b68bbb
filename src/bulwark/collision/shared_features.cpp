#include <bulwark/collision/shared_features.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace bulwark {
namespace {

/// The faces at an edge or a corner, each once.
struct Around {
  std::vector<int> face;
  double sum = 0, largest = 0, offset = 0;

  void add(const NearFace& near) {
    if (std::find(face.begin(), face.end(), near.face) != face.end()) return;
    offset = face.empty() ? near.offset : std::min(offset, near.offset);
    face.push_back(near.face);
    sum += near.weight;
    largest = std::max(largest, near.weight);
  }
  double all_but_largest() const { return face.size() > 1 ? sum - largest : 0; }
};

}  // namespace

std::vector<SharedFeature> shared_features(std::span<const NearFace> faces) {
  std::vector<SharedFeature> features;
  if (faces.size() < 2) return features;
  std::map<Edge, Around> edges, corners;
  for (const NearFace& near : faces) {
    for (int k = 0; k < 3; ++k) {
      const int a = near.corners[k], b = near.corners[(k + 1) % 3];
      edges[{std::min(a, b), std::max(a, b)}].add(near);
      corners[{a, a}].add(near);
    }
  }
  std::map<int, double> of_edges;  // taken off for edges, by corner
  for (const auto& [edge, around] : edges) {
    const double weight = around.all_but_largest();
    if (!(weight > 0)) continue;
    features.push_back({edge, -weight, around.offset});
    for (const int v : edge) of_edges[v] += weight;
  }
  constexpr double rounding = 1e-12;
  for (const auto& [corner, around] : corners) {
    const double weight = of_edges[corner[0]] - around.all_but_largest();
    if (std::abs(weight) > rounding * around.sum) features.push_back({corner, weight, around.offset});
  }
  return features;
}

}  // namespace bulwark
