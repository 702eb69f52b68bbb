#include <bulwark/geometry/cell_pattern.hpp>

#include <initializer_list>
#include <span>

namespace bulwark {
namespace {

using Place = std::array<int, 3>;

std::span<const Place> corner_places(CellShape shape) {
  static constexpr std::array<Place, 4> tetrahedron = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  static constexpr std::array<Place, 8> hexahedron = {
      {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}};
  if (shape == CellShape::triangle) return std::span<const Place>(tetrahedron).first(3);
  if (shape == CellShape::tetrahedron) return tetrahedron;
  return hexahedron;
}

}  // namespace

std::vector<std::array<int, 3>> lattice_of(const CellPattern& pattern, int order) {
  const std::span<const Place> corners = corner_places(pattern.shape);
  const bool hexahedron = pattern.shape == CellShape::hexahedron;
  std::vector<Place> places;
  // The place sum_c weight_c corner_c, where weights sum to the order.
  const auto add = [&](std::initializer_list<std::array<int, 2>> corners_and_weights) {
    Place place{};
    for (const auto& [corner, weight] : corners_and_weights) {
      for (std::size_t k = 0; k < 3; ++k) place[k] += weight * corners[std::size_t(corner)][k];
    }
    places.push_back(place);
  };
  for (int c = 0; c < int(corners.size()); ++c) add({{c, order}});
  for (const auto& [a, b] : pattern.edges) {
    for (int i = 1; i < order; ++i) add({{a, order - i}, {b, i}});
  }
  for (const std::vector<int>& f : pattern.faces) {
    if (hexahedron && order == 2) add({{f[0], 1}, {f[2], 1}});  // opposite corners
    if (hexahedron) continue;
    if (order == 3) add({{f[0], 1}, {f[1], 1}, {f[2], 1}});
    for (std::size_t k = 0; k < 3 && order == 4; ++k)
      add({{f[k], 2}, {f[(k + 1) % 3], 1}, {f[(k + 2) % 3], 1}});
  }
  if ((hexahedron && order == 2) || (pattern.shape == CellShape::tetrahedron && order == 4))
    places.push_back({1, 1, 1});
  return places;
}

}  // namespace bulwark
