// Solids of Lagrange elements of any order, straight or curved: tetrahedra of order 1 to 4, hexahedra of order 1
// and 2; and in the plane z = 0 triangles of order 1 to 4. What files and `raised` give, and deformable bodies are built from. The order of an element's nodes is
// said once, here: that of VTK's cells.
#pragma once

#include <bulwark/geometry/mesh.hpp>

#include <array>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace bulwark {

enum class CellShape : unsigned char { tetrahedron, hexahedron, triangle };

/// Places of the nodes of an element on its lattice, in the elements' order: the node at (i, j, k) has the parent
/// coordinates (i, j, k) / order. The parent tetrahedron has the corners 0, e1, e2, e3, the parent triangle
/// the first three of them, the parent hexahedron is the unit cube. Order of nodes: corners, then inner nodes of edges, of faces, and of the cell.
/// Throws InputError for an order that there are no elements of.
std::span<const std::array<int, 3>> lattice_nodes(CellShape shape, int order);

/// The number of the node at a lattice place; -1 where there is none.
int node_at(CellShape shape, int order, const std::array<int, 3>& place);

constexpr int corner_count(CellShape shape) {
  return shape == CellShape::tetrahedron ? 4 : shape == CellShape::triangle ? 3 : 8;
}

/// Largest order that there are elements of.
constexpr int largest_order(CellShape shape) {
  return shape == CellShape::hexahedron ? 2 : 4;
}

/// A solid of elements of one shape and order. The map from a parent cell is sum_a N_a(xi) vertex_a: curved
/// where nodes do not lie on straight lattices.
struct SolidMesh {
  Vectors vertices;  ///< the nodes
  CellShape shape = CellShape::tetrahedron;
  int order = 1;
  std::vector<int> cells;  ///< nodes of the cells, one cell after another
  /// Sets that the file names: ascending nodes, of a set of elements all of theirs.
  std::map<std::string, std::vector<int>> node_sets;

  int nodes_per_cell() const { return static_cast<int>(lattice_nodes(shape, order).size()); }
  int cell_count() const { return static_cast<int>(cells.size()) / nodes_per_cell(); }
  std::span<const int> cell(int c) const {
    const auto n = static_cast<std::size_t>(nodes_per_cell());
    return {cells.data() + n * static_cast<std::size_t>(c), n};
  }
};

/// A face of a cell: its corners (three or four) by lattice place, seen from outside counterclockwise. Those of a
/// triangle are its sides, of two corners each, with the triangle to their left. Faces of a hexahedron are those at x = 0, x = 1, y = 0, y = 1, z = 0, z = 1.
struct CellFace {
  int corner_count = 3;
  std::array<std::array<int, 3>, 4> corners{};  ///< in units of the cell: 0 or 1
};
std::span<const CellFace> cell_faces(CellShape shape);

/// Faces of the mesh that only one cell has, in ascending order of cell and face.
struct BoundaryFace {
  int cell = 0, face = 0;  ///< of cell_faces
};
std::vector<BoundaryFace> boundary_faces(const SolidMesh& mesh);

/// The boundary as flat triangles between neighbouring nodes: order^2 of them on a triangle, 2 order^2 on a
/// quadrangle, oriented outward, in the order of boundary_faces.
std::vector<Triangle> boundary_triangles(const SolidMesh& mesh);

/// The same as a surface of its own: only the vertices on it, in ascending order.
SurfaceMesh boundary_surface(const SolidMesh& mesh);

SolidMesh as_solid_mesh(const TetMesh& mesh);

/// The same solid in elements of another order, at least its own; nodes in between lie where the elements of its
/// own order have them, so that straight elements stay straight and curved ones keep their shape.
/// Corners come first, in their old order, so that vertices of a mesh of order 1 keep their numbers; nodes of
/// edges, faces and cells follow. Node sets gain the new nodes of edges, faces and cells whose nodes all belong
/// to them.
SolidMesh raised(const SolidMesh& mesh, int order);

}  // namespace bulwark
