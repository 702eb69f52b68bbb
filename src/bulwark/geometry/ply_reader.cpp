// Polygon File Format (.ply), text or binary of either byte order: vertices, faces and edges.
#include <bulwark/base/error.hpp>
#include <bulwark/geometry/binary_number.hpp>
#include <bulwark/geometry/mesh_text.hpp>

#include <cmath>
#include <cstdint>

namespace bulwark {
namespace {

enum class Scalar { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

struct Property {
  std::string name;
  Scalar type;
  std::optional<Scalar> list_size;  // the type of the number of items, when it is a list
};

struct Element {
  std::string name;
  std::size_t count;
  std::vector<Property> properties;
};

std::size_t byte_size(Scalar type) {
  static constexpr std::size_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
  return sizes[int(type)];
}

Scalar scalar_type(const MeshText& text, std::string_view word) {
  static constexpr std::string_view names[][2] = {
      {"char", "int8"}, {"uchar", "uint8"}, {"short", "int16"},   {"ushort", "uint16"},
      {"int", "int32"}, {"uint", "uint32"}, {"float", "float32"}, {"double", "float64"}};
  for (int i = 0; i < 8; ++i) {
    if (word == names[i][0] || word == names[i][1]) return Scalar(i);
  }
  text.fail("a property of unknown type",
            "Supported are char, uchar, short, ushort, int, uint, float and double.");
}

/// The numbers of the body, one after another, from text or bytes.
class Body {
 public:
  Body(MeshText& text, const MeshBytes& file, bool binary, bool big_endian)
      : text_(text), name_(file.name), bytes_(text.rest()), binary_(binary), big_endian_(big_endian) {}

  double next(Scalar type, const char* what) {
    if (!binary_) return text_.number(what);
    const std::size_t size = byte_size(type);
    if (bytes_.size() - at_ < size) {
      throw InputError(name_, std::string("the file ends where ") + what + " should be",
                       "The file is truncated; export it again.");
    }
    const char* here = bytes_.data() + at_;
    at_ += size;
    switch (type) {
      case Scalar::int8:
        return binary_number<std::int8_t>(here, big_endian_);
      case Scalar::uint8:
        return binary_number<std::uint8_t>(here, big_endian_);
      case Scalar::int16:
        return binary_number<std::int16_t>(here, big_endian_);
      case Scalar::uint16:
        return binary_number<std::uint16_t>(here, big_endian_);
      case Scalar::int32:
        return binary_number<std::int32_t>(here, big_endian_);
      case Scalar::uint32:
        return binary_number<std::uint32_t>(here, big_endian_);
      case Scalar::float32:
        return binary_number<float>(here, big_endian_);
      case Scalar::float64:
        return binary_number<double>(here, big_endian_);
    }
    return 0;
  }

  std::size_t left() const { return binary_ ? bytes_.size() - at_ : text_.rest().size(); }

 private:
  MeshText& text_;
  std::string name_;
  std::string_view bytes_;
  std::size_t at_ = 0;
  bool binary_, big_endian_;
};

struct Header {
  bool binary = false, big_endian = false;
  std::vector<Element> elements;
};

Header read_header(MeshText& text) {
  Header header;
  if (text.word() != "ply") text.fail("the file does not begin with ply", "Export it again as ply.");
  text.line();
  while (true) {
    const std::string_view key = text.word();
    if (key.empty())
      text.fail("the header has no end_header", "The file is truncated or damaged; export it again.");
    if (key == "end_header") break;
    if (key == "format") {
      const std::string_view format = text.word_on_line();
      header.binary = format != "ascii";
      header.big_endian = format == "binary_big_endian";
      if (header.binary && !header.big_endian && format != "binary_little_endian") {
        text.fail("an unknown format", "Supported are ascii, binary_little_endian and binary_big_endian.");
      }
    } else if (key == "element") {
      const std::string name(text.word_on_line());
      const long long count = text.integer(text.word_on_line(), "the number of elements");
      if (count < 0 || static_cast<unsigned long long>(count) > text.rest().size()) {
        text.fail("the file declares " + std::to_string(count) + " elements, more than it can hold",
                  "The file is truncated or damaged; export it again.");
      }
      header.elements.push_back({name, std::size_t(count), {}});
    } else if (key == "property") {
      if (header.elements.empty()) text.fail("a property before the first element", "Export the file again.");
      Property property;
      std::string_view type = text.word_on_line();
      if (type == "list") {
        property.list_size = scalar_type(text, text.word_on_line());
        type = text.word_on_line();
      }
      property.type = scalar_type(text, type);
      property.name = std::string(text.word_on_line());
      header.elements.back().properties.push_back(property);
    }
    text.line();
  }
  text.line();
  return header;
}

int index_from(double value) {
  return value >= 0 && value < 2147483647 && value == std::floor(value) ? int(value) : -1;
}

}  // namespace

FileMesh read_ply(const MeshBytes& file) {
  MeshText text(file);
  const Header header = read_header(text);
  Body body(text, file, header.binary, header.big_endian);
  FileMesh mesh;
  std::vector<int> corners;
  for (const Element& element : header.elements) {
    if (element.properties.empty()) continue;
    for (std::size_t i = 0; i < element.count; ++i) {
      Vector3 x = Vector3::Zero();
      Edge edge = {-1, -1};
      corners.clear();
      for (const Property& property : element.properties) {
        if (property.list_size) {
          const double size = body.next(*property.list_size, "the length of a list");
          if (!(size >= 0 && size <= double(body.left()))) {
            throw InputError(file.name,
                             "a list longer than the file, in " + element.name + " " + std::to_string(i),
                             "The file is truncated or damaged; export it again.");
          }
          const bool wanted = property.name == "vertex_indices" || property.name == "vertex_index";
          for (std::size_t k = 0; k < std::size_t(size); ++k) {
            const double value = body.next(property.type, "an item of a list");
            if (wanted) corners.push_back(index_from(value));
          }
        } else {
          const double value = body.next(property.type, "a property");
          for (int k = 0; k < 3; ++k) {
            if (property.name == std::string_view("xyz").substr(k, 1)) x[k] = value;
          }
          if (property.name == "vertex1") edge[0] = index_from(value);
          if (property.name == "vertex2") edge[1] = index_from(value);
        }
      }
      if (element.name == "vertex") mesh.vertices.push_back(x);
      if (element.name == "edge") mesh.edges.push_back(edge);
      if (element.name == "face") {
        if (corners.size() < 3) {
          throw InputError(file.name, "face " + std::to_string(i) + " has fewer than 3 corners",
                           "Remove it, or give the face element a list property vertex_indices.");
        }
        mesh.faces.add(corners);
      }
    }
  }
  return mesh;
}

}  // namespace bulwark
