#include <bulwark/base/error.hpp>
#include <bulwark/base/xml_text.hpp>
#include <bulwark/geometry/vtk_document.hpp>

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace bulwark {
namespace {

class DocumentReader {
 public:
  explicit DocumentReader(const MeshBytes& file) : file_(file) {}

  VtkDocument read() {
    // Raw appended data may hold anything, '<' too.
    const XmlElement root = parse_xml(file_.bytes, file_.name, {"AppendedData", damaged});
    if (root.name != "VTKFile")
      fail(root, "the tag VTKFile is missing", "The file is damaged or not a vtu file; export it again.");
    read_file_tag(root);
    visit(root, "", false);
    return std::move(document_);
  }

 private:
  static constexpr const char* damaged = "The file is truncated or damaged; export it again.";

  [[noreturn]] void fail(const XmlElement& element, const std::string& problem,
                         const std::string& remedy) const {
    throw InputError(fmt::format("{}:{}", file_.name, element.line), problem, remedy);
  }

  static bool is_section(std::string_view name) {
    return name == "Points" || name == "Cells" || name == "PointData" || name == "CellData" ||
           name == "FieldData";
  }

  static std::string value(const XmlElement& element, std::string_view key) {
    const std::string* found = element.attribute(key);
    return found == nullptr ? "" : *found;
  }

  void visit(const XmlElement& parent, const std::string& section, bool in_piece) {
    for (const XmlElement& element : parent.children) {
      const bool is_piece = element.name == "Piece";
      if (is_piece) {
        document_.pieces.push_back({count(element, "NumberOfPoints"), count(element, "NumberOfCells"), {}});
      } else if (element.name == "AppendedData") {
        read_appended(element);
      } else if (element.name == "DataArray" && !section.empty()) {
        add_array(element, section, in_piece);
      }
      visit(element, is_section(element.name) ? element.name : section, in_piece || is_piece);
    }
  }

  static bool is_before_2_1(const std::string& version) {
    return version.empty() || version[0] == '0' || version[0] == '1' || version == "2" || version == "2.0";
  }

  void read_file_tag(const XmlElement& root) {
    const std::string type = value(root, "type"), compressor = value(root, "compressor");
    if (type != "UnstructuredGrid")
      fail(root, "a VTK file of type '" + type + "'", "Save it as an unstructured grid (.vtu).");
    if (!compressor.empty() && compressor != "vtkZLibDataCompressor")
      fail(root, "data compressed by " + compressor, "Save it with zlib compression or none.");
    document_.encoding.compressed = !compressor.empty();
    document_.encoding.big_endian = value(root, "byte_order") == "BigEndian";
    document_.encoding.exchanged_upright_edges = is_before_2_1(value(root, "version"));
    document_.encoding.long_headers = value(root, "header_type") == "UInt64";
  }

  void read_appended(const XmlElement& element) {
    const std::size_t underscore = element.content.find('_');
    if (underscore == std::string_view::npos)
      fail(element, "the appended data have no beginning '_'", damaged);
    document_.encoding.appended = element.content.substr(underscore + 1);
    document_.encoding.appended_is_base64 = value(element, "encoding") == "base64";
  }

  void add_array(const XmlElement& element, const std::string& section, bool in_piece) {
    VtkArray array;
    array.section = section;
    array.name = value(element, "Name");
    array.type = value(element, "type");
    array.format = value(element, "format");
    array.offset = value(element, "offset");
    array.content = element.content;
    array.count = announced_numbers(element, array, in_piece);
    (in_piece ? document_.pieces.back().arrays : document_.fields).push_back(std::move(array));
  }

  /// How many numbers an array has, by what the header says of pieces and arrays.
  std::optional<std::size_t> announced_numbers(const XmlElement& element, const VtkArray& array,
                                               bool in_piece) const {
    const std::size_t components =
        element.attribute("NumberOfComponents") != nullptr ? count(element, "NumberOfComponents") : 1;
    if (!in_piece || array.section == "FieldData") {
      if (element.attribute("NumberOfTuples") == nullptr) return std::nullopt;
      return count(element, "NumberOfTuples") * components;
    }
    const VtkPiece& piece = document_.pieces.back();
    if (array.section == "Points") return 3 * piece.point_count;
    if (array.section == "PointData") return piece.point_count * components;
    if (array.section == "CellData") return piece.cell_count * components;
    if (array.name == "offsets" || array.name == "types") return piece.cell_count;
    return std::nullopt;
  }

  std::size_t count(const XmlElement& element, std::string_view key) const {
    const std::string* text = element.attribute(key);
    std::size_t number = 0;
    if (text == nullptr) fail(element, "a " + element.name + " without " + std::string(key), damaged);
    const char* end = text->data() + text->size();
    const auto result = std::from_chars(text->data(), end, number);
    if (result.ec != std::errc() || result.ptr != end || number > 2147483646) {
      fail(element, std::string(key) + " is '" + *text + "'", "It must be a whole number that fits 31 bits.");
    }
    return number;
  }

  const MeshBytes& file_;
  VtkDocument document_;
};

}  // namespace

VtkDocument read_vtk_document(const MeshBytes& file) {
  return DocumentReader(file).read();
}

}  // namespace bulwark
