// Wavefront .obj: vertices, faces, lines and points; the rest (normals, materials, groups) does not matter
// here.
#include <bulwark/geometry/mesh_text.hpp>

namespace bulwark {
namespace {

/// "7", "7/1", "7//3" or "-1" (the last vertex so far) as a vertex number counted from 0.
int corner(const MeshText& text, std::string_view word, std::size_t vertices_so_far) {
  const long long number = text.integer(word.substr(0, word.find('/')), "a vertex number");
  if (number == 0)
    text.fail("vertex number 0", "An obj file counts vertices from 1, or back from the last by -1.");
  if (number > 0) return vertex_index(number, 1);
  if (number < -static_cast<long long>(vertices_so_far)) {
    text.fail("vertex number " + std::to_string(number) + " reaches back past the first vertex",
              std::to_string(vertices_so_far) + " vertices come before this line.");
  }
  return int(static_cast<long long>(vertices_so_far) + number);
}

}  // namespace

FileMesh read_obj(const MeshBytes& file) {
  MeshText text(file);
  FileMesh mesh;
  mesh.first_index = 1;
  std::vector<int> corners;
  bool flat = false;
  for (std::string_view key = text.word(); !key.empty(); key = text.word()) {
    if (key == "v") {
      const double x = text.number(text.word_on_line(), "x"), y = text.number(text.word_on_line(), "y");
      const std::string_view third = text.word_on_line();
      // A file of plane vertices alone leaves out z.
      const bool is_flat = third.empty() && (mesh.vertices.empty() || flat);
      if (!is_flat && flat) text.fail("a vertex with z", "The vertices before it have x and y alone.");
      flat = is_flat;
      mesh.vertices.emplace_back(x, y, is_flat ? 0 : text.number(third, "z"));
    } else if (key == "f" || key == "l" || key == "p") {
      corners.clear();
      for (std::string_view word = text.word_on_line(); !word.empty() && word[0] != '#';
           word = text.word_on_line()) {
        if (word == "\\") word = text.word();  // the line goes on below
        if (word.empty()) break;
        corners.push_back(corner(text, word, mesh.vertices.size()));
      }
      if (key == "f") {
        if (corners.size() < 3)
          text.fail("a face of fewer than 3 corners", "Remove it, or write it as a line (l).");
        mesh.faces.add(corners);
      } else if (key == "l") {
        if (corners.size() < 2)
          text.fail("a line of fewer than 2 corners", "Remove it, or write it as a point (p).");
        for (std::size_t i = 1; i < corners.size(); ++i) mesh.edges.push_back({corners[i - 1], corners[i]});
      } else {
        mesh.points.insert(mesh.points.end(), corners.begin(), corners.end());
      }
    }
    text.line();
  }
  return mesh;
}

}  // namespace bulwark
