// gmsh .msh files, text and binary, versions 2.2 and 4.1: nodes, elements, and physical groups, which become
// sets of nodes by their names; the rest of the sections is skipped.
#include <bulwark/base/error.hpp>
#include <bulwark/geometry/binary_number.hpp>
#include <bulwark/geometry/mesh_text.hpp>
#include <bulwark/geometry/msh_elements.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

namespace bulwark {
namespace {

constexpr const char* save_again = "The file is truncated or damaged; save it again with gmsh.";

/// Groups of reversed entities have negative tags.
long long without_sign(long long tag) {
  return tag < 0 && tag > std::numeric_limits<long long>::min() ? -tag : tag;
}

/// The numbers of a .msh file, as text or as bytes.
class MshNumbers {
 public:
  explicit MshNumbers(const MeshBytes& file) : name_(file.name), text_(file) {}

  MeshText& text() { return text_; }
  bool binary() const { return binary_; }

  /// From here on numbers are bytes; the next four are those of the number 1.
  void begin_binary() {
    binary_ = true;
    big_endian_ = raw<std::int32_t>("the number one") != 1;
  }

  long long integer(const char* what) { return binary_ ? raw<std::int32_t>(what) : text_.integer(what); }
  /// A number that is 64 bits wide in binary files.
  long long wide(const char* what) { return binary_ ? raw<std::int64_t>(what) : text_.integer(what); }
  double number(const char* what) { return binary_ ? raw<double>(what) : text_.number(what); }

  /// The number of things that follow, each of at least two bytes.
  std::size_t count(const char* what) { return counted(wide(what), what); }
  std::size_t short_count(const char* what) { return counted(integer(what), what); }

  [[noreturn]] void fail(const std::string& problem, const std::string& remedy) const {
    if (!binary_) text_.fail(problem, remedy);
    throw InputError(fmt::format("{}, byte {}", name_, text_.position()), problem, remedy);
  }

 private:
  template <class T>
  T raw(const char* what) {
    const std::string_view bytes = text_.take(sizeof(T));
    if (bytes.size() < sizeof(T)) fail(std::string("the file ends where ") + what + " should be", save_again);
    return binary_number<T>(bytes.data(), big_endian_);
  }

  std::size_t counted(long long value, const char* what) const {
    if (value < 0 || static_cast<unsigned long long>(value) > text_.rest().size() / 2 + 1) {
      fail(fmt::format("the file declares {} as {}, more than it can hold", value, what), save_again);
    }
    return std::size_t(value);
  }

  std::string name_;
  MeshText text_;
  bool binary_ = false, big_endian_ = false;
};

class MshReader {
 public:
  explicit MshReader(const MeshBytes& file)
      : in_(file), largest_sets_(set_members_per_byte * file.bytes.size()) {}

  FileMesh read() {
    MeshText& text = in_.text();
    for (std::string_view section = text.word(); !section.empty(); section = text.word()) {
      if (section[0] != '$') in_.fail("text outside of any section", save_again);
      if (section == "$MeshFormat") {
        read_format();
      } else if (section == "$PhysicalNames") {
        read_names();
      } else if (section == "$Entities") {
        require_format();
        if (version4_) read_entities();
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
    require_flat_surface();
    collect_sets();
    return keep_highest_dimension();
  }

 private:
  using Group = std::array<long long, 2>;  // dimension and tag, of entities or of physical groups

  void read_format() {
    MeshText& text = in_.text();
    const std::string version(text.word());
    const long long is_binary = text.integer("the file type");
    const long long size = text.integer("the size of numbers");
    if (version != "2.2" && version != "2.1" && version != "2" && version != "4.1") {
      in_.fail("msh version " + version + " is not read",
               "Save it as version 4.1 or 2.2: gmsh -0 FILE -format msh41 -o NEW.msh");
    }
    if (is_binary != 0) {
      if (size != 8)
        in_.fail(fmt::format("numbers of {} bytes are not read", size), "Save it with numbers of 8 bytes.");
      text.line();
      in_.begin_binary();
    }
    version4_ = version == "4.1";
    has_format_ = true;
  }

  void require_format() const {
    if (!has_format_) in_.fail("the section $MeshFormat is missing", "Save the mesh again with gmsh.");
  }

  void skip_to_end_of(std::string_view section) {
    const std::string end = "$End" + std::string(section.substr(1));
    for (std::string_view word = in_.text().word(); word != end; word = in_.text().word()) {
      if (word.empty()) in_.fail("the file ends before " + end, "The file is truncated; save it again.");
    }
  }

  /// Names are text in binary files too.
  void read_names() {
    MeshText& text = in_.text();
    const std::size_t count = text.count("the number of physical names");
    for (std::size_t i = 0; i < count; ++i) {
      const long long dimension = text.integer("a group's dimension"), tag = text.integer("a group's tag");
      const std::string_view line = text.line().value_or("");
      const std::size_t begin = line.find('"'), end = line.rfind('"');
      if (begin == std::string_view::npos || end == begin)
        in_.fail("a physical group has no name in quotes", save_again);
      names_[{dimension, tag}] = line.substr(begin + 1, end - begin - 1);
    }
  }

  void read_entities() {
    start_numbers();
    std::array<std::size_t, 4> counts;
    for (std::size_t& count : counts) count = in_.count("the number of entities");
    for (std::size_t dimension = 0; dimension < 4; ++dimension) {
      for (std::size_t i = 0; i < counts[dimension]; ++i) {
        const Group entity = {static_cast<long long>(dimension), in_.integer("an entity's tag")};
        for (int k = 0; k < (dimension == 0 ? 3 : 6); ++k) in_.number("an entity's bounds");
        const std::size_t groups = in_.count("an entity's number of physical groups");
        for (std::size_t k = 0; k < groups; ++k) {
          const long long tag = in_.integer("a physical group");
          groups_[entity].push_back({static_cast<long long>(dimension), without_sign(tag)});
        }
        if (dimension == 0) continue;
        const std::size_t parts = in_.count("an entity's number of bounding entities");
        for (std::size_t k = 0; k < parts; ++k) in_.integer("a bounding entity");
      }
    }
  }

  /// Binary numbers start on the line behind the section's name.
  void start_numbers() {
    if (in_.binary()) in_.text().line();
  }

  /// In version 2.2 the number of things is text in binary files too.
  std::size_t count_2(const char* what) {
    const std::size_t count = in_.text().count(what);
    start_numbers();
    return count;
  }

  void add_node(long long tag) {
    const double x = in_.number("x"), y = in_.number("y"), z = in_.number("z");
    if (!numbers_.emplace(tag, int(mesh_.vertices.size())).second) {
      in_.fail("a second node " + std::to_string(tag),
               "Every node has a tag of its own; save the mesh again.");
    }
    mesh_.vertices.emplace_back(x, y, z);
  }

  void read_nodes_2() {
    const std::size_t nodes = count_2("the number of nodes");
    for (std::size_t i = 0; i < nodes; ++i) add_node(in_.integer("a node's tag"));
  }

  /// The number of blocks, and what else stands before them.
  std::size_t blocks_4(const char* what) {
    start_numbers();
    const std::size_t blocks = in_.count(what);
    for (int k = 0; k < 3; ++k) in_.wide("a section's total");
    return blocks;
  }

  void read_nodes_4() {
    const std::size_t blocks = blocks_4("the number of node blocks");
    std::vector<long long> tags;
    for (std::size_t block = 0; block < blocks; ++block) {
      const long long dimension = in_.integer("a block's dimension");
      in_.integer("a block's entity");
      const bool parametric = in_.integer("a block's parametric flag") != 0;
      tags.resize(in_.count("a block's number of nodes"));
      for (long long& tag : tags) tag = in_.wide("a node's tag");
      for (long long tag : tags) {
        add_node(tag);
        for (long long k = 0; parametric && k < std::min(dimension, 3LL); ++k) in_.number("a parameter");
      }
    }
  }

  void read_elements_2() {
    const std::size_t elements = count_2("the number of elements");
    for (std::size_t i = 0; i < elements;) {
      // In text every element says its type and tags, in binary a run of them says it once.
      long long tag = in_.binary() ? 0 : in_.integer("an element's tag");
      const long long type = in_.integer("an element's type");
      const std::size_t run = in_.binary() ? in_.short_count("the length of a run of elements") : 1;
      const std::size_t tags = in_.short_count("an element's number of tags");
      if (run == 0) in_.fail("a run of no elements", save_again);
      for (std::size_t k = 0; k < run; ++k, ++i) {
        if (in_.binary()) tag = in_.integer("an element's tag");
        long long group = 0;
        for (std::size_t t = 0; t < tags; ++t) {
          const long long value = in_.integer("an element's tag");
          if (t == 0) group = without_sign(value);
        }
        const MshElement element = element_of(tag, type);
        read_element(tag, type, element, {element.dimension, group});
      }
    }
  }

  void read_elements_4() {
    const std::size_t blocks = blocks_4("the number of element blocks");
    for (std::size_t block = 0; block < blocks; ++block) {
      const long long dimension = in_.integer("a block's dimension");
      const long long entity = in_.integer("a block's entity");
      const long long type = in_.integer("a block's element type");
      const std::size_t elements = in_.count("a block's number of elements");
      for (std::size_t i = 0; i < elements; ++i) {
        const long long tag = in_.wide("an element's tag");
        read_element(tag, type, element_of(tag, type), {dimension, entity});
      }
    }
  }

  [[noreturn]] void refuse_type(long long tag, long long type) const {
    in_.fail(
        fmt::format("element {} has gmsh type {}, which is not read", tag, type),
        "Supported are points, lines, triangles and quadrangles of order 1, tetrahedra of order 1 to 4 and "
        "hexahedra of order 1 and 2: mesh without prisms and pyramids, surfaces with gmsh -2 -order 1.");
  }

  MshElement element_of(long long tag, long long type) const {
    const std::optional<MshElement> element = msh_element(type);
    if (!element) refuse_type(tag, type);
    return *element;
  }

  int node(long long element) {
    const long long tag = version4_ ? in_.wide("a node's tag") : in_.integer("a node's tag");
    const auto found = numbers_.find(tag);
    if (found == numbers_.end()) {
      in_.fail("element " + std::to_string(element) + " uses node " + std::to_string(tag) +
                   ", which is not in $Nodes",
               "Save the mesh again with all its nodes.");
    }
    return found->second;
  }

  /// `part` is the entity in version 4.1, the physical group in version 2.2.
  void read_element(long long tag, long long type, const MshElement& element, const Group& part) {
    std::array<int, 35> storage;
    const std::span<int> nodes(storage.data(), std::size_t(element.nodes));
    for (int& n : nodes) n = node(tag);
    if (element.dimension == 3) {
      const bool tetrahedron = type == 4 || type == 11 || type == 29 || type == 30;
      const CellShape shape = tetrahedron ? CellShape::tetrahedron : CellShape::hexahedron;
      mesh_.add_cell(shape, element.order, in_lattice_order(shape, element.order, nodes));
    } else if (element.order > 1) {
      if (!curved_ || element.dimension > curved_->dimension) curved_ = {element.dimension, tag, type};
    } else if (element.dimension == 0) {
      mesh_.points.push_back(nodes[0]);
    } else if (element.dimension == 1) {
      mesh_.edges.push_back({nodes[0], nodes[1]});
    } else {
      mesh_.faces.add(nodes);
    }
    if (!names_.empty()) {
      std::vector<int>& all = nodes_of_[part];
      all.insert(all.end(), nodes.begin(), nodes.end());
    }
  }

  /// Curved triangles and lines are boundaries of solids; alone they are not read.
  void require_flat_surface() const {
    if (!curved_ || mesh_.has_solids()) return;
    if (curved_->dimension == 1 && !mesh_.faces.ends.empty()) return;
    refuse_type(curved_->tag, curved_->type);
  }

  void collect_sets() {
    std::size_t members = 0;
    for (auto& [part, nodes] : nodes_of_) {
      std::sort(nodes.begin(), nodes.end());
      nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
      const auto entity = groups_.find(part);
      std::vector<Group> groups = {part};
      if (version4_) groups = entity == groups_.end() ? std::vector<Group>{} : entity->second;
      for (const Group& group : groups) {
        const auto name = names_.find(group);
        if (name == names_.end()) continue;
        members += nodes.size();
        if (members > largest_sets_) {
          in_.fail("the physical groups name the same nodes too often",
                   "Save the mesh with fewer groups per entity.");
        }
        std::vector<int>& set = mesh_.node_sets[name->second];
        set.insert(set.end(), nodes.begin(), nodes.end());
      }
    }
  }

  FileMesh keep_highest_dimension() {
    if (mesh_.has_solids()) mesh_.faces = {};
    if (mesh_.has_solids() || !mesh_.faces.ends.empty()) mesh_.edges.clear();
    if (mesh_.has_solids() || !mesh_.faces.ends.empty() || !mesh_.edges.empty()) mesh_.points.clear();
    return std::move(mesh_);
  }

  struct CurvedElement {
    int dimension;
    long long tag, type;
  };

  MshNumbers in_;
  std::size_t largest_sets_;
  FileMesh mesh_;
  std::unordered_map<long long, int> numbers_;  // by node tag
  std::map<Group, std::string> names_;          // of physical groups
  std::map<Group, std::vector<Group>> groups_;  // of entities
  std::map<Group, std::vector<int>> nodes_of_;  // of entities in version 4.1, of groups in version 2.2
  std::optional<CurvedElement> curved_;         // the first of the highest dimension below 3
  bool has_format_ = false, version4_ = false;
};

}  // namespace

FileMesh read_msh(const MeshBytes& file) {
  return MshReader(file).read();
}

}  // namespace bulwark
