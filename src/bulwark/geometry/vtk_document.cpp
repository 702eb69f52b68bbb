#include <bulwark/base/error.hpp>
#include <bulwark/geometry/vtk_document.hpp>

#include <algorithm>
#include <charconv>
#include <optional>

namespace bulwark {
namespace {

using Attributes = std::map<std::string, std::string, std::less<>>;

struct Tag {
  std::string name;  // "/name" for an end tag
  Attributes attributes;
  std::size_t end;  // behind its '>'
};

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

class DocumentReader {
 public:
  explicit DocumentReader(const MeshBytes& file) : file_(file), text_(file.bytes) {}

  VtkDocument read() {
    find_appended();
    for (auto tag = next_tag(); tag; tag = next_tag()) {
      if (tag->name == "VTKFile") read_file_tag(*tag);
      if (tag->name == "Piece") {
        document_.pieces.push_back({count(*tag, "NumberOfPoints"), count(*tag, "NumberOfCells"), {}});
        in_piece_ = true;
      }
      if (tag->name == "/Piece") in_piece_ = false;
      if (is_section(tag->name)) section_ = tag->name;
      if (tag->name.starts_with('/') && tag->name.substr(1) == section_) section_.clear();
      if (tag->name == "DataArray" && !section_.empty()) add_array(*tag);
    }
    if (!has_file_tag_)
      fail("the tag VTKFile is missing", "The file is damaged or not a vtu file; export it again.");
    return std::move(document_);
  }

 private:
  [[noreturn]] void fail(const std::string& problem, const std::string& remedy) const {
    throw InputError(file_.name, problem, remedy);
  }
  static constexpr const char* damaged = "The file is cut short or damaged; export it again.";

  static bool is_section(std::string_view name) {
    return name == "Points" || name == "Cells" || name == "PointData" || name == "CellData" ||
           name == "FieldData";
  }

  /// Raw appended data may hold anything, '<' too: everything behind the tag is out of bounds for the search
  /// of tags.
  void find_appended() {
    const std::size_t begin = text_.find("<AppendedData");
    if (begin == std::string_view::npos) return;
    const std::size_t close = text_.find('>', begin);
    const std::size_t underscore = text_.find('_', close);
    if (close == std::string_view::npos || underscore == std::string_view::npos) {
      fail("the appended data have no beginning '_'", damaged);
    }
    document_.encoding.appended = text_.substr(underscore + 1);
    document_.encoding.appended_is_base64 =
        text_.substr(begin, close - begin).find("base64") != std::string_view::npos;
    text_ = text_.substr(0, begin);
  }

  std::optional<Tag> next_tag() {
    while (true) {
      const std::size_t begin = text_.find('<', at_);
      if (begin == std::string_view::npos) return std::nullopt;
      if (text_.substr(begin, 4) == "<!--") {
        const std::size_t end = text_.find("-->", begin);
        if (end == std::string_view::npos) fail("a comment has no end", damaged);
        at_ = end + 3;
        continue;
      }
      const std::size_t close = text_.find('>', begin);
      if (close == std::string_view::npos) fail("a tag has no end", damaged);
      at_ = close + 1;
      return parse_tag(text_.substr(begin + 1, close - begin - 1));
    }
  }

  Tag parse_tag(std::string_view inside) const {
    Tag tag;
    tag.end = at_;
    std::size_t i = 0;
    while (i < inside.size() && !is_space(inside[i])) ++i;
    tag.name = std::string(inside.substr(0, i));
    if (tag.name.size() > 1 && tag.name.back() == '/') tag.name.pop_back();
    while (true) {
      const std::size_t equals = inside.find('=', i);
      if (equals == std::string_view::npos) return tag;
      std::string_view key = inside.substr(i, equals - i);
      while (!key.empty() && is_space(key.front())) key.remove_prefix(1);
      while (!key.empty() && is_space(key.back())) key.remove_suffix(1);
      const std::size_t open = inside.find_first_of("\"'", equals);
      if (open == std::string_view::npos) fail("an attribute of tag " + tag.name + " has no quotes", damaged);
      const std::size_t close = inside.find(inside[open], open + 1);
      if (close == std::string_view::npos)
        fail("an attribute of tag " + tag.name + " has no closing quote", damaged);
      tag.attributes[std::string(key)] = std::string(inside.substr(open + 1, close - open - 1));
      i = close + 1;
    }
  }

  void read_file_tag(const Tag& tag) {
    const auto value = [&](std::string_view key) {
      const auto found = tag.attributes.find(key);
      return found == tag.attributes.end() ? std::string() : found->second;
    };
    if (value("type") != "UnstructuredGrid") {
      fail("a VTK file of type '" + value("type") + "'", "Save it as an unstructured grid (.vtu).");
    }
    const std::string compressor = value("compressor");
    if (!compressor.empty() && compressor != "vtkZLibDataCompressor") {
      fail("data compressed by " + compressor, "Save it with zlib compression or none.");
    }
    document_.encoding.compressed = !compressor.empty();
    document_.encoding.big_endian = value("byte_order") == "BigEndian";
    document_.encoding.long_headers = value("header_type") == "UInt64";
    has_file_tag_ = true;
  }

  /// How many numbers an array has, by what the header says of pieces and arrays.
  std::optional<std::size_t> announced_numbers(const Tag& tag, const VtkNamedArray& named) const {
    const std::size_t components =
        tag.attributes.contains("NumberOfComponents") ? count(tag, "NumberOfComponents") : 1;
    if (!in_piece_ || named.section == "FieldData") {
      if (!tag.attributes.contains("NumberOfTuples")) return std::nullopt;
      return count(tag, "NumberOfTuples") * components;
    }
    const VtkPiece& piece = document_.pieces.back();
    if (named.section == "Points") return 3 * piece.point_count;
    if (named.section == "PointData") return piece.point_count * components;
    if (named.section == "CellData") return piece.cell_count * components;
    if (named.name == "offsets" || named.name == "types") return piece.cell_count;
    return std::nullopt;
  }

  std::size_t count(const Tag& tag, std::string_view key) const {
    const auto found = tag.attributes.find(key);
    std::size_t value = 0;
    if (found == tag.attributes.end()) fail("a " + tag.name + " without " + std::string(key), damaged);
    const char* end = found->second.data() + found->second.size();
    const auto result = std::from_chars(found->second.data(), end, value);
    if (result.ec != std::errc() || result.ptr != end || value > 2147483646) {
      fail(std::string(key) + " is '" + found->second + "'", "It must be a whole number that fits 31 bits.");
    }
    return value;
  }

  void add_array(const Tag& tag) {
    VtkNamedArray named;
    named.section = section_;
    const auto found = tag.attributes.find("Name");
    if (found != tag.attributes.end()) named.name = found->second;
    named.array.attributes = tag.attributes;
    named.array.content = text_.substr(tag.end, std::min(text_.find('<', tag.end), text_.size()) - tag.end);
    named.count = announced_numbers(tag, named);
    (in_piece_ ? document_.pieces.back().arrays : document_.fields).push_back(std::move(named));
  }

  const MeshBytes& file_;
  std::string_view text_;
  std::size_t at_ = 0;
  VtkDocument document_;
  bool has_file_tag_ = false, in_piece_ = false;
  std::string section_;
};

}  // namespace

VtkDocument read_vtk_document(const MeshBytes& file) {
  return DocumentReader(file).read();
}

}  // namespace bulwark
