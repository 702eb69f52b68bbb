// gmsh .msh files in text, versions 2.2 and 4.1: nodes and elements; the rest of the sections is skipped.
#include <bulwark/geometry/mesh_text.hpp>

#include <string>
#include <unordered_map>

namespace bulwark {
namespace {

enum ElementType { line = 1, triangle = 2, quadrangle = 3, tetrahedron = 4, point = 15 };

class MshReader {
 public:
  explicit MshReader(const MeshBytes& file) : text_(file) {}

  FileMesh read() {
    for (std::string_view section = text_.word(); !section.empty(); section = text_.word()) {
      if (section[0] != '$')
        text_.fail("text outside of any section", "Save the mesh again with gmsh, as ASCII.");
      if (section == "$MeshFormat") {
        read_format();
      } else if (section == "$Nodes") {
        require_format();
        version4_ ? read_nodes_4() : read_nodes_2();
      } else if (section == "$Elements") {
        require_format();
        version4_ ? read_elements_4() : read_elements_2();
      }
      skip_to_end_of(section);
    }
    require_format();
    return keep_highest_dimension();
  }

 private:
  void read_format() {
    const std::string version(text_.word());
    const long long is_binary = text_.integer("the file type");
    if (version != "2.2" && version != "2.1" && version != "2" && version != "4.1") {
      text_.fail("msh version " + version + " is not read",
                 "Save it as version 4.1 or 2.2: gmsh -0 FILE -format msh41 -o NEW.msh");
    }
    if (is_binary != 0)
      text_.fail("a binary msh file", "Save it as ASCII: gmsh -0 FILE -format msh41 -o NEW.msh");
    version4_ = version == "4.1";
    has_format_ = true;
  }

  void require_format() const {
    if (!has_format_)
      text_.fail("the section $MeshFormat is missing", "Save the mesh again with gmsh, as ASCII.");
  }

  void skip_to_end_of(std::string_view section) {
    const std::string end = "$End" + std::string(section.substr(1));
    for (std::string_view word = text_.word(); word != end; word = text_.word()) {
      if (word.empty()) text_.fail("the file ends before " + end, "The file is truncated; save it again.");
    }
  }

  void add_node(long long tag, double x, double y, double z) {
    if (!numbers_.emplace(tag, int(mesh_.vertices.size())).second) {
      text_.fail("a second node " + std::to_string(tag),
                 "Every node has a tag of its own; save the mesh again.");
    }
    mesh_.vertices.emplace_back(x, y, z);
  }

  void read_nodes_2() {
    const std::size_t nodes = text_.count("the number of nodes");
    for (std::size_t i = 0; i < nodes; ++i) {
      const long long tag = text_.integer("a node's tag");
      const double x = text_.number("x"), y = text_.number("y");
      add_node(tag, x, y, text_.number("z"));
    }
  }

  void read_nodes_4() {
    const std::size_t blocks = text_.count("the number of node blocks");
    text_.line();
    std::vector<long long> tags;
    for (std::size_t block = 0; block < blocks; ++block) {
      const long long dimension = text_.integer("a block's dimension");
      text_.integer("a block's entity");
      const bool parametric = text_.integer("a block's parametric flag") != 0;
      tags.resize(text_.count("a block's number of nodes"));
      for (long long& tag : tags) tag = text_.integer("a node's tag");
      for (long long tag : tags) {
        const double x = text_.number("x"), y = text_.number("y");
        add_node(tag, x, y, text_.number("z"));
        for (long long k = 0; parametric && k < std::min(dimension, 3LL); ++k) text_.number("a parameter");
      }
    }
  }

  void read_elements_2() {
    const std::size_t elements = text_.count("the number of elements");
    for (std::size_t i = 0; i < elements; ++i) {
      const long long tag = text_.integer("an element's tag"), type = text_.integer("an element's type");
      const std::size_t extra = text_.count("an element's number of tags");
      for (std::size_t k = 0; k < extra; ++k) text_.integer("an element's tag");
      read_element(tag, type);
    }
  }

  void read_elements_4() {
    const std::size_t blocks = text_.count("the number of element blocks");
    text_.line();
    for (std::size_t block = 0; block < blocks; ++block) {
      text_.integer("a block's dimension");
      text_.integer("a block's entity");
      const long long type = text_.integer("a block's element type");
      const std::size_t elements = text_.count("a block's number of elements");
      for (std::size_t i = 0; i < elements; ++i) {
        const long long tag = text_.integer("an element's tag");
        read_element(tag, type);
      }
    }
  }

  int node(long long element) {
    const long long tag = text_.integer("a node's tag");
    const auto found = numbers_.find(tag);
    if (found == numbers_.end()) {
      text_.fail("element " + std::to_string(element) + " uses node " + std::to_string(tag) +
                     ", which is not in $Nodes",
                 "Save the mesh again with all its nodes.");
    }
    return found->second;
  }

  void read_element(long long tag, long long type) {
    int nodes[4] = {};
    const int count = type == point ? 1 : type == line ? 2 : type == triangle ? 3 : 4;
    if (type != point && (type < line || type > tetrahedron)) {
      text_.fail(
          "element " + std::to_string(tag) + " has gmsh type " + std::to_string(type) + ", which is not read",
          "Supported are points, lines, triangles, quadrangles and tetrahedra of order 1: mesh with gmsh -3 "
          "-order 1, "
          "without hexahedra, prisms and pyramids.");
    }
    for (int k = 0; k < count; ++k) nodes[k] = node(tag);
    if (type == point) mesh_.points.push_back(nodes[0]);
    if (type == line) mesh_.edges.push_back({nodes[0], nodes[1]});
    if (type == triangle || type == quadrangle)
      mesh_.faces.add(std::span<const int>(nodes, std::size_t(count)));
    if (type == tetrahedron) mesh_.tetrahedra.push_back({nodes[0], nodes[1], nodes[2], nodes[3]});
  }

  FileMesh keep_highest_dimension() {
    if (!mesh_.tetrahedra.empty()) mesh_.faces = {};
    if (!mesh_.tetrahedra.empty() || !mesh_.faces.ends.empty()) mesh_.edges.clear();
    if (!mesh_.tetrahedra.empty() || !mesh_.faces.ends.empty() || !mesh_.edges.empty()) mesh_.points.clear();
    return std::move(mesh_);
  }

  MeshText text_;
  FileMesh mesh_;
  std::unordered_map<long long, int> numbers_;  // by node tag
  bool has_format_ = false, version4_ = false;
};

}  // namespace

FileMesh read_msh(const MeshBytes& file) {
  return MshReader(file).read();
}

}  // namespace bulwark
