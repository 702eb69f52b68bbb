// Meshes of Abaqus and CalculiX (.inp): nodes, solid elements, and sets of both; all else is skipped. Keywords and
// names are compared without regard to case. Sections may come in any order: the text is read once for nodes,
// once for elements, and once for sets.
#include <bulwark/base/error.hpp>
#include <bulwark/geometry/mesh_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

namespace bulwark {
namespace {

std::string upper_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'a' && c <= 'z') c = char(c - 'a' + 'A');
  }
  return result;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::string_view unquoted(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') return text.substr(1, text.size() - 2);
  return text;
}

std::vector<std::string_view> comma_parts(std::string_view line) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t comma = line.find(',');
    parts.push_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) return parts;
    line.remove_prefix(comma + 1);
  }
}

struct SolidElement {
  CellShape shape;
  int order;
  std::size_t nodes;
};

/// C3D4, C3D10, C3D8 and C3D20 with any letters behind. Nothing for elements that are no solids.
std::optional<SolidElement> inp_solid(const std::string& type) {
  if (!type.starts_with("C3D")) return std::nullopt;
  const std::size_t end = std::min(type.find_first_not_of("0123456789", 3), type.size());
  const std::string nodes = type.substr(3, end - 3);
  if (nodes == "4") return SolidElement{CellShape::tetrahedron, 1, 4};
  if (nodes == "10") return SolidElement{CellShape::tetrahedron, 2, 10};
  if (nodes == "8") return SolidElement{CellShape::hexahedron, 1, 8};
  if (nodes == "20") return SolidElement{CellShape::hexahedron, 2, 20};
  return SolidElement{CellShape::tetrahedron, 0, 0};
}

class InpReader {
 public:
  explicit InpReader(const MeshBytes& file)
      : file_(file), text_(file), largest_sets_(set_members_per_byte * file.bytes.size()) {}

  FileMesh read() {
    for (const Stage stage : {Stage::nodes, Stage::elements, Stage::sets}) {
      stage_ = stage;
      read_text();
    }
    if (!mesh_.has_solids() && !mesh_.vertices.empty()) {
      throw InputError(file_.name, "the file holds no solid elements",
                       "Supported are C3D4, C3D10, C3D8 and C3D20; export surfaces as obj, stl, ply or off.");
    }
    finish_sets();
    return std::move(mesh_);
  }

 private:
  enum class Stage { nodes, elements, sets };
  struct Keyword {
    std::string name;
    std::map<std::string, std::string> parameters;  // upper-case keys

    std::string value(const char* key) const {
      const auto found = parameters.find(key);
      return found == parameters.end() ? "" : found->second;
    }
  };
  using NodeLists = std::map<std::string, std::vector<int>>;  // by upper-case name

  void read_text() {
    text_ = MeshText(file_);
    advance();
    std::size_t parts = 0;
    while (line_) {
      if (!is_keyword()) {
        if (keyword_count_ == 0) {
          text_.fail("text before the first keyword",
                     "The file is damaged or not an Abaqus or CalculiX file; export it again.");
        }
        advance();
        continue;
      }
      ++keyword_count_;
      const Keyword keyword = read_keyword();
      if (keyword.name == "*INCLUDE" ||
          ((keyword.name == "*NODE" || keyword.name == "*ELEMENT") && keyword.parameters.contains("INPUT"))) {
        text_.fail(keyword.name + " of another file is not read", "Put its text into this file.");
      }
      if (keyword.name == "*PART" && ++parts > 1)
        text_.fail("a second *PART", "Write one part to a file, or one mesh without parts.");
      if (stage_ == Stage::nodes && keyword.name == "*NODE") read_nodes(keyword);
      if (stage_ == Stage::elements && keyword.name == "*ELEMENT") read_elements(keyword);
      if (stage_ == Stage::sets && keyword.name == "*NSET") read_set(keyword, "NSET", node_sets_);
      if (stage_ == Stage::sets && keyword.name == "*ELSET") read_set(keyword, "ELSET", element_sets_);
    }
  }

  /// The next line that says something: no comment, not empty.
  void advance() {
    do {
      line_ = text_.line();
      if (line_) line_ = trimmed(*line_);
    } while (line_ && (line_->empty() || line_->starts_with("**")));
  }

  bool is_keyword() const { return line_->starts_with("*"); }
  bool has_data() const { return line_ && !is_keyword(); }

  /// A keyword goes on where its line ends with a comma.
  Keyword read_keyword() {
    std::string all(*line_);
    advance();
    while (all.ends_with(',') && line_ && !is_keyword()) {
      all += *line_;
      advance();
    }
    Keyword keyword;
    const std::vector<std::string_view> parts = comma_parts(all);
    keyword.name = upper_case(parts[0]);
    for (std::size_t i = 1; i < parts.size(); ++i) {
      const std::size_t equals = parts[i].find('=');
      const std::string key = upper_case(trimmed(parts[i].substr(0, equals)));
      keyword.parameters[key] =
          equals == std::string_view::npos ? "" : unquoted(trimmed(parts[i].substr(equals + 1)));
    }
    return keyword;
  }

  /// The name as the file writes it first, for the upper-case one that sets go by.
  std::string set_name(const std::string& name) {
    const std::string key = upper_case(name);
    shown_names_.try_emplace(key, name);
    return key;
  }

  void add_to(std::vector<int>& set, std::span<const int> nodes) {
    members_ += nodes.size();
    if (members_ > largest_sets_)
      text_.fail("the sets name the same nodes too often", "Leave out sets that nothing needs.");
    set.insert(set.end(), nodes.begin(), nodes.end());
  }

  /// A coordinate; Fortran writes exponents with a D.
  double coordinate(std::string_view word) const {
    std::string digits(word);
    std::replace_if(digits.begin(), digits.end(), [](char c) { return c == 'd' || c == 'D'; }, 'e');
    return digits.empty() ? 0 : text_.number(digits, "a coordinate");
  }

  void read_nodes(const Keyword& keyword) {
    std::vector<int>* set = nullptr;
    if (const std::string name = keyword.value("NSET"); !name.empty()) set = &node_sets_[set_name(name)];
    for (; has_data(); advance()) {
      std::vector<std::string_view> parts = comma_parts(*line_);
      parts.resize(std::max<std::size_t>(parts.size(), 4));  // coordinates that are left out are 0
      const long long tag = text_.integer(parts[0], "a node's number");
      const int number = int(mesh_.vertices.size());
      if (!nodes_.emplace(tag, number).second) {
        text_.fail(fmt::format("a second node {}", tag),
                   "Every node has a number of its own; write one part to a file.");
      }
      mesh_.vertices.emplace_back(coordinate(parts[1]), coordinate(parts[2]), coordinate(parts[3]));
      if (set != nullptr) add_to(*set, {&number, 1});
    }
  }

  void read_elements(const Keyword& keyword) {
    const std::string type = upper_case(keyword.value("TYPE"));
    const std::optional<SolidElement> solid = inp_solid(type);
    if (solid && solid->order == 0) {
      text_.fail("elements of type " + type + " are not read",
                 "Supported are C3D4, C3D10, C3D8 and C3D20: mesh without wedges and pyramids.");
    }
    std::vector<int>* set = nullptr;
    if (const std::string name = keyword.value("ELSET"); !name.empty()) set = &element_sets_[set_name(name)];
    std::vector<int> nodes;
    while (has_data()) {
      const long long tag = read_element(nodes, solid);
      if (solid) {
        if (nodes.size() != solid->nodes) {
          text_.fail(fmt::format("element {} has {} nodes instead of {}", tag, nodes.size(), solid->nodes),
                     "The file is truncated or damaged; export it again.");
        }
        mesh_.add_cell(solid->shape, solid->order, nodes);
      }
      const std::size_t begin = element_nodes_.size();
      element_nodes_.insert(element_nodes_.end(), nodes.begin(), nodes.end());
      if (!elements_.emplace(tag, std::array<std::size_t, 2>{begin, element_nodes_.size()}).second) {
        text_.fail(fmt::format("a second element {}", tag),
                   "Every element has a number of its own; write one part to a file.");
      }
      if (set != nullptr) add_to(*set, nodes);
    }
  }

  /// Reads the lines of one element and gives its number. A solid goes on until it has all its nodes; others
  /// where a line ends with a comma, and nodes that they alone would have do not count.
  long long read_element(std::vector<int>& nodes, const std::optional<SolidElement>& solid) {
    nodes.clear();
    std::optional<long long> tag;
    bool goes_on = true;
    while (goes_on && has_data()) {
      for (const std::string_view part : comma_parts(*line_)) {
        if (part.empty()) continue;
        if (!tag) {
          tag = text_.integer(part, "an element's number");
        } else if (solid) {
          nodes.push_back(node(text_.integer(part, "a node's number"), *tag));
        } else {
          add_if_known(part, nodes);
        }
      }
      goes_on = solid ? nodes.size() < solid->nodes : line_->ends_with(',');
      advance();
    }
    if (!tag) text_.fail("an element without a number", "The file is damaged; export it again.");
    return *tag;
  }

  /// Nodes of elements that are skipped: kept for the sets that name these elements.
  void add_if_known(std::string_view part, std::vector<int>& nodes) const {
    if (part.find_first_not_of("0123456789") != std::string_view::npos || part.size() > 18) return;
    const auto found = nodes_.find(text_.integer(part, "a node's number"));
    if (found != nodes_.end()) nodes.push_back(found->second);
  }

  int node(long long tag, long long element) const {
    const auto found = nodes_.find(tag);
    if (found == nodes_.end()) {
      text_.fail(fmt::format("element {} uses node {}, which no *NODE has", element, tag),
                 "Export the mesh again with all its nodes.");
    }
    return found->second;
  }

  /// Members are numbers or names of other sets, or with GENERATE: first, last and step.
  void read_set(const Keyword& keyword, const char* kind, NodeLists& sets) {
    const std::string name = keyword.value(kind);
    if (name.empty())
      text_.fail(fmt::format("a *{} without a name", kind), fmt::format("Give it {}=NAME.", kind));
    const std::string key = set_name(name);
    const bool of_nodes = &sets == &node_sets_;
    const bool generate = keyword.parameters.contains("GENERATE");
    std::vector<int>& set = sets[key];
    for (; has_data(); advance()) {
      std::vector<std::string_view> parts = comma_parts(*line_);
      std::erase_if(parts, [](std::string_view part) { return part.empty(); });
      if (generate) {
        if (parts.size() < 2)
          text_.fail("GENERATE needs a first and a last number", "Give: first, last, step.");
        const long long first = text_.integer(parts[0], "the first number");
        const long long last = text_.integer(parts[1], "the last number");
        const long long step = parts.size() > 2 ? text_.integer(parts[2], "the step") : 1;
        if (step < 1 || first < 0)
          text_.fail("GENERATE counts upward from 0 or more", "Give: first, last, step.");
        const auto selected = [&](long long tag) { return (tag - first) % step == 0; };
        if (of_nodes) {
          for (auto n = nodes_.lower_bound(first); n != nodes_.end() && n->first <= last; ++n) {
            if (selected(n->first)) add_to(set, {&n->second, 1});
          }
        } else {
          for (auto e = elements_.lower_bound(first); e != elements_.end() && e->first <= last; ++e) {
            if (selected(e->first)) add_to(set, nodes_of(e->second));
          }
        }
        continue;
      }
      for (const std::string_view part : parts) add_member(set, part, kind, sets);
    }
  }

  std::span<const int> nodes_of(const std::array<std::size_t, 2>& range) const {
    return {element_nodes_.data() + range[0], range[1] - range[0]};
  }

  void add_member(std::vector<int>& set, std::string_view part, const char* kind, const NodeLists& sets) {
    const bool of_nodes = &sets == &node_sets_;
    const bool is_number = part.find_first_not_of("0123456789") == std::string_view::npos;
    if (!is_number) {
      const auto other = sets.find(upper_case(unquoted(part)));
      if (other == sets.end()) {
        text_.fail(fmt::format("there is no *{} '{}' before this line", kind, printable(part)),
                   "Sets may name those that are given before them.");
      }
      const std::vector<int> members = other->second;  // a copy: a set may name itself
      add_to(set, members);
      return;
    }
    const long long tag = text_.integer(part, of_nodes ? "a node's number" : "an element's number");
    if (of_nodes) {
      const auto found = nodes_.find(tag);
      if (found == nodes_.end())
        text_.fail(fmt::format("a set names node {}, which no *NODE has", tag), "Leave it out of the set.");
      add_to(set, {&found->second, 1});
    } else {
      const auto found = elements_.find(tag);
      if (found == elements_.end())
        text_.fail(fmt::format("a set names element {}, which no *ELEMENT has", tag),
                   "Leave it out of the set.");
      add_to(set, nodes_of(found->second));
    }
  }

  static std::string printable(std::string_view word) {
    std::string text(word.substr(0, 40));
    std::replace_if(text.begin(), text.end(), [](char c) { return c < 32 || c > 126; }, '?');
    return text;
  }

  /// Where a set of nodes and one of elements have the same name, that of nodes counts: of a face, tools write both,
  /// and the elements have nodes off the face.
  void finish_sets() {
    for (auto& [key, nodes] : node_sets_) mesh_.node_sets[shown_names_.at(key)] = std::move(nodes);
    for (auto& [key, nodes] : element_sets_)
      mesh_.node_sets.try_emplace(shown_names_.at(key), std::move(nodes));
  }

  const MeshBytes& file_;
  MeshText text_;
  std::size_t largest_sets_;
  Stage stage_ = Stage::nodes;
  std::optional<std::string_view> line_;  // the one that is read next
  std::size_t keyword_count_ = 0, members_ = 0;
  FileMesh mesh_;
  std::map<long long, int> nodes_;                            // by number in the file
  std::map<long long, std::array<std::size_t, 2>> elements_;  // begin and end in element_nodes_
  std::vector<int> element_nodes_;
  NodeLists node_sets_, element_sets_;
  std::map<std::string, std::string> shown_names_;
};

}  // namespace

FileMesh read_inp(const MeshBytes& file) {
  return InpReader(file).read();
}

}  // namespace bulwark
