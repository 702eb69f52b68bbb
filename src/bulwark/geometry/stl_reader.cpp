// Stereolithography (.stl), text or binary: triangles that each bring their own three vertices.
#include <bulwark/base/error.hpp>
#include <bulwark/geometry/mesh_text.hpp>

#include <cstdint>
#include <cstring>

namespace bulwark {
namespace {

constexpr std::size_t header_size = 84;    // 80 bytes of anything, then the number of triangles
constexpr std::size_t triangle_size = 50;  // normal, three vertices (floats), two bytes of anything

std::uint32_t announced_triangles(std::string_view bytes) {
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + header_size - 4, 4);
  return count;
}

void add_triangle(FileMesh& mesh) {
  const int n = int(mesh.vertices.size());
  mesh.faces.add(std::array<int, 3>{n - 3, n - 2, n - 1});
}

FileMesh read_binary(std::string_view bytes) {
  FileMesh mesh;
  const std::size_t count = announced_triangles(bytes);
  for (std::size_t i = 0; i < count; ++i) {
    float x[9];
    std::memcpy(x, bytes.data() + header_size + i * triangle_size + 12, sizeof x);
    for (int k = 0; k < 3; ++k) mesh.vertices.emplace_back(x[3 * k], x[3 * k + 1], x[3 * k + 2]);
    add_triangle(mesh);
  }
  return mesh;
}

FileMesh read_text(const MeshBytes& file) {
  MeshText text(file);
  FileMesh mesh;
  int corners = 0;
  for (std::string_view key = text.word(); !key.empty(); key = text.word()) {
    if (key == "solid" || key == "endsolid") {
      text.line();  // a name, which may be any words
    } else if (key == "vertex") {
      const double x = text.number("x"), y = text.number("y");
      mesh.vertices.emplace_back(x, y, text.number("z"));
      ++corners;
    } else if (key == "endloop") {
      if (corners != 3) {
        text.fail("a facet of " + std::to_string(corners) + " vertices",
                  "Every facet of an stl file has three.");
      }
      add_triangle(mesh);
      corners = 0;
    } else if (key == "facet") {
      text.line();  // its normal follows from its vertices
    } else if (key != "outer" && key != "loop" && key != "endfacet") {
      text.fail("a word that an stl file can't have here",
                "The file is damaged or not an stl file; export it again.");
    }
  }
  if (corners != 0) text.fail("the last facet is not finished", "The file is truncated; export it again.");
  return mesh;
}

}  // namespace

FileMesh read_stl(const MeshBytes& file) {
  const std::string_view bytes = file.bytes;
  // Some binary files begin with "solid" too, so their length decides.
  if (bytes.size() >= header_size &&
      bytes.size() == header_size + announced_triangles(bytes) * triangle_size) {
    return read_binary(bytes);
  }
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && bytes.substr(first, 5) == "solid") return read_text(file);
  if (bytes.size() < header_size)
    throw InputError(file.name, "not an stl file: it is too short", "Export it again.");
  throw InputError(file.name,
                   "not an stl file: it declares " + std::to_string(announced_triangles(bytes)) +
                       " triangles, which does not agree with its length of " + std::to_string(bytes.size()) +
                       " bytes",
                   "The file is truncated or damaged; export it again.");
}

}  // namespace bulwark
