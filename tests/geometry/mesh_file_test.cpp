#include <bulwark/base/error.hpp>
#include <bulwark/geometry/mesh_file.hpp>
#include <bulwark/geometry/shapes.hpp>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <zlib.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>

namespace bulwark {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

template <class T>
std::string raw(const T& value, bool big_endian = false) {
  std::string bytes(reinterpret_cast<const char*>(&value), sizeof value);
  if (big_endian) std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

std::string base64(const std::string& bytes) {
  static const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (i + k < bytes.size() ? (unsigned char)bytes[i + k] : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k > bytes.size() ? '=' : digits[bits >> (18 - 6 * k) & 63];
  }
  return text;
}

SurfaceMesh surface_from(const std::string& bytes, const std::string& extension) {
  return std::get<SurfaceMesh>(read_mesh_from_memory(bytes, extension, "test." + extension));
}

TetMesh solid_from(const std::string& bytes, const std::string& extension) {
  return std::get<TetMesh>(read_mesh_from_memory(bytes, extension, "test." + extension));
}

std::string message_of(const std::string& bytes, const std::string& extension) {
  try {
    read_mesh_from_memory(bytes, extension, "test." + extension);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

void expect_equal(const SurfaceMesh& a, const SurfaceMesh& b, double tolerance = 0) {
  ASSERT_EQ(a.vertices.cols(), b.vertices.cols());
  EXPECT_LE((a.vertices - b.vertices).cwiseAbs().maxCoeff(), tolerance);
  EXPECT_EQ(a.triangles, b.triangles);
}

// Writers for the tests
// ---------------------------------------------------------------------------------------------

std::string number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

std::string coordinates(const Vectors& x, Eigen::Index i) {
  return number(x(0, i)) + " " + number(x(1, i)) + " " + number(x(2, i));
}

std::string as_obj(const SurfaceMesh& mesh) {
  std::string text = "# a test\no thing\n";
  for (Eigen::Index i = 0; i < mesh.vertices.cols(); ++i) text += "v " + coordinates(mesh.vertices, i) + "\n";
  text += "vn 0 0 1\ns off\n";
  for (const Triangle& t : mesh.triangles) {
    text += "f";
    for (int v : t) text += fmt::format(" {}//1", v + 1);
    text += "\n";
  }
  return text;
}

std::string as_off(const SurfaceMesh& mesh) {
  std::string text = "OFF # comment\n" + std::to_string(mesh.vertices.cols()) + " " +
                     std::to_string(mesh.triangles.size()) + " 0\n";
  for (Eigen::Index i = 0; i < mesh.vertices.cols(); ++i) text += coordinates(mesh.vertices, i) + "\n";
  for (const Triangle& t : mesh.triangles) {
    text +=
        "3 " + std::to_string(t[0]) + " " + std::to_string(t[1]) + " " + std::to_string(t[2]) + " 255 0 0\n";
  }
  return text;
}

std::string as_ply(const SurfaceMesh& mesh, const std::string& format) {
  const bool big = format == "binary_big_endian";
  std::string text =
      "ply\nformat " + format + " 1.0\ncomment test\nelement vertex " + std::to_string(mesh.vertices.cols()) +
      "\nproperty double x\nproperty double y\nproperty double z\nproperty uchar red\nelement face " +
      std::to_string(mesh.triangles.size()) + "\nproperty list uchar int vertex_indices\nend_header\n";
  for (Eigen::Index i = 0; i < mesh.vertices.cols(); ++i) {
    if (format == "ascii") {
      text += coordinates(mesh.vertices, i) + " 7\n";
    } else {
      for (int k = 0; k < 3; ++k) text += raw(mesh.vertices(k, i), big);
      text += '\7';
    }
  }
  for (const Triangle& t : mesh.triangles) {
    text += format == "ascii" ? "3" : "\3";
    for (int v : t) text += format == "ascii" ? fmt::format(" {}", v) : raw(std::int32_t(v), big);
    if (format == "ascii") text += "\n";
  }
  return text;
}

std::string as_stl(const SurfaceMesh& mesh, bool binary) {
  std::string text =
      binary ? std::string(80, 's') + raw(std::uint32_t(mesh.triangles.size())) : "solid my vertex part\n";
  for (const Triangle& t : mesh.triangles) {
    if (!binary) text += " facet normal 0 0 0\n  outer loop\n";
    if (binary) text += std::string(12, '\0');
    for (int v : t) {
      if (!binary) text += "   vertex " + coordinates(mesh.vertices, v) + "\n";
      for (int k = 0; k < 3 && binary; ++k) text += raw(float(mesh.vertices(k, v)));
    }
    text += binary ? std::string(2, '\0') : "  endloop\n endfacet\n";
  }
  return binary ? text : text + "endsolid my vertex part\n";
}

std::string as_msh2(const TetMesh& mesh) {
  std::string text =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" + std::to_string(mesh.vertices.cols() + 1) + "\n";
  text += "5 9 9 9\n";  // a node that only a point uses
  for (Eigen::Index i = 0; i < mesh.vertices.cols(); ++i) {
    text += std::to_string(10 + 2 * i) + " " + coordinates(mesh.vertices, i) + "\n";
  }
  text += "$EndNodes\n$Elements\n" + std::to_string(mesh.tetrahedra.size() + 2) +
          "\n1 15 2 0 1 5\n2 2 2 0 1 10 12 14\n";
  int tag = 3;
  for (const Tetrahedron& t : mesh.tetrahedra) {
    text += std::to_string(tag++) + " 4 2 0 1";
    for (int v : t) text += fmt::format(" {}", 10 + 2 * v);
    text += "\n";
  }
  return text + "$EndElements\n";
}

std::string as_msh4(const TetMesh& mesh) {
  const std::string n = std::to_string(mesh.vertices.cols()), m = std::to_string(mesh.tetrahedra.size());
  std::string text =
      "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n1 0 0 0 1 1 1 0 0\n$EndEntities\n";
  text += "$Nodes\n2 " + n + " 1 " + n + "\n2 1 1 1\n1\n" + coordinates(mesh.vertices, 0) + " 0.5 0.5\n";
  text += "3 1 0 " + std::to_string(mesh.vertices.cols() - 1) + "\n";
  for (Eigen::Index i = 1; i < mesh.vertices.cols(); ++i) text += std::to_string(i + 1) + "\n";
  for (Eigen::Index i = 1; i < mesh.vertices.cols(); ++i) text += coordinates(mesh.vertices, i) + "\n";
  text += "$EndNodes\n$Elements\n2 " + std::to_string(mesh.tetrahedra.size() + 1) +
          " 1 99\n1 1 1 1\n1 1 2\n3 1 4 " + m + "\n";
  int tag = 2;
  for (const Tetrahedron& t : mesh.tetrahedra) {
    text += std::to_string(tag++);
    for (int v : t) text += fmt::format(" {}", v + 1);
    text += "\n";
  }
  return text + "$EndElements\n";
}

struct VtuStyle {
  std::string format;  // ascii, binary, raw, base64 (the last two appended)
  bool compressed = false, long_headers = false, big_endian = false;
};

class VtuWriter {
 public:
  explicit VtuWriter(VtuStyle style) : style_(std::move(style)) {}

  std::string write(const Vectors& x, const std::vector<std::vector<int>>& cells,
                    const std::vector<int>& cell_types) {
    std::vector<double> points(x.data(), x.data() + x.size());
    std::vector<std::int64_t> connectivity, offsets;
    for (const auto& cell : cells) {
      connectivity.insert(connectivity.end(), cell.begin(), cell.end());
      offsets.push_back(std::int64_t(connectivity.size()));
    }
    std::vector<std::uint8_t> types(cell_types.begin(), cell_types.end());
    std::string text =
        "<?xml version=\"1.0\"?>\n<!-- <VTKFile> in a comment -->\n<VTKFile type=\"UnstructuredGrid\" "
        "byte_order=\"";
    text += style_.big_endian ? "BigEndian\"" : "LittleEndian\"";
    if (style_.long_headers) text += " header_type=\"UInt64\"";
    if (style_.compressed) text += " compressor=\"vtkZLibDataCompressor\"";
    text += ">\n<UnstructuredGrid><Piece NumberOfPoints=\"" + std::to_string(x.cols()) +
            "\" NumberOfCells=\"" + std::to_string(cells.size()) + "\">\n<PointData></PointData><Points>" +
            array("Points", "Float64", points, " NumberOfComponents=\"3\"") + "</Points>\n<Cells>" +
            array("connectivity", "Int64", connectivity) + array("offsets", "Int64", offsets) +
            array("types", "UInt8", types) + "</Cells>\n</Piece></UnstructuredGrid>\n";
    if (!appended_.empty()) {
      text += "<AppendedData encoding=\"" + style_.format + "\">\n  _" + appended_ + "\n</AppendedData>\n";
    }
    return text + "</VTKFile>\n";
  }

 private:
  std::string size(std::size_t value) const {
    return style_.long_headers ? raw(std::uint64_t(value), style_.big_endian)
                               : raw(std::uint32_t(value), style_.big_endian);
  }

  template <class T>
  std::string array(const std::string& name, const std::string& type, const std::vector<T>& values,
                    const std::string& more = "") {
    std::string text = "<DataArray type=\"" + type + "\" Name='" + name + "'" + more + " format=\"";
    if (style_.format == "ascii") {
      text += "ascii\">\n";
      for (const T& value : values) text += number(double(value)) + " ";
      return text + "\n</DataArray>";
    }
    std::string bytes;
    for (const T& value : values) bytes += raw(value, style_.big_endian);
    std::string header = size(bytes.size()), body = bytes;
    if (style_.compressed) {
      const std::size_t block = 64;  // small, so that there are several
      const std::size_t blocks = (bytes.size() + block - 1) / block;
      header = size(blocks) + size(block) + size(bytes.size() % block);
      body.clear();
      for (std::size_t i = 0; i < blocks; ++i) {
        const std::string part = bytes.substr(i * block, block);
        std::string packed(compressBound(part.size()), '\0');
        uLongf length = packed.size();
        compress(reinterpret_cast<Bytef*>(packed.data()), &length,
                 reinterpret_cast<const Bytef*>(part.data()), part.size());
        header += size(length);
        body += packed.substr(0, length);
      }
    }
    std::string data = header + body;
    if (style_.format != "raw")
      data = style_.compressed ? base64(header) + base64(body) : base64(header + body);
    if (style_.format == "binary") return text + "binary\">" + data + "</DataArray>";
    text += "appended\" offset=\"" + std::to_string(appended_.size()) + "\"/>";
    appended_ += data;
    return text;
  }

  VtuStyle style_;
  std::string appended_;
};

std::string as_vtu(const TetMesh& mesh, const VtuStyle& style) {
  std::vector<std::vector<int>> cells;
  for (const Tetrahedron& t : mesh.tetrahedra) cells.emplace_back(t.begin(), t.end());
  return VtuWriter(style).write(mesh.vertices, cells, std::vector<int>(cells.size(), 10));
}

std::vector<VtuStyle> vtu_styles() {
  std::vector<VtuStyle> styles = {{"ascii"}};
  for (const char* format : {"binary", "raw", "base64"}) {
    for (bool compressed : {false, true}) {
      styles.push_back({format, compressed, false, false});
      styles.push_back({format, compressed, true, true});
    }
  }
  return styles;
}

// Round trips
// -------------------------------------------------------------------------------------------------------

TEST(MeshFile, SurfacesSurviveEveryTextFormat) {
  const SurfaceMesh ball = surface_mesh(SphereShape{0.7});
  expect_equal(surface_from(as_obj(ball), "obj"), ball);
  expect_equal(surface_from(as_off(ball), "off"), ball);
  expect_equal(surface_from(as_ply(ball, "ascii"), "ply"), ball);
}

TEST(MeshFile, SurfacesSurviveEveryBinaryFormat) {
  const SurfaceMesh ball = surface_mesh(SphereShape{0.7});
  expect_equal(surface_from(as_ply(ball, "binary_little_endian"), "ply"), ball);
  expect_equal(surface_from(as_ply(ball, "binary_big_endian"), "ply"), ball);
}

TEST(MeshFile, StlVerticesAreSharedAgain) {
  const SurfaceMesh ball = surface_mesh(SphereShape{0.7});
  for (bool binary : {false, true}) {
    const SurfaceMesh read = surface_from(as_stl(ball, binary), "stl");
    EXPECT_EQ(read.vertices.cols(), ball.vertices.cols());
    EXPECT_EQ(read.triangles.size(), ball.triangles.size());
    EXPECT_NEAR(enclosed_volume(read.vertices, read.triangles),
                enclosed_volume(ball.vertices, ball.triangles), 1e-6);
  }
}

TEST(MeshFile, TrianglesBetweenCopiesOfAVertexVanish) {
  const std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0\nf 1 2 3\nf 1 4 2\nf 3 3 2\n";
  const SurfaceMesh mesh = surface_from(text, "obj");
  EXPECT_EQ(mesh.vertices.cols(), 3);
  EXPECT_EQ(mesh.triangles,
            (std::vector<Triangle>{{0, 1, 2}, {2, 2, 1}}));  // the last is the file's own fault
}

TEST(MeshFile, TetrahedraSurviveBothVersionsOfMsh) {
  const TetMesh ball = solid_mesh(SphereShape{0.7});
  for (const std::string& text : {as_msh2(ball), as_msh4(ball)}) {
    const TetMesh read = solid_from(text, "msh");
    ASSERT_EQ(read.vertices.cols(), ball.vertices.cols());
    EXPECT_EQ(read.vertices, ball.vertices);
    EXPECT_EQ(read.tetrahedra, ball.tetrahedra);
  }
}

TEST(MeshFile, TetrahedraSurviveEveryEncodingOfVtu) {
  const TetMesh ball = solid_mesh(SphereShape{0.7});
  for (const VtuStyle& style : vtu_styles()) {
    const TetMesh read = solid_from(as_vtu(ball, style), "vtu");
    EXPECT_EQ(read.vertices, ball.vertices) << style.format << style.compressed << style.long_headers;
    EXPECT_EQ(read.tetrahedra, ball.tetrahedra);
  }
}

TEST(MeshFile, LinesAndPointsAreRead) {
  const SurfaceMesh wire = surface_from("v 0 0 0\nv 1 0 0\nv 2 0 0\nv 5 5 5\nl 1 2 -2\np 4\n", "obj");
  EXPECT_EQ(wire.edges, (std::vector<Edge>{{0, 1}, {1, 2}}));  // -2 is the last but one
  EXPECT_EQ(wire.points.size(), 1u);
  const SurfaceMesh cloud = surface_from("v 0 0 0\nv 1 0 0\n", "obj");
  EXPECT_EQ(cloud.points, (std::vector<int>{0, 1}));
  const SurfaceMesh mixed =
      surface_from("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 3 3 3\nf 1 2 3\nl 1 2\nl 3 4\n", "obj");
  EXPECT_EQ(mixed.edges, (std::vector<Edge>{{2, 3}}));  // a triangle's own side is not a wire
  const SurfaceMesh vtu =
      surface_from(VtuWriter({"ascii"}).write(Vectors::Identity(3, 3), {{0, 1}, {2}}, {3, 1}), "vtu");
  EXPECT_EQ(vtu.edges, (std::vector<Edge>{{0, 1}}));
  EXPECT_EQ(vtu.points, (std::vector<int>{2}));
  const SurfaceMesh msh = surface_from(
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n1 0 0 0\n2 1 0 0\n$EndNodes\n$Elements\n1\n1 1 0 1 "
      "2\n$EndElements\n",
      "msh");
  EXPECT_EQ(msh.edges.size(), 1u);
}

TEST(MeshFile, PolygonsBecomeTriangles) {
  // A concave polygon: a fan from its first corner would leave it.
  const SurfaceMesh arrow = surface_from("v 0 2 0\nv -2 -2 0\nv 0 -1 0\nv 2 -2 0\nf 4 1 2 3\n", "obj");
  ASSERT_EQ(arrow.triangles.size(), 2u);
  double area = 0;
  for (const Triangle& t : arrow.triangles) {
    const Vector3 a = arrow.vertices.col(t[0]), b = arrow.vertices.col(t[1]), c = arrow.vertices.col(t[2]);
    const double part = (b - a).cross(c - a).z() / 2;
    EXPECT_GT(part, 0);
    area += part;
  }
  EXPECT_NEAR(area, 6, 1e-12);
}

TEST(MeshFile, ASolidFileServesAsASurface) {
  const std::filesystem::path path = ::testing::TempDir() + "bulwark_mesh_file_test.msh";
  std::ofstream(path) << as_msh2(solid_mesh(BoxShape{}));
  EXPECT_EQ(read_surface_mesh(path).triangles.size(), 12u);
  EXPECT_EQ(read_tet_mesh(path).tetrahedra.size(), 5u);
  std::filesystem::remove(path);
}

// Bad input
// ---------------------------------------------------------------------------------------------------------

TEST(MeshFile, MissingAndUnsuitableFilesAreNamed) {
  const auto message = [](const std::filesystem::path& path) -> std::string {
    try {
      read_mesh(path);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(message("nowhere/cow.obj"), AllOf(HasSubstr("nowhere/cow.obj"), HasSubstr("no such file")));
  EXPECT_THAT(message(::testing::TempDir()), HasSubstr("not a file"));
  EXPECT_THAT(message_of("solid", "step"),
              AllOf(HasSubstr("test.step"), HasSubstr("obj, stl, ply, off, msh, vtu or inp")));
  const std::filesystem::path path = ::testing::TempDir() + "bulwark_mesh_file_test.obj";
  std::ofstream(path) << as_obj(surface_mesh(BoxShape{}));
  EXPECT_EQ(read_surface_mesh(path).triangles.size(), 12u);
  EXPECT_THROW(read_tet_mesh(path), InputError);
  std::filesystem::remove(path);
}

TEST(MeshFile, EmptyFilesAreNamed) {
  for (const char* extension : {"obj", "stl", "ply", "off", "msh", "vtu", "inp"}) {
    EXPECT_THAT(message_of("", extension), HasSubstr("the file is empty")) << extension;
    EXPECT_THAT(message_of(" \n\n", extension), HasSubstr("the file is empty")) << extension;
    EXPECT_NE(message_of("hello, world", extension), "no error") << extension;
  }
}

struct BadCase {
  std::string extension, bytes, message;
};

TEST(MeshFile, EveryFaultIsNamedWithItsPlace) {
  const std::string ply =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n";
  const std::string msh = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n";
  const std::string vtu = as_vtu(solid_mesh(BoxShape{}), {"ascii"});
  const auto vtu_with = [&](const std::string& from, const std::string& to) {
    std::string text = vtu;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  const std::vector<BadCase> cases = {
      {"obj", "v 0 0 0\nv nan 0 0\n", "line 2"},
      {"obj", "v 0 0 0\nv 1e999 0 0\n", "not a finite number"},
      {"obj", "v 0 0\nv 1 0 0\n", "a vertex with z"},
      {"obj", "v 0 0 0\nv 1 0\n", "the text ends where z"},
      {"obj", "v 0 0 zero\n", "'zero' is not a number"},
      {"obj", "v 0 0 0\nf 1 2 3\n", "face 1: uses vertex 2, which does not exist"},
      {"obj", "v 0 0 0\nf 0 1 1\n", "counts vertices from 1"},
      {"obj", "v 0 0 0\nf -5 1 1\n", "reaches back"},
      {"obj", "v 0 0 0\nf 1 1\n", "fewer than 3 corners"},
      {"obj", "v 0 0 0\nf 99999999999999999999 1 1\n", "not a whole number"},
      {"obj", "v 0 0 0\nf 9999999999 1 1\n", "face 1"},
      {"off", "OFF\n3 1 0\n0 0 0\n1 0 0\n", "ends where x"},
      {"off", "OFF\n999999999 1 0\n", "more than it can hold"},
      {"off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 7\n", "uses vertex 7"},
      {"off", "OFX\n3 1 0\n", "does not begin with OFF"},
      {"stl", "solid a\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\n", "2 vertices"},
      {"stl", "solid a\nfacet normal 0 0 0\nouter loop\nvertex 0 0 inf\n", "line 4"},
      {"stl", std::string(80, 'x') + raw(std::uint32_t(1000)) + std::string(50, '\0'),
       "declares 1000 triangles"},
      {"stl", as_stl(surface_mesh(BoxShape{}), true).substr(0, 300), "does not agree with its length"},
      {"ply", ply, "no end_header"},
      {"ply", ply + "end_header\n0 0 0\n1 1 1\n", "ends where a property"},
      {"ply", "ply\nformat ascii 1.0\nelement vertex 99999999999\nend_header\n", "more than it can hold"},
      {"ply", "ply\nformat binary_middle_endian 1.0\n", "unknown format"},
      {"ply",
       ply + "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 "
             "-4\n",
       "face 0"},
      {"ply", "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty double x\nend_header\n1234",
       "file ends"},
      {"msh", "$MeshFormat\n4.1 1 8\n", "byte 20: the file ends"},
      {"msh", "$MeshFormat\n3.0 0 8\n$EndMeshFormat\n", "version 3.0"},
      {"msh", "$Nodes\n1\n1 0 0 0\n$EndNodes\n", "$MeshFormat is missing"},
      {"msh", msh + "$Elements\n1\n7 4 0 1 2 3 4\n$EndElements\n", "element 7 uses node 2"},
      {"msh", msh + "$Elements\n1\n7 6 0 1 1 1 1 1 1\n$EndElements\n", "gmsh type 6"},
      {"msh", msh + "$Elements\n1\n", "ends where an element"},
      {"msh", msh + "$Physical\n", "ends before $EndPhysical"},
      {"msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n1 0 0 0\n1 1 0 0\n$EndNodes\n",
       "second node 1"},
      {"msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 nan 0\n$EndNodes\n", "line 6"},
      {"vtu", "<VTKFile type=\"PolyData\"/>", "PolyData"},
      {"vtu", "<UnstructuredGrid/>", "test.vtu:1: the tag VTKFile is missing"},
      {"vtu", "<VTKFile type=\"UnstructuredGrid\" compressor=\"vtkLZ4DataCompressor\"/>", "LZ4"},
      {"vtu", vtu_with("NumberOfPoints=\"8\"", "NumberOfPoints=\"9\""), "instead of 27"},
      {"vtu", vtu_with("NumberOfCells=\"5\"", "NumberOfCells=\"99999999999\""), "99999999999"},
      {"vtu", vtu_with("10 10", "10 13"), "VTK type 13"},
      {"vtu", vtu_with("0 6", "0 8"), "uses point 8"},
      {"vtu", vtu_with("-0.5", "nan"), "not a finite number"},
      {"vtu", vtu.substr(0, 100), "test.vtu:3: the value of the attribute `byte_order` has no end"},
  };
  for (const BadCase& c : cases) {
    EXPECT_THAT(message_of(c.bytes, c.extension),
                AllOf(HasSubstr("test." + c.extension), HasSubstr(c.message)))
        << c.bytes.substr(0, 200);
  }
}

TEST(MeshFile, NonFiniteBinaryCoordinatesAreNamed) {
  SurfaceMesh box = surface_mesh(BoxShape{});
  box.vertices(1, 4) = NAN;
  EXPECT_THAT(message_of(as_stl(box, true), "stl"), HasSubstr("not finite"));
  EXPECT_THAT(message_of(as_ply(box, "binary_little_endian"), "ply"), HasSubstr("vertex 4"));
}

TEST(MeshFile, NoPrefixOfAFileCrashesItsReader) {
  const TetMesh solid = solid_mesh(BoxShape{});
  const SurfaceMesh box = surface_mesh(BoxShape{});
  std::vector<std::pair<std::string, std::string>> files = {
      {as_obj(box), "obj"},          {as_off(box), "off"},
      {as_ply(box, "ascii"), "ply"}, {as_ply(box, "binary_big_endian"), "ply"},
      {as_stl(box, true), "stl"},    {as_stl(box, false), "stl"},
      {as_msh2(solid), "msh"},       {as_msh4(solid), "msh"}};
  for (const VtuStyle& style : vtu_styles()) files.emplace_back(as_vtu(solid, style), "vtu");
  for (const auto& [bytes, extension] : files) {
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      try {
        read_mesh_from_memory(std::string_view(bytes).substr(0, length), extension, "prefix");
      } catch (const InputError&) {
      }
    }
  }
}

}  // namespace
}  // namespace bulwark
