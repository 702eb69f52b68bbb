// What the readers of single mesh formats give to mesh_file.cpp, which checks and completes it.
#pragma once

#include <bulwark/geometry/mesh.hpp>

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

/// A mesh as the file has it: indices count from 0 but are not checked yet.
struct FileMesh {
  std::vector<Vector3> vertices;
  Polygons faces;
  std::vector<Edge> edges;
  std::vector<int> points;
  std::vector<Tetrahedron> tetrahedra;
  int first_index = 0;  ///< what the file's format calls the first vertex, for messages
};

FileMesh read_obj(const MeshBytes& file);
FileMesh read_stl(const MeshBytes& file);
FileMesh read_ply(const MeshBytes& file);
FileMesh read_off(const MeshBytes& file);
FileMesh read_msh(const MeshBytes& file);
FileMesh read_vtu(const MeshBytes& file);

}  // namespace bulwark
