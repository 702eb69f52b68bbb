#include <bulwark/base/error.hpp>
#include <bulwark/geometry/hexahedral_box.hpp>
#include <bulwark/geometry/mesh_check.hpp>
#include <bulwark/geometry/mesh_file.hpp>
#include <bulwark/geometry/shapes.hpp>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <geometry/cell_volume.hpp>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace bulwark {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

SolidMesh solid_from(const std::string& bytes, const std::string& extension) {
  return read_solid_mesh_from_memory(bytes, extension, "test." + extension);
}

std::string message_of(const std::string& bytes, const std::string& extension) {
  try {
    read_mesh_from_memory(bytes, extension, "test." + extension);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// Every node where straight elements have it: tells any mistake in the order of nodes.
void expect_straight(const SolidMesh& mesh) {
  for (int c = 0; c < mesh.cell_count(); ++c) {
    const auto nodes = mesh.cell(c);
    for (std::size_t a = 0; a < nodes.size(); ++a) {
      const auto at = lattice_nodes(mesh.shape, mesh.order)[a];
      const VectorX linear = lagrange_values(mesh.shape, 1, Vector3(at[0], at[1], at[2]) / mesh.order);
      Vector3 x = Vector3::Zero();
      for (int k = 0; k < linear.size(); ++k) x += linear[k] * mesh.vertices.col(nodes[std::size_t(k)]);
      ASSERT_LT((x - mesh.vertices.col(nodes[a])).norm(), 1e-9) << "cell " << c << ", node " << a;
    }
  }
}

// gmsh itself
// ---------------------------------------------------------------------------------------------------------

bool has_gmsh() {
  return std::system("gmsh --version >/dev/null 2>&1") == 0;
}

/// The bytes of what gmsh makes of a geometry.
std::string gmsh(const std::string& geometry, const std::string& options) {
  const std::string base = ::testing::TempDir() + "bulwark_solid_file_test";
  std::ofstream(base + ".geo") << geometry;
  const std::string command = "gmsh -3 " + options + " " + base + ".geo -o " + base + ".msh >/dev/null 2>&1";
  if (std::system(command.c_str()) != 0) return "";
  std::ifstream file(base + ".msh", std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  std::filesystem::remove(base + ".geo");
  std::filesystem::remove(base + ".msh");
  return bytes.str();
}

const std::vector<std::string> gmsh_formats = {"-format msh41", "-format msh41 -bin", "-format msh22",
                                               "-format msh22 -bin"};

constexpr const char* gmsh_box =
    "SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 1, 1, 1};\nMesh.MeshSizeFactor = 4;\n"
    "Physical Volume(\"all of it\") = {1};\nPhysical Surface(\"left\") = {1};\n";
constexpr const char* gmsh_ball =
    "SetFactory(\"OpenCASCADE\");\nSphere(1) = {0, 0, 0, 1};\nMesh.MeshSizeFactor = 1.5;\n"
    "Mesh.HighOrderOptimize = 2;\n";

TEST(SolidFile, GmshTetrahedraOfEveryOrderAndFormat) {
  if (!has_gmsh()) GTEST_SKIP() << "gmsh is not installed";
  for (int order = 1; order <= 4; ++order) {
    for (const std::string& format : gmsh_formats) {
      SCOPED_TRACE(fmt::format("order {} {}", order, format));
      const SolidMesh mesh = solid_from(gmsh(gmsh_box, fmt::format("{} -order {}", format, order)), "msh");
      EXPECT_EQ(mesh.order, order);
      EXPECT_EQ(mesh.shape, CellShape::tetrahedron);
      EXPECT_NO_THROW(require_valid_solid(mesh, "box"));
      EXPECT_NEAR(solid_volume(mesh), 1, 1e-12);
      expect_straight(mesh);
      ASSERT_EQ(mesh.node_sets.size(), 2u);
      EXPECT_EQ(mesh.node_sets.at("all of it").size(), std::size_t(mesh.vertices.cols()));
      int left = 0;
      for (int v = 0; v < mesh.vertices.cols(); ++v) left += std::abs(mesh.vertices(0, v)) < 1e-9;
      EXPECT_EQ(mesh.node_sets.at("left").size(), std::size_t(left));
      for (const int v : mesh.node_sets.at("left")) EXPECT_NEAR(mesh.vertices(0, v), 0, 1e-9);
    }
  }
}

TEST(SolidFile, GmshBallsConvergeToTheirVolume) {
  if (!has_gmsh()) GTEST_SKIP() << "gmsh is not installed";
  double error = 1;
  for (int order = 1; order <= 4; ++order) {
    const SolidMesh mesh =
        solid_from(gmsh(gmsh_ball, fmt::format("-format msh41 -bin -order {}", order)), "msh");
    EXPECT_NO_THROW(require_valid_solid(mesh, "ball"));
    const double now = std::abs(solid_volume(mesh) / (4 * M_PI / 3) - 1);
    EXPECT_LT(now, error / (order == 1 ? 1 : 2)) << order;
    error = now;
  }
  EXPECT_LT(error, 1e-3);
}

TEST(SolidFile, GmshHexahedraWithAndWithoutInnerNodes) {
  if (!has_gmsh()) GTEST_SKIP() << "gmsh is not installed";
  const std::string grid =
      "Point(1) = {0, 0, 0};\nl[] = Extrude {1, 0, 0} { Point{1}; Layers{2}; };\n"
      "s[] = Extrude {0, 1, 0.3} { Line{l[1]}; Layers{3}; Recombine; };\n"
      "v[] = Extrude {0, 0.2, 1} { Surface{s[1]}; Layers{2}; Recombine; };\nPhysical Volume(\"all\") = {v[1]};\n";
  for (const std::string& format : gmsh_formats) {
    for (const std::string kind :
         {"-order 1", "-order 2", "-order 2 -setnumber Mesh.SecondOrderIncomplete 1"}) {
      SCOPED_TRACE(format + " " + kind);
      const SolidMesh mesh = solid_from(gmsh(grid, format + " " + kind), "msh");
      const int order = kind == "-order 1" ? 1 : 2;
      EXPECT_EQ(mesh.shape, CellShape::hexahedron);
      EXPECT_EQ(mesh.order, order);
      EXPECT_EQ(mesh.cell_count(), 12);
      EXPECT_EQ(mesh.vertices.cols(), (2 * order + 1) * (3 * order + 1) * (2 * order + 1));
      EXPECT_NO_THROW(require_valid_solid(mesh, "box"));
      EXPECT_NEAR(solid_volume(mesh), 0.94, 1e-12);
      expect_straight(mesh);
      EXPECT_EQ(mesh.node_sets.at("all").size(), std::size_t(mesh.vertices.cols()));
    }
  }
}

// Files of VTK
// ---------------------------------------------------------------------------------------------------------

std::string as_vtu(const SolidMesh& mesh, int type, std::size_t nodes_per_cell,
                   const std::string& version = "2.2") {
  std::string points, cells, offsets, types;
  for (int v = 0; v < mesh.vertices.cols(); ++v)
    points += fmt::format("{} {} {}\n", mesh.vertices(0, v), mesh.vertices(1, v), mesh.vertices(2, v));
  for (int c = 0; c < mesh.cell_count(); ++c) {
    for (std::size_t a = 0; a < nodes_per_cell; ++a) cells += fmt::format("{} ", mesh.cell(c)[a]);
    offsets += fmt::format("{} ", nodes_per_cell * std::size_t(c + 1));
    types += fmt::format("{} ", type);
  }
  return fmt::format(
      "<VTKFile type=\"UnstructuredGrid\" version=\"{}\"><UnstructuredGrid><Piece NumberOfPoints=\"{}\" "
      "NumberOfCells=\"{}\"><Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">{}"
      "</DataArray></Points><Cells><DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">{}</DataArray>"
      "<DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">{}</DataArray><DataArray type=\"UInt8\" "
      "Name=\"types\" format=\"ascii\">{}</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>",
      version, mesh.vertices.cols(), mesh.cell_count(), points, cells, offsets, types);
}

TEST(SolidFile, VtkCellsOfEveryKindAreRead) {
  const SolidMesh ball = as_solid_mesh(solid_mesh(SphereShape{1}, 0.8));
  const std::vector<std::pair<int, int>> tetrahedra = {{10, 1}, {24, 2}, {71, 1}, {71, 2}, {71, 3}, {71, 4}};
  for (const auto& [type, order] : tetrahedra) {
    const SolidMesh mesh = raised(ball, order);
    const SolidMesh read = solid_from(as_vtu(mesh, type, std::size_t(mesh.nodes_per_cell())), "vtu");
    EXPECT_EQ(read.order, order);
    EXPECT_EQ(read.cells, mesh.cells);
    EXPECT_EQ(read.vertices, mesh.vertices);
  }
  const std::vector<std::array<int, 3>> hexahedra = {
      {12, 1, 8}, {29, 2, 27}, {25, 2, 20}, {72, 1, 8}, {72, 2, 27}};
  for (const auto& [type, order, nodes] : hexahedra) {
    const SolidMesh mesh = hexahedral_box({1, 2, 3}, {2, 1, 2}, order);
    const SolidMesh read = solid_from(as_vtu(mesh, type, std::size_t(nodes)), "vtu");
    EXPECT_EQ(read.shape, CellShape::hexahedron);
    EXPECT_EQ(read.order, order);
    EXPECT_EQ(read.vertices.cols(), mesh.vertices.cols());
    EXPECT_NEAR(solid_volume(read), 6, 1e-12);
    expect_straight(read);
  }
}

TEST(SolidFile, LagrangeHexahedraOfOldVtkFilesHaveTwoEdgesExchanged) {
  SolidMesh old = hexahedral_box({1, 1, 1}, {1, 1, 1}, 2);
  std::swap(old.cells[18], old.cells[19]);
  expect_straight(solid_from(as_vtu(old, 72, 27, "1.0"), "vtu"));
}

TEST(SolidFile, ACurvedSolidServesAsASurface) {
  const std::filesystem::path path = ::testing::TempDir() + "bulwark_solid_file_test.vtu";
  std::ofstream(path) << as_vtu(hexahedral_box({1, 2, 3}, {1, 1, 1}, 2), 29, 27);
  const SurfaceMesh surface = read_surface_mesh(path);
  EXPECT_EQ(surface.triangles.size(), 48u);
  EXPECT_EQ(surface.vertices.cols(), 26);
  EXPECT_NEAR(enclosed_volume(surface.vertices, surface.triangles), 6, 1e-12);
  EXPECT_THROW(read_tet_mesh(path), InputError);
  EXPECT_EQ(read_solid_mesh(path).cell_count(), 1);
  std::filesystem::remove(path);
}

// Files of Abaqus and CalculiX
// ---------------------------------------------------------------------------------------------------------

/// A box of hexahedra with 20 nodes, numbers from 101 and 1001, in the manner of such files.
std::string inp_box() {
  const SolidMesh box = hexahedral_box({2, 1, 1}, {2, 1, 1}, 2);
  std::string text = "*HEADING\n a box\n** comment\n*node, NSET=Nall\n";
  for (int v = 0; v < box.vertices.cols(); ++v)
    text += fmt::format("{}, {:E}, {}, {}\n", v + 101, box.vertices(0, v), box.vertices(1, v),
                        box.vertices(2, v));
  text += "*ELEMENT, TYPE = C3D20R,\n ELSET=Eall\n";
  for (int c = 0; c < 2; ++c) {
    text += fmt::format("{}", c + 1001);
    for (int a = 0; a < 20; ++a)
      text += fmt::format(",{}{}", a == 15 ? "\n" : "", box.cell(c)[std::size_t(a)] + 101);
    text += "\n";
  }
  return text + "*ELEMENT, TYPE=S4, ELSET=skin\n2001, 101, 104, 110, 107\n";
}

TEST(SolidFile, AbaqusHexahedraAndSets) {
  const SolidMesh mesh =
      solid_from(inp_box() +
                     "*NSET, NSET=Clamped\n101, 104,\n107, 110\n*NSET, NSET=more\nclamped, 102\n"
                     "*ELSET, ELSET=first\n1001\n*ELSET, ELSET=clamped, GENERATE\n1001, 1002, 1\n"
                     "*NSET, NSET=corners, GENERATE\n101, 112, 1\n*STEP\n*STATIC\n0.1, 1\n*END STEP\n",
                 "inp");
  EXPECT_EQ(mesh.shape, CellShape::hexahedron);
  EXPECT_EQ(mesh.order, 2);
  EXPECT_EQ(mesh.cell_count(), 2);
  EXPECT_NEAR(solid_volume(mesh), 2, 1e-12);
  expect_straight(mesh);
  EXPECT_EQ(mesh.vertices.cols(), 45);
  EXPECT_EQ(mesh.node_sets.at("Eall").size(), 45u);
  EXPECT_EQ(mesh.node_sets.at("first").size(), 27u);
  EXPECT_EQ(mesh.node_sets.at("Clamped"), (std::vector<int>{0, 3, 6, 9}));  // that of nodes, not of elements
  EXPECT_EQ(mesh.node_sets.at("more"), (std::vector<int>{0, 1, 3, 6, 9}));
  EXPECT_EQ(mesh.node_sets.at("skin"), (std::vector<int>{0, 3, 6, 9}));
  EXPECT_EQ(mesh.node_sets.at("corners").size(), 12u);
}

TEST(SolidFile, AbaqusTetrahedra) {
  const SolidMesh ball = raised(as_solid_mesh(solid_mesh(SphereShape{1}, 0.8)), 2);
  std::string text = "*Node\n";
  for (int v = 0; v < ball.vertices.cols(); ++v)
    text +=
        fmt::format("{}, {}, {}, {}\n", v + 1, ball.vertices(0, v), ball.vertices(1, v), ball.vertices(2, v));
  text += "*Element, type=C3D10M\n";
  for (int c = 0; c < ball.cell_count(); ++c) {
    text += fmt::format("{}", c + 1);
    for (const int v : ball.cell(c)) text += fmt::format(", {}", v + 1);
    text += "\n";
  }
  const SolidMesh read = solid_from(text, "inp");
  EXPECT_EQ(read.cells, ball.cells);
  EXPECT_EQ(read.vertices, ball.vertices);
  const std::string linear =
      "*NODE\n1, 0, 0, 0\n2, 1., 0\n3, 0, 1.D+0\n4, 0, 0, 1\n*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n";
  EXPECT_EQ(std::get<TetMesh>(read_mesh_from_memory(linear, "inp", "test.inp")).tetrahedra.size(), 1u);
  EXPECT_NEAR(solid_volume(solid_from(linear, "inp")), 1.0 / 6, 1e-15);
}

// Bad input
// ---------------------------------------------------------------------------------------------------------

TEST(SolidFile, EveryFaultIsNamedWithItsPlace) {
  const std::string nodes = "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n";
  const std::string cell = nodes + "*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n";
  const std::vector<std::array<std::string, 2>> cases = {
      {"1, 2, 3\n*NODE\n", "text before the first keyword"},
      {"*INCLUDE, INPUT=other.inp\n", "*INCLUDE of another file is not read"},
      {"*NODE, INPUT=other.inp\n", "*NODE of another file"},
      {"*NODE\n1, 0, zero, 0\n", "line 2: 'zero' is not a number"},
      {nodes + "1, 0, 0, 0\n", "a second node 1"},
      {nodes + "*ELEMENT, TYPE=C3D4\n1, 1, 2, 3\n", "element 1 has 3 nodes instead of 4"},
      {nodes + "*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 9\n", "element 1 uses node 9, which no *NODE has"},
      {nodes + "*ELEMENT, TYPE=C3D6\n1, 1, 2, 3, 4, 1, 2\n", "elements of type C3D6 are not read"},
      {cell + "1, 1, 2, 3, 4\n", "a second element 1"},
      {cell + "*NSET\n1\n", "a *NSET without a name"},
      {cell + "*NSET, NSET=a\n7\n", "names node 7, which no *NODE has"},
      {cell + "*NSET, NSET=a\nb\n", "there is no *NSET 'b' before this line"},
      {cell + "*ELSET, ELSET=a\n7\n", "names element 7"},
      {cell + "*NSET, NSET=a, GENERATE\n1, 3, 0\n", "GENERATE counts upward"},
      {cell + "*NSET, NSET=a, GENERATE\n1\n", "GENERATE needs"},
      {nodes + "*ELEMENT, TYPE=S3\n1, 1, 2, 3\n", "holds no solid elements"},
      {"*PART, NAME=a\n*PART, NAME=b\n", "a second *PART"},
      {cell + "*ELEMENT, TYPE=C3D8\n2, 1, 2, 3, 4, 1, 2, 3, 4\n",
       "mixes solid elements of several kinds: 1 tetrahedra of order 1 and 1 hexahedra of order 1"},
  };
  for (const auto& [text, message] : cases)
    EXPECT_THAT(message_of(text, "inp"), AllOf(HasSubstr("test.inp"), HasSubstr(message))) << text;
  EXPECT_THAT(message_of(as_vtu(hexahedral_box({1, 1, 1}, {1, 1, 1}, 2), 72, 26), "vtu"),
              HasSubstr("Lagrange hexahedron of 26 nodes"));
  EXPECT_THROW(solid_from("v 0 0 0\nv 1 0 0\n", "obj"), InputError);
}

TEST(SolidFile, SetsThatNameEachOtherDoNotFillTheMemory) {
  std::string text = inp_box() + "*NSET, NSET=s0\nNall\n";
  for (int i = 1; i < 60; ++i) text += fmt::format("*NSET, NSET=s{}\ns{}, s{}\n", i, i - 1, i - 1);
  EXPECT_THAT(message_of(text, "inp"), HasSubstr("the sets name the same nodes too often"));
}

TEST(SolidFile, InvertedCellsAreNamed) {
  SolidMesh box = hexahedral_box({1, 1, 1}, {2, 1, 1}, 2);
  for (int a = 0; a < 4; ++a) std::swap(box.cells[std::size_t(27 + a)], box.cells[std::size_t(31 + a)]);
  try {
    require_valid_solid(box, "box.msh");
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("box.msh"), HasSubstr("hexahedron 1"), HasSubstr("is inverted")));
  }
  SolidMesh ball = raised(as_solid_mesh(solid_mesh(SphereShape{1}, 0.8)), 2);
  std::swap(ball.cells[4], ball.cells[9]);  // two nodes of edges
  EXPECT_THROW(require_valid_solid(ball, "ball"), InputError);
  SolidMesh loose = raised(as_solid_mesh(solid_mesh(SphereShape{1}, 0.8)), 2);
  loose.vertices(0, 3) = NAN;
  EXPECT_THROW(require_valid_solid(loose, "ball"), InputError);
  loose.cells[0] = -1;
  EXPECT_THROW(require_valid_solid(loose, "ball"), InputError);
}

TEST(SolidFile, NoPrefixOfAFileCrashesItsReader) {
  std::vector<std::array<std::string, 2>> files = {{inp_box(), "inp"}};
  if (has_gmsh()) {
    const std::string small =
        "SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 1, 1, 1};\nMesh.MeshSizeFactor = 20;\nPhysical Volume(\"a\") = {1};\n";
    for (const std::string& format : gmsh_formats)
      files.push_back({gmsh(small, format + " -order 2"), "msh"});
  }
  for (const auto& [bytes, extension] : files) {
    const std::size_t step = bytes.size() / 2000 + 1;
    for (std::size_t length = 0; length < bytes.size(); length += step) {
      try {
        read_mesh_from_memory(std::string_view(bytes).substr(0, length), extension, "prefix");
      } catch (const InputError&) {
      }
    }
  }
}

}  // namespace
}  // namespace bulwark
