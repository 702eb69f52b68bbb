#include <bulwark/base/error.hpp>
#include <bulwark/base/input_file.hpp>
#include <bulwark/geometry/complete_solid.hpp>
#include <bulwark/geometry/mesh_file.hpp>
#include <bulwark/geometry/mesh_readers.hpp>
#include <bulwark/geometry/polygon.hpp>
#include <bulwark/geometry/shapes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace bulwark {
namespace {

constexpr const char* known_extensions = "obj, stl, ply, off, msh, vtu or inp";

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  }
  return result;
}

FileMesh read_format(const MeshBytes& file, std::string_view extension) {
  const std::string format = lower(extension);
  if (format == "obj") return read_obj(file);
  if (format == "stl") return read_stl(file);
  if (format == "ply") return read_ply(file);
  if (format == "off") return read_off(file);
  if (format == "msh") return read_msh(file);
  if (format == "vtu") return read_vtu(file);
  if (format == "inp") return read_inp(file);
  throw InputError(file.name, "no mesh format has the extension '" + format + "'",
                   std::string("Give a file that ends in ") + known_extensions + ".");
}

class Completion {
 public:
  Completion(FileMesh mesh, std::string name) : mesh_(std::move(mesh)), name_(std::move(name)) {}

  AnyMesh run() {
    check();
    if (!mesh_.has_solids()) return surface();
    const bool only_linear_tetrahedra = mesh_.solids.empty();
    if (only_linear_tetrahedra) mesh_.node_sets.clear();
    SolidMesh solid = complete_solid(std::move(mesh_), name_);
    if (only_linear_tetrahedra) return as_tet_mesh(std::move(solid));
    return solid;
  }

  QuadMesh quads() {
    check();
    const Polygons& faces = mesh_.faces;
    if (mesh_.has_solids() || faces.ends.empty()) {
      throw InputError(name_, mesh_.has_solids() ? "the file holds a solid" : "the file holds no quads",
                       "Give the middle surface of the shell, as a mesh of quads.");
    }
    const std::vector<int> first = first_at_same_place();
    QuadMesh result;
    std::vector<bool> used(mesh_.vertices.size(), false);
    for (std::size_t i = 0; i < faces.ends.size(); ++i) {
      const std::span<const int> corners = faces[i];
      if (corners.size() != 4) {
        throw InputError(
            fmt::format("{}, face {}", name_, i + mesh_.first_index),
            fmt::format("it has {} corners, but a shell of this kind is made of quads", corners.size()),
            "Mesh the surface with quads alone, or use kind `shell`.");
      }
      std::array<int, 4>& quad = result.quads.emplace_back();
      for (int k = 0; k < 4; ++k) used[quad[k] = first[corners[k]]] = true;
    }
    const std::vector<int> number = renumber(used, result.vertices);
    for (std::array<int, 4>& quad : result.quads) {
      for (int& v : quad) v = number[v];
    }
    return result;
  }

  SolidMesh solid() {
    check();
    if (!mesh_.has_solids()) {
      throw InputError(
          name_, "the file holds no solid elements",
          "Give a .msh, .vtu or .inp file of tetrahedra or hexahedra, or a closed surface to be filled.");
    }
    return complete_solid(std::move(mesh_), name_);
  }

 private:
  void check() const {
    check_vertices();
    const Polygons& faces = mesh_.faces;
    check_indices("tetrahedron", mesh_.tetrahedra);
    for (const FileCells& cells : mesh_.solids) {
      for (std::size_t i = 0; i < cells.nodes.size(); ++i)
        check_index("element", i / cells.nodes_per_cell, cells.nodes[i]);
    }
    check_indices("edge", mesh_.edges);
    for (std::size_t i = 0; i < mesh_.points.size(); ++i) check_index("point", i, mesh_.points[i]);
    for (std::size_t i = 0; i < faces.ends.size(); ++i) {
      for (int v : faces[i]) check_index("face", i, v);
    }
  }

  void check_vertices() const {
    if (mesh_.vertices.empty()) {
      throw InputError(name_, "the file holds no vertices",
                       "It is empty, damaged or not in the format that its name says; export it again.");
    }
    for (std::size_t i = 0; i < mesh_.vertices.size(); ++i) {
      const Vector3& x = mesh_.vertices[i];
      if (!x.allFinite()) {
        throw InputError(fmt::format("{}, vertex {}", name_, i + mesh_.first_index),
                         fmt::format("coordinates ({}, {}, {}) are not finite", x[0], x[1], x[2]),
                         "Repair the mesh in the tool it comes from.");
      }
    }
  }

  template <std::size_t n>
  void check_indices(const char* kind, const std::vector<std::array<int, n>>& elements) const {
    for (std::size_t i = 0; i < elements.size(); ++i) {
      for (int v : elements[i]) check_index(kind, i, v);
    }
  }

  void check_index(const char* kind, std::size_t element, int vertex) const {
    const int count = int(mesh_.vertices.size());
    if (vertex >= 0 && vertex < count) return;
    const int first = mesh_.first_index;
    throw InputError(
        fmt::format("{}, {} {}", name_, kind, element + first),
        vertex < 0 ? std::string("uses a vertex number that no vertex can have")
                   : fmt::format("uses vertex {}, which does not exist", vertex + first),
        fmt::format("The file holds {} vertices, numbered from {} to {}.", count, first, count - 1 + first));
  }

  /// New numbers for those vertices that are used, in the old order; -1 for the others.
  std::vector<int> renumber(const std::vector<bool>& used, Vectors& vertices) const {
    std::vector<int> number(used.size(), -1);
    int count = 0;
    for (std::size_t i = 0; i < used.size(); ++i) {
      if (used[i]) number[i] = count++;
    }
    vertices.resize(3, count);
    for (std::size_t i = 0; i < used.size(); ++i) {
      if (used[i]) vertices.col(number[i]) = mesh_.vertices[i];
    }
    return number;
  }

  static TetMesh as_tet_mesh(SolidMesh solid) {
    TetMesh result;
    result.vertices = std::move(solid.vertices);
    result.tetrahedra.reserve(solid.cells.size() / 4);
    for (std::size_t i = 0; i < solid.cells.size(); i += 4)
      result.tetrahedra.push_back(
          {solid.cells[i], solid.cells[i + 1], solid.cells[i + 2], solid.cells[i + 3]});
    return result;
  }

  /// For each vertex, the first one at the very same place.
  std::vector<int> first_at_same_place() const {
    std::vector<int> order(mesh_.vertices.size());
    std::iota(order.begin(), order.end(), 0);
    const auto less = [&](int a, int b) {
      const Vector3 &x = mesh_.vertices[a], &y = mesh_.vertices[b];
      for (int k = 0; k < 3; ++k) {
        if (x[k] != y[k]) return x[k] < y[k];
      }
      return a < b;
    };
    std::sort(order.begin(), order.end(), less);
    std::vector<int> first(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      const bool same = i > 0 && mesh_.vertices[order[i]] == mesh_.vertices[order[i - 1]];
      first[order[i]] = same ? first[order[i - 1]] : order[i];
    }
    return first;
  }

  /// A triangle of three vertices, two of which are at the same place: it joins copies that become one. A
  /// triangle that names a vertex twice is a fault of the file, and stays for the mesh checker.
  static bool collapses(const Triangle& t, const std::vector<int>& first) {
    for (int k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      if (a != b && first[a] == first[b]) return true;
    }
    return false;
  }

  SurfaceMesh surface() {
    SurfaceMesh result;
    const Polygons& faces = mesh_.faces;
    for (std::size_t i = 0; i < faces.ends.size(); ++i)
      triangulate_polygon(mesh_.vertices, faces[i], result.triangles);
    result.edges = std::move(mesh_.edges);
    result.points = std::move(mesh_.points);
    if (result.triangles.empty() && result.edges.empty() && result.points.empty()) {
      result.points.resize(mesh_.vertices.size());
      std::iota(result.points.begin(), result.points.end(), 0);
    }
    const std::vector<int> first = first_at_same_place();
    std::erase_if(result.triangles, [&](const Triangle& t) { return collapses(t, first); });
    std::vector<bool> used(mesh_.vertices.size(), false);
    for_each_index(result, [&](int& v) { used[v = first[v]] = true; });
    const std::vector<int> number = renumber(used, result.vertices);
    for_each_index(result, [&](int& v) { v = number[v]; });
    drop_repeated(result);
    return result;
  }

  template <class Visit>
  static void for_each_index(SurfaceMesh& mesh, Visit visit) {
    for (Triangle& t : mesh.triangles) {
      for (int& v : t) visit(v);
    }
    for (Edge& e : mesh.edges) {
      for (int& v : e) visit(v);
    }
    for (int& v : mesh.points) visit(v);
  }

  /// Edges and points count only where no triangle or edge has them already.
  static void drop_repeated(SurfaceMesh& mesh) {
    const std::vector<Edge> sides = unique_edges(mesh.triangles);
    std::vector<bool> used(mesh.vertices.cols(), false);
    for (const Edge& side : sides) used[side[0]] = used[side[1]] = true;
    for (Edge& e : mesh.edges) e = {std::min(e[0], e[1]), std::max(e[0], e[1])};
    std::sort(mesh.edges.begin(), mesh.edges.end());
    mesh.edges.erase(std::unique(mesh.edges.begin(), mesh.edges.end()), mesh.edges.end());
    std::erase_if(mesh.edges, [&](const Edge& e) {
      return e[0] == e[1] || std::binary_search(sides.begin(), sides.end(), e);
    });
    for (const Edge& e : mesh.edges) used[e[0]] = used[e[1]] = true;
    std::sort(mesh.points.begin(), mesh.points.end());
    mesh.points.erase(std::unique(mesh.points.begin(), mesh.points.end()), mesh.points.end());
    std::erase_if(mesh.points, [&](int v) { return used[v]; });
  }

  FileMesh mesh_;
  std::string name_;
};

std::string read_bytes(const std::filesystem::path& path) {
  const std::string name = path.string();
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    throw InputError(name, "no such file", "Paths in a scene are relative to the scene file.");
  }
  if (!std::filesystem::is_regular_file(path, error)) {
    throw InputError(name, "not a file", std::string("Give a mesh file: ") + known_extensions + ".");
  }
  const InputFile file(path);
  constexpr std::uint64_t largest = std::uint64_t{1} << 33;  // vertex numbers are ints; 8 GiB hold no more
  if (file.size() > largest) throw InputError(name, "the file is larger than 8 GiB", "Simplify the mesh.");
  return file.read(0, file.size());
}

std::string extension_of(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  if (!extension.empty()) extension.erase(0, 1);
  return extension;
}

/// The mesh that the bytes of a file hold, to be completed.
Completion completion(std::string_view bytes, std::string_view extension, const std::string& name) {
  if (bytes.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    throw InputError(name, "the file is empty", "Export the mesh again.");
  }
  return {read_format({name, bytes}, extension), name};
}

}  // namespace

AnyMesh read_mesh_from_memory(std::string_view bytes, std::string_view extension, const std::string& name) {
  return naming_file(name, [&] { return completion(bytes, extension, name).run(); });
}

SolidMesh read_solid_mesh_from_memory(std::string_view bytes, std::string_view extension,
                                      const std::string& name) {
  return naming_file(name, [&] { return completion(bytes, extension, name).solid(); });
}

AnyMesh read_mesh(const std::filesystem::path& path) {
  return read_mesh_from_memory(read_bytes(path), extension_of(path), path.string());
}

QuadMesh read_quad_mesh(const std::filesystem::path& path) {
  const std::string bytes = read_bytes(path);
  return naming_file(path.string(),
                     [&] { return completion(bytes, extension_of(path), path.string()).quads(); });
}

SolidMesh read_solid_mesh(const std::filesystem::path& path) {
  return read_solid_mesh_from_memory(read_bytes(path), extension_of(path), path.string());
}

SurfaceMesh read_surface_mesh(const std::filesystem::path& path) {
  AnyMesh mesh = read_mesh(path);
  if (const auto* solid = std::get_if<TetMesh>(&mesh)) return boundary_surface(*solid);
  if (const auto* solid = std::get_if<SolidMesh>(&mesh)) return boundary_surface(*solid);
  return std::get<SurfaceMesh>(std::move(mesh));
}

TetMesh read_tet_mesh(const std::filesystem::path& path) {
  AnyMesh mesh = read_mesh(path);
  if (auto* solid = std::get_if<TetMesh>(&mesh)) return std::move(*solid);
  throw InputError(path.string(), "the file holds no tetrahedra of order 1",
                   "Give a .msh, .vtu or .inp file of such tetrahedra, or a closed surface to be filled.");
}

}  // namespace bulwark
