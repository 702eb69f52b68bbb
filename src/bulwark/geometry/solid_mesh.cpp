#include <bulwark/base/error.hpp>
#include <bulwark/geometry/solid_mesh.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace bulwark {
namespace {

using Place = std::array<int, 3>;

/// What the order of nodes is made of: numbers of corners.
struct CellPattern {
  std::vector<Place> corners;
  std::vector<std::array<int, 2>> edges;
  std::vector<std::vector<int>> faces;
};

const CellPattern& cell_pattern(CellShape shape) {
  static const CellPattern tetrahedron = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                          {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}},
                                          {{0, 1, 3}, {2, 3, 1}, {0, 3, 2}, {0, 2, 1}}};
  static const CellPattern hexahedron = {
      {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}},
      {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}},
      {{0, 3, 4, 7}, {1, 2, 5, 6}, {0, 1, 4, 5}, {2, 3, 6, 7}, {0, 1, 2, 3}, {4, 5, 6, 7}}};
  return shape == CellShape::tetrahedron ? tetrahedron : hexahedron;
}

/// The lattice place sum_c weight_c corner_c.
Place weighted(const CellPattern& pattern, std::initializer_list<std::array<int, 2>> corners_and_weights) {
  Place place{};
  for (const auto& [corner, weight] : corners_and_weights) {
    for (int k = 0; k < 3; ++k) place[k] += weight * pattern.corners[corner][k];
  }
  return place;
}

/// Inner nodes: of a triangle those of order 3 and 4, of order 4 in the order of the corners that they are near;
/// of a quadrangle and of cells the middle.
std::vector<Place> lattice_of(CellShape shape, int order) {
  const CellPattern& pattern = cell_pattern(shape);
  std::vector<Place> places;
  for (int c = 0; c < int(pattern.corners.size()); ++c) places.push_back(weighted(pattern, {{c, order}}));
  for (const auto& [a, b] : pattern.edges) {
    for (int i = 1; i < order; ++i) places.push_back(weighted(pattern, {{a, order - i}, {b, i}}));
  }
  for (const std::vector<int>& f : pattern.faces) {
    if (shape == CellShape::hexahedron) {
      if (order == 2) places.push_back(weighted(pattern, {{f[0], 1}, {f[3], 1}}));
      continue;
    }
    if (order == 3) places.push_back(weighted(pattern, {{f[0], 1}, {f[1], 1}, {f[2], 1}}));
    for (int k = 0; k < 3 && order == 4; ++k)
      places.push_back(weighted(pattern, {{f[k], 2}, {f[(k + 1) % 3], 1}, {f[(k + 2) % 3], 1}}));
  }
  if ((shape == CellShape::hexahedron && order == 2) || order == 4) places.push_back({1, 1, 1});
  return places;
}

using FaceKey = std::array<int, 4>;  // ascending corners, -1 before those of a triangle

FaceKey face_key(const SolidMesh& mesh, int cell, const CellFace& face) {
  FaceKey key = {-1, -1, -1, -1};
  for (int k = 0; k < face.corner_count; ++k) {
    Place place = face.corners[k];
    for (int& coordinate : place) coordinate *= mesh.order;
    key[k] = mesh.cell(cell)[std::size_t(node_at(mesh.shape, mesh.order, place))];
  }
  std::sort(key.begin(), key.end());
  return key;
}

}  // namespace

std::span<const std::array<int, 3>> lattice_nodes(CellShape shape, int order) {
  if (order < 1 || order > largest_order(shape)) {
    const bool tetrahedron = shape == CellShape::tetrahedron;
    throw InputError(tetrahedron ? "tetrahedra" : "hexahedra",
                     fmt::format("there are no elements of order {}", order),
                     fmt::format("Give an order from 1 to {}.", largest_order(shape)));
  }
  using Places = std::vector<Place>;
  static const std::array<Places, 4> tetrahedra = {
      lattice_of(CellShape::tetrahedron, 1), lattice_of(CellShape::tetrahedron, 2),
      lattice_of(CellShape::tetrahedron, 3), lattice_of(CellShape::tetrahedron, 4)};
  static const std::array<Places, 2> hexahedra = {lattice_of(CellShape::hexahedron, 1),
                                                  lattice_of(CellShape::hexahedron, 2)};
  return shape == CellShape::tetrahedron ? tetrahedra[std::size_t(order - 1)]
                                         : hexahedra[std::size_t(order - 1)];
}

int node_at(CellShape shape, int order, const std::array<int, 3>& place) {
  const auto nodes = lattice_nodes(shape, order);
  const auto found = std::find(nodes.begin(), nodes.end(), place);
  return found == nodes.end() ? -1 : int(found - nodes.begin());
}

std::span<const CellFace> cell_faces(CellShape shape) {
  static const std::array<CellFace, 4> tetrahedron = {CellFace{3, {{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {}}}},
                                                      CellFace{3, {{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {}}}},
                                                      CellFace{3, {{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {}}}},
                                                      CellFace{3, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {}}}}};
  static const std::array<CellFace, 6> hexahedron = {
      CellFace{4, {{{0, 0, 0}, {0, 0, 1}, {0, 1, 1}, {0, 1, 0}}}},
      CellFace{4, {{{1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {1, 0, 1}}}},
      CellFace{4, {{{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}}}},
      CellFace{4, {{{0, 1, 0}, {0, 1, 1}, {1, 1, 1}, {1, 1, 0}}}},
      CellFace{4, {{{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0}}}},
      CellFace{4, {{{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}}}};
  if (shape == CellShape::tetrahedron) return tetrahedron;
  return hexahedron;
}

std::vector<BoundaryFace> boundary_faces(const SolidMesh& mesh) {
  struct Use {
    FaceKey key;
    BoundaryFace face;
  };
  const auto faces = cell_faces(mesh.shape);
  std::vector<Use> uses;
  uses.reserve(faces.size() * std::size_t(mesh.cell_count()));
  for (int c = 0; c < mesh.cell_count(); ++c) {
    for (int f = 0; f < int(faces.size()); ++f)
      uses.push_back({face_key(mesh, c, faces[std::size_t(f)]), {c, f}});
  }
  std::sort(uses.begin(), uses.end(), [](const Use& a, const Use& b) { return a.key < b.key; });
  std::vector<BoundaryFace> single;
  for (std::size_t i = 0; i < uses.size();) {
    std::size_t j = i + 1;
    while (j < uses.size() && uses[j].key == uses[i].key) ++j;
    if (j == i + 1) single.push_back(uses[i].face);
    i = j;
  }
  std::sort(single.begin(), single.end(), [](const BoundaryFace& a, const BoundaryFace& b) {
    return a.cell != b.cell ? a.cell < b.cell : a.face < b.face;
  });
  return single;
}

SolidMesh as_solid_mesh(const TetMesh& mesh) {
  SolidMesh result;
  result.vertices = mesh.vertices;
  result.cells.reserve(4 * mesh.tetrahedra.size());
  for (const Tetrahedron& t : mesh.tetrahedra) result.cells.insert(result.cells.end(), t.begin(), t.end());
  return result;
}

}  // namespace bulwark
