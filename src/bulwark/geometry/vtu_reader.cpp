// VTK's unstructured grids (.vtu): points and cells of all pieces; data on them is skipped.
#include <bulwark/base/error.hpp>
#include <bulwark/geometry/vtk_data.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

namespace bulwark {
namespace {

enum CellType { vertex = 1, line = 3, poly_line = 4, triangle = 5, polygon = 7, quad = 9, tetrahedron = 10 };

using Attributes = std::map<std::string, std::string, std::less<>>;

struct Tag {
  std::string name;  // "/name" for an end tag
  Attributes attributes;
  std::size_t end;  // behind its '>'
};

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

class VtuReader {
 public:
  explicit VtuReader(const MeshBytes& file) : file_(file), text_(file.bytes) {}

  FileMesh read() {
    find_appended();
    for (auto tag = next_tag(); tag; tag = next_tag()) {
      if (tag->name == "VTKFile") read_file_tag(*tag);
      if (tag->name == "Piece") start_piece(*tag);
      if (tag->name == "/Piece") finish_piece();
      if (tag->name == "Points" || tag->name == "Cells") section_ = tag->name;
      if (tag->name == "/Points" || tag->name == "/Cells") section_.clear();
      if (tag->name == "DataArray" && !section_.empty()) read_array(*tag);
    }
    if (!has_file_tag_)
      fail("the tag VTKFile is missing", "The file is damaged or not a vtu file; export it again.");
    return std::move(mesh_);
  }

 private:
  [[noreturn]] void fail(const std::string& problem, const std::string& remedy) const {
    throw InputError(file_.name, problem, remedy);
  }
  static constexpr const char* damaged = "The file is cut short or damaged; export it again.";

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
    encoding_.appended = text_.substr(underscore + 1);
    encoding_.appended_is_base64 =
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
    encoding_.compressed = !compressor.empty();
    encoding_.big_endian = value("byte_order") == "BigEndian";
    encoding_.long_headers = value("header_type") == "UInt64";
    has_file_tag_ = true;
  }

  void start_piece(const Tag& tag) {
    point_count_ = count(tag, "NumberOfPoints");
    cell_count_ = count(tag, "NumberOfCells");
    coordinates_.clear();
    connectivity_.clear();
    offsets_.clear();
    types_.clear();
  }

  std::size_t count(const Tag& tag, std::string_view key) const {
    const auto found = tag.attributes.find(key);
    std::size_t value = 0;
    if (found == tag.attributes.end()) fail("a Piece without " + std::string(key), damaged);
    const char* end = found->second.data() + found->second.size();
    const auto result = std::from_chars(found->second.data(), end, value);
    if (result.ec != std::errc() || result.ptr != end || value > 2147483646) {
      fail(std::string(key) + " is '" + found->second + "'", "It must be a whole number that fits 31 bits.");
    }
    return value;
  }

  void read_array(const Tag& tag) {
    VtkArray array;
    array.attributes = tag.attributes;
    array.content = text_.substr(tag.end, std::min(text_.find('<', tag.end), text_.size()) - tag.end);
    const auto found = tag.attributes.find("Name");
    const std::string name = found == tag.attributes.end() ? "" : found->second;
    if (section_ == "Points") {
      coordinates_ = vtk_numbers(file_, encoding_, array);
    } else if (name == "connectivity") {
      connectivity_ = vtk_numbers(file_, encoding_, array);
    } else if (name == "offsets") {
      offsets_ = vtk_numbers(file_, encoding_, array);
    } else if (name == "types") {
      types_ = vtk_numbers(file_, encoding_, array);
    }
  }

  void finish_piece() {
    require_size("the points", coordinates_.size(), 3 * point_count_);
    require_size("the cells' offsets", offsets_.size(), cell_count_);
    require_size("the cells' types", types_.size(), cell_count_);
    const std::size_t first = mesh_.vertices.size();
    if (first + point_count_ > 2147483646) fail("too many points", "Simplify the mesh.");
    for (std::size_t i = 0; i < point_count_; ++i) {
      mesh_.vertices.emplace_back(coordinates_[3 * i], coordinates_[3 * i + 1], coordinates_[3 * i + 2]);
    }
    std::vector<int> corners;
    std::size_t begin = 0;
    for (std::size_t cell = 0; cell < cell_count_; ++cell) {
      const double end = offsets_[cell];
      if (!(end >= double(begin) && end <= double(connectivity_.size()))) {
        fail("cell " + std::to_string(cell) + " has the offset " + std::to_string(end) +
                 ", which is not within connectivity",
             damaged);
      }
      corners.clear();
      for (; begin < std::size_t(end); ++begin) {
        const double index = connectivity_[begin];
        if (!(index >= 0 && index < double(point_count_) && index == std::floor(index))) {
          fail("cell " + std::to_string(cell) + " uses point " + std::to_string(index) +
                   ", which does not exist",
               "The piece holds " + std::to_string(point_count_) + " points, numbered from 0.");
        }
        corners.push_back(int(first + std::size_t(index)));
      }
      add_cell(cell, types_[cell], corners);
    }
    point_count_ = cell_count_ = 0;
  }

  void require_size(const char* what, std::size_t size, std::size_t wanted) const {
    if (size == wanted) return;
    fail(std::string(what) + " are " + std::to_string(size) + " numbers instead of " + std::to_string(wanted),
         damaged);
  }

  void add_cell(std::size_t cell, double type, const std::vector<int>& corners) {
    const auto need = [&](bool good) {
      if (!good)
        fail("cell " + std::to_string(cell) + " has " + std::to_string(corners.size()) +
                 " corners, wrong for its type",
             damaged);
    };
    const int known = type >= 0 && type < 256 ? int(type) : -1;
    switch (known) {
      case vertex:
        need(corners.size() == 1);
        mesh_.points.push_back(corners[0]);
        break;
      case line:
        need(corners.size() == 2);
        mesh_.edges.push_back({corners[0], corners[1]});
        break;
      case poly_line:
        need(corners.size() >= 2);
        for (std::size_t i = 1; i < corners.size(); ++i) mesh_.edges.push_back({corners[i - 1], corners[i]});
        break;
      case triangle:
      case quad:
      case polygon:
        need(known == triangle ? corners.size() == 3
             : known == quad   ? corners.size() == 4
                               : corners.size() >= 3);
        mesh_.faces.add(corners);
        break;
      case tetrahedron:
        need(corners.size() == 4);
        mesh_.tetrahedra.push_back({corners[0], corners[1], corners[2], corners[3]});
        break;
      default:
        fail("cell " + std::to_string(cell) + " has VTK type " + fmt::format("{}", type) +
                 ", which is not read",
             "Read are vertices (1), lines (3, 4), triangles (5), polygons (7), quadrilaterals (9) and "
             "tetrahedra (10).");
    }
  }

  const MeshBytes& file_;
  std::string_view text_;
  std::size_t at_ = 0;
  VtkEncoding encoding_;
  FileMesh mesh_;
  bool has_file_tag_ = false;
  std::string section_;
  std::size_t point_count_ = 0, cell_count_ = 0;
  std::vector<double> coordinates_, connectivity_, offsets_, types_;
};

}  // namespace

FileMesh read_vtu(const MeshBytes& file) {
  return VtuReader(file).read();
}

}  // namespace bulwark
