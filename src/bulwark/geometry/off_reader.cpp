// Object File Format (.off), as text: counts, vertices, polygons.
#include <bulwark/geometry/mesh_text.hpp>

namespace bulwark {
namespace {

/// The next word that is not in a comment.
std::string_view next(MeshText& text) {
  std::string_view word = text.word();
  while (!word.empty() && word[0] == '#') {
    text.line();
    word = text.word();
  }
  return word;
}

}  // namespace

FileMesh read_off(const MeshBytes& file) {
  MeshText text(file);
  const std::string_view header = next(text);
  if (header != "OFF" && header != "COFF" && header != "NOFF") {
    text.fail("the file does not begin with OFF",
              "Only three-dimensional OFF, COFF and NOFF files in text are read.");
  }
  const auto count = [&](const char* what) {
    const long long value = text.integer(next(text), what);
    if (value < 0 || static_cast<unsigned long long>(value) > text.rest().size()) {
      text.fail(std::string("the file declares ") + std::to_string(value) + " as " + what +
                    ", more than it can hold",
                "The file is truncated, binary or damaged; export it again as text.");
    }
    return std::size_t(value);
  };
  const std::size_t vertices = count("the number of vertices"), faces = count("the number of faces");
  text.line();  // the number of edges, which nobody needs
  FileMesh mesh;
  for (std::size_t i = 0; i < vertices; ++i) {
    const double x = text.number(next(text), "x"), y = text.number(text.word_on_line(), "y");
    mesh.vertices.emplace_back(x, y, text.number(text.word_on_line(), "z"));
    text.line();  // colours and normals
  }
  std::vector<int> corners;
  for (std::size_t i = 0; i < faces; ++i) {
    const long long size = text.integer(next(text), "a face's number of corners");
    if (size < 1 || static_cast<unsigned long long>(size) > text.rest().size()) {
      text.fail("a face of " + std::to_string(size) + " corners",
                "A face has 3 or more, each on the same line.");
    }
    corners.clear();
    for (long long k = 0; k < size; ++k) {
      corners.push_back(vertex_index(text.integer(text.word_on_line(), "a vertex number")));
    }
    if (size == 1) mesh.points.push_back(corners[0]);
    if (size == 2) mesh.edges.push_back({corners[0], corners[1]});
    if (size > 2) mesh.faces.add(corners);
    text.line();  // colours
  }
  return mesh;
}

}  // namespace bulwark
