#include <bulwark/base/error.hpp>
#include <bulwark/geometry/cell_pattern.hpp>
#include <bulwark/geometry/solid_mesh.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace bulwark {
namespace {

using Place = std::array<int, 3>;

std::vector<Place> vtk_lattice(CellShape shape, int order) {
  static const CellPattern tetrahedron = {CellShape::tetrahedron,
                                          {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}},
                                          {{0, 1, 3}, {2, 3, 1}, {0, 3, 2}, {0, 2, 1}}};
  static const CellPattern hexahedron = {
      CellShape::hexahedron,
      {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}},
      {{0, 3, 7, 4}, {1, 2, 6, 5}, {0, 1, 5, 4}, {3, 2, 6, 7}, {0, 1, 2, 3}, {4, 5, 6, 7}}};
  static const CellPattern triangle = {CellShape::triangle, {{0, 1}, {1, 2}, {2, 0}}, {{0, 1, 2}}};
  if (shape == CellShape::triangle) return lattice_of(triangle, order);
  return lattice_of(shape == CellShape::tetrahedron ? tetrahedron : hexahedron, order);
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
    throw InputError(shape == CellShape::tetrahedron ? "tetrahedra"
                     : shape == CellShape::triangle  ? "triangles"
                                                     : "hexahedra",
                     fmt::format("there are no elements of order {}", order),
                     fmt::format("Give an order from 1 to {}.", largest_order(shape)));
  }
  using Places = std::vector<Place>;
  static const std::array<Places, 4> tetrahedra = {
      vtk_lattice(CellShape::tetrahedron, 1), vtk_lattice(CellShape::tetrahedron, 2),
      vtk_lattice(CellShape::tetrahedron, 3), vtk_lattice(CellShape::tetrahedron, 4)};
  static const std::array<Places, 2> hexahedra = {vtk_lattice(CellShape::hexahedron, 1),
                                                  vtk_lattice(CellShape::hexahedron, 2)};
  static const std::array<Places, 4> triangles = {
      vtk_lattice(CellShape::triangle, 1), vtk_lattice(CellShape::triangle, 2),
      vtk_lattice(CellShape::triangle, 3), vtk_lattice(CellShape::triangle, 4)};
  if (shape == CellShape::triangle) return triangles[std::size_t(order - 1)];
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
  static const std::array<CellFace, 3> triangle = {CellFace{2, {{{0, 0, 0}, {1, 0, 0}, {}, {}}}},
                                                   CellFace{2, {{{1, 0, 0}, {0, 1, 0}, {}, {}}}},
                                                   CellFace{2, {{{0, 1, 0}, {0, 0, 0}, {}, {}}}}};
  if (shape == CellShape::triangle) return triangle;
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

std::vector<Triangle> boundary_triangles(const SolidMesh& mesh) {
  std::vector<Triangle> triangles;
  const int p = mesh.order;
  for (const BoundaryFace& boundary : boundary_faces(mesh)) {
    const CellFace& face = cell_faces(mesh.shape)[std::size_t(boundary.face)];
    const Place &origin = face.corners[0], &along = face.corners[1],
                &across = face.corners[std::size_t(face.corner_count - 1)];
    const auto at = [&](int i, int j) {
      Place place{};
      for (std::size_t k = 0; k < 3; ++k)
        place[k] = p * origin[k] + i * (along[k] - origin[k]) + j * (across[k] - origin[k]);
      return mesh.cell(boundary.cell)[std::size_t(node_at(mesh.shape, p, place))];
    };
    for (int j = 0; j < p; ++j) {
      for (int i = 0; i < (face.corner_count == 3 ? p - j : p); ++i) {
        triangles.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
        if (face.corner_count == 4 || i + j + 1 < p)
          triangles.push_back({at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
      }
    }
  }
  return triangles;
}

SurfaceMesh boundary_surface(const SolidMesh& mesh) {
  SurfaceMesh surface;
  surface.triangles = boundary_triangles(mesh);
  std::vector<int> number(std::size_t(mesh.vertices.cols()), -1);
  for (const Triangle& t : surface.triangles) {
    for (int v : t) number[std::size_t(v)] = 0;
  }
  int count = 0;
  for (int& n : number) {
    if (n == 0) n = count++;
  }
  surface.vertices.resize(3, count);
  for (std::size_t v = 0; v < number.size(); ++v) {
    if (number[v] >= 0) surface.vertices.col(number[v]) = mesh.vertices.col(Eigen::Index(v));
  }
  for (Triangle& t : surface.triangles) {
    for (int& v : t) v = number[std::size_t(v)];
  }
  return surface;
}

SolidMesh as_solid_mesh(const TetMesh& mesh) {
  SolidMesh result;
  result.vertices = mesh.vertices;
  result.cells.reserve(4 * mesh.tetrahedra.size());
  for (const Tetrahedron& t : mesh.tetrahedra) result.cells.insert(result.cells.end(), t.begin(), t.end());
  return result;
}

}  // namespace bulwark
