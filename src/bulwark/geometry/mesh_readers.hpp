// What the readers of single mesh formats give to mesh_file.cpp, which checks and completes it.
#pragma once

#include <bulwark/geometry/solid_mesh.hpp>

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bulwark {

/// The whole content of a file, and what to call it in errors.
struct MeshBytes {
  std::string name;
  std::string_view bytes;
};

/// Polygons of any number of corners, one after another.
struct Polygons {
  std::vector<int> corners;
  std::vector<std::size_t> ends;  ///< of each polygon, in corners

  void add(std::span<const int> polygon) {
    corners.insert(corners.end(), polygon.begin(), polygon.end());
    ends.push_back(corners.size());
  }
  std::span<const int> operator[](std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends[i - 1];
    return {corners.data() + begin, ends[i] - begin};
  }
};

/// Cells of a solid, all of one kind, one after another in the order of lattice_nodes. Hexahedra of 20 nodes
/// ("serendipity") are of order 2 and lack the nodes inside faces and cell.
struct FileCells {
  CellShape shape;
  int order;
  std::size_t nodes_per_cell;
  std::vector<int> nodes;
};

/// A mesh as the file has it: indices count from 0 but are not checked yet.
struct FileMesh {
  std::vector<Vector3> vertices;
  Polygons faces;
  std::vector<Edge> edges;
  std::vector<int> points;
  std::vector<Tetrahedron> tetrahedra;  ///< of order 1
  std::vector<FileCells> solids;        ///< all other solid cells, one entry per kind
  /// Named sets, in any order and with repetitions.
  std::map<std::string, std::vector<int>> node_sets;
  int first_index = 0;  ///< what the file's format calls the first vertex, for messages

  bool has_solids() const { return !tetrahedra.empty() || !solids.empty(); }

  /// A cell of a solid, its nodes in the order of lattice_nodes.
  void add_cell(CellShape shape, int order, std::span<const int> nodes) {
    if (shape == CellShape::tetrahedron && order == 1) {
      tetrahedra.push_back({nodes[0], nodes[1], nodes[2], nodes[3]});
      return;
    }
    FileCells* cells = nullptr;
    for (FileCells& kind : solids) {
      if (kind.shape == shape && kind.order == order && kind.nodes_per_cell == nodes.size()) cells = &kind;
    }
    if (cells == nullptr) cells = &solids.emplace_back(FileCells{shape, order, nodes.size(), {}});
    cells->nodes.insert(cells->nodes.end(), nodes.begin(), nodes.end());
  }
};

/// Sets may name the same nodes again and again, but not so often that a small file fills the memory: this many
/// members in all sets together, per byte of the file.
inline constexpr std::size_t set_members_per_byte = 16;

FileMesh read_obj(const MeshBytes& file);
FileMesh read_stl(const MeshBytes& file);
FileMesh read_ply(const MeshBytes& file);
FileMesh read_off(const MeshBytes& file);
FileMesh read_msh(const MeshBytes& file);
FileMesh read_vtu(const MeshBytes& file);
FileMesh read_inp(const MeshBytes& file);

}  // namespace bulwark
