#include <bulwark/base/error.hpp>
#include <bulwark/geometry/mesh_check.hpp>
#include <bulwark/geometry/shapes.hpp>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace bulwark {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Kind = MeshDefectKind;

int count(const std::vector<MeshDefect>& defects, Kind kind) {
  return int(
      std::count_if(defects.begin(), defects.end(), [&](const MeshDefect& d) { return d.kind == kind; }));
}

const MeshDefect* find(const std::vector<MeshDefect>& defects, Kind kind) {
  for (const MeshDefect& d : defects) {
    if (d.kind == kind) return &d;
  }
  return nullptr;
}

std::string listed(const std::vector<MeshDefect>& defects) {
  std::string text;
  for (const MeshDefect& d : defects) text += d.message + "\n";
  return text;
}

void expect_named(const std::vector<MeshDefect>& defects, Kind kind, int element, const std::string& words) {
  const MeshDefect* defect = find(defects, kind);
  ASSERT_NE(defect, nullptr) << listed(defects);
  EXPECT_EQ(defect->element, element);
  EXPECT_THAT(defect->message, HasSubstr(words));
}

TEST(MeshCheck, EveryBuiltInSolidIsFlawless) {
  const std::vector<Shape> shapes = {BoxShape{},        SphereShape{},      CylinderShape{},
                                     CapsuleShape{},    ConeShape{},        TorusShape{},
                                     RingShape{},       TetrahedronShape{}, BoltShape{},
                                     NutShape{},        GearShape{},        BoxShape{{4, 0.01, 4}},
                                     SphereShape{1e-4}, SphereShape{1e4}};
  for (const Shape& shape : shapes) {
    EXPECT_EQ(listed(check_tets(solid_mesh(shape))), "") << shape_name(shape);
    EXPECT_EQ(listed(check_surface(surface_mesh(shape))), "") << shape_name(shape);
    EXPECT_NO_THROW(require_valid_solid(solid_mesh(shape), "shape"));
    EXPECT_NO_THROW(require_closed_surface(surface_mesh(shape), "shape"));
  }
}

TEST(MeshCheck, SheetsAndWiresHaveNoDefectButTheirBoundary) {
  const std::vector<MeshDefect> grid = check_surface(surface_mesh(GridShape{{1, 1}, {3, 3}}));
  EXPECT_EQ(count(grid, Kind::open_edge), 12);
  EXPECT_EQ(grid.size(), 12u);
  EXPECT_TRUE(check_surface(surface_mesh(LineShape{})).empty());
  EXPECT_TRUE(check_surface(surface_mesh(PointsShape{{{0, 0, 0}, {1, 0, 0}}})).empty());
}

TEST(MeshCheck, NamesVerticesThatAreNotFinite) {
  SurfaceMesh box = surface_mesh(BoxShape{});
  box.vertices(2, 3) = NAN;
  expect_named(check_surface(box), Kind::non_finite_vertex, 3, "nan");
  TetMesh solid = solid_mesh(BoxShape{});
  solid.vertices(0, 5) = INFINITY;
  expect_named(check_tets(solid), Kind::non_finite_vertex, 5, "inf");
}

TEST(MeshCheck, NamesIndicesOutOfRange) {
  SurfaceMesh box = surface_mesh(BoxShape{});
  box.triangles[7][1] = 8;
  expect_named(check_surface(box), Kind::index_out_of_range, 7, "uses vertex 8");
  TetMesh solid = solid_mesh(BoxShape{});
  solid.tetrahedra[2][0] = -1;
  expect_named(check_tets(solid), Kind::index_out_of_range, 2, "uses vertex -1");
}

TEST(MeshCheck, NamesDuplicateAndUnreferencedVertices) {
  TetMesh solid = solid_mesh(BoxShape{});
  solid.vertices.conservativeResize(3, 9);
  solid.vertices.col(8) = solid.vertices.col(2);
  const std::vector<MeshDefect> defects = check_tets(solid);
  expect_named(defects, Kind::duplicate_vertex, 8, "vertices 2 and 8");
  expect_named(defects, Kind::unreferenced_vertex, 8, "vertex 8");
}

TEST(MeshCheck, NamesDegenerateElements) {
  SurfaceMesh mesh;
  mesh.vertices.resize(3, 3);
  mesh.vertices << 0, 1, 2, 0, 1, 2, 0, 1, 2;
  mesh.triangles = {{0, 1, 2}};
  expect_named(check_surface(mesh), Kind::degenerate_element, 0, "has no area");
  TetMesh solid = solid_mesh(TetrahedronShape{});
  solid.vertices.row(1).setZero();
  expect_named(check_tets(solid), Kind::degenerate_element, 0, "has no volume");
}

TEST(MeshCheck, NamesInvertedElementsWithTheirVolume) {
  TetMesh solid = solid_mesh(BoxShape{});
  std::swap(solid.tetrahedra[3][0], solid.tetrahedra[3][1]);
  const std::vector<MeshDefect> defects = check_tets(solid);
  EXPECT_EQ(defects.size(), 1u);
  expect_named(defects, Kind::inverted_element, 3, "volume is -0.167");
}

TEST(MeshCheck, NamesDuplicateElements) {
  TetMesh solid = solid_mesh(BoxShape{});
  solid.tetrahedra.push_back(solid.tetrahedra[1]);
  expect_named(check_tets(solid), Kind::duplicate_element, 5, "same vertices as tetrahedron 1");
  SurfaceMesh box = surface_mesh(BoxShape{});
  box.triangles.push_back({box.triangles[4][1], box.triangles[4][0], box.triangles[4][2]});
  expect_named(check_surface(box), Kind::duplicate_element, 12, "same vertices as triangle 4");
}

TEST(MeshCheck, NamesOverlappingTetrahedra) {
  TetMesh solid;
  solid.vertices.resize(3, 5);
  solid.vertices << 0, 1, 0, 0, 0.2, 0, 0, 1, 0, 0.2, 0, 0, 0, 1, 2;
  solid.tetrahedra = {{0, 1, 2, 3}, {0, 1, 2, 4}};
  expect_named(check_tets(solid), Kind::inconsistent_orientation, 1, "same side of their common face");
}

TEST(MeshCheck, NamesOpenEdges) {
  SurfaceMesh box = surface_mesh(BoxShape{});
  box.triangles.pop_back();
  EXPECT_EQ(count(check_surface(box), Kind::open_edge), 3);
}

TEST(MeshCheck, NamesNonManifoldEdges) {
  SurfaceMesh fan;
  fan.vertices.resize(3, 5);
  fan.vertices << 0, 0, 1, -1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1;
  fan.triangles = {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}};
  expect_named(check_surface(fan), Kind::non_manifold_edge, 0, "edge 0-1");
  // Two tetrahedra that share an edge only.
  TetMesh solid;
  solid.vertices.resize(3, 6);
  solid.vertices << 0, 0, 1, 1, -1, -1, 0, 0, 0, 1, 0, -1, 0, 1, 0, 0, 0, 0;
  solid.tetrahedra = {{0, 1, 2, 3}, {0, 1, 4, 5}};
  for (Tetrahedron& t : solid.tetrahedra) {
    if (tetrahedron_volume(solid.vertices.col(t[0]), solid.vertices.col(t[1]), solid.vertices.col(t[2]),
                           solid.vertices.col(t[3])) < 0) {
      std::swap(t[0], t[1]);
    }
  }
  EXPECT_EQ(count(check_tets(solid), Kind::non_manifold_edge), 1) << listed(check_tets(solid));
}

TEST(MeshCheck, NamesTJunctions) {
  // Two small triangles against one long edge.
  SurfaceMesh mesh;
  mesh.vertices.resize(3, 5);
  mesh.vertices << 0, 2, 1, 1, 1, 0, 0, 0, 1, -1, 0, 0, 0, 0, 0;
  mesh.triangles = {{0, 1, 3}, {2, 0, 4}, {1, 2, 4}};
  expect_named(check_surface(mesh), Kind::t_junction, 0, "vertex 2 at (1, 0, 0)");
}

TEST(MeshCheck, CallsFlippedTrianglesFlipped) {
  for (const std::vector<int>& flips : {std::vector<int>{6}, {17}, {0, 1}, {3, 40, 41, 99}}) {
    SurfaceMesh ball = surface_mesh(SphereShape{});
    for (const int t : flips) std::swap(ball.triangles[t][0], ball.triangles[t][1]);
    const std::vector<MeshDefect> defects = check_surface(ball);
    ASSERT_EQ(defects.size(), flips.size());
    for (std::size_t i = 0; i < flips.size(); ++i) {
      EXPECT_EQ(defects[i].kind, Kind::inconsistent_orientation);
      EXPECT_EQ(defects[i].element, flips[i]);
      EXPECT_NE(defects[i].message.find("triangle " + std::to_string(flips[i]) + " "), std::string::npos);
      EXPECT_NE(defects[i].message.find("is flipped"), std::string::npos) << defects[i].message;
    }
    for (const auto& require : {require_closed_surface, require_orientable}) {
      try {
        require(ball, "ball.obj");
        FAIL();
      } catch (const InputError& error) {
        const std::string message = error.what();
        EXPECT_NE(message.find("is flipped"), std::string::npos) << message;
        EXPECT_EQ(message.find("does not enclose"), std::string::npos) << message;
      }
    }
  }
}

TEST(MeshCheck, NamesTheEdgesWhereNoSideIsTheRightOne) {
  // Half of the triangles turned: neither half is the flipped one.
  SurfaceMesh box = surface_mesh(BoxShape{});
  for (std::size_t t = 0; t < 6; ++t) std::swap(box.triangles[t][0], box.triangles[t][1]);
  const std::vector<MeshDefect> defects = check_surface(box);
  ASSERT_FALSE(defects.empty());
  EXPECT_NE(defects.front().message.find("face opposite sides"), std::string::npos);
  // A Moebius strip has no sides.
  SurfaceMesh strip;
  constexpr int n = 8;
  strip.vertices.resize(3, 2 * n);
  for (int i = 0; i < n; ++i) {
    const double a = 2 * M_PI * i / n;
    const Vector3 out(std::cos(a), 0, std::sin(a));
    const Vector3 across = 0.3 * (std::cos(a / 2) * out + std::sin(a / 2) * Vector3::UnitY());
    strip.vertices.col(2 * i) = out + across;
    strip.vertices.col(2 * i + 1) = out - across;
    const int j = (i + 1) % n, twist = i + 1 == n ? 1 : 0;
    const int c = 2 * j + twist, d = 2 * j + 1 - twist;
    strip.triangles.push_back({2 * i, 2 * i + 1, c});
    strip.triangles.push_back({2 * i + 1, d, c});
  }
  EXPECT_GT(count(check_surface(strip), Kind::inconsistent_orientation), 0);
  EXPECT_NO_THROW(require_orientable(strip, "strip.obj"));  // open: a sheet may face any side
}

TEST(MeshCheck, NamesInsideOutSurfaces) {
  SurfaceMesh box = surface_mesh(BoxShape{});
  for (Triangle& t : box.triangles) std::swap(t[0], t[1]);
  expect_named(check_surface(box), Kind::inside_out, 0, "faces inward");
}

TEST(MeshCheck, RefusalsNamePlaceDefectsAndRemedy) {
  TetMesh solid = solid_mesh(BoxShape{{1, 1, 1}}, 0.25);
  for (int i = 0; i < 9; ++i) std::swap(solid.tetrahedra[i][0], solid.tetrahedra[i][1]);
  try {
    require_valid_solid(solid, "cube.msh");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("cube.msh"), HasSubstr("9 defects"), HasSubstr("tetrahedron 0"),
                                    HasSubstr("and 4 more"), HasSubstr("Remesh")));
  }
  try {
    require_closed_surface(surface_mesh(GridShape{}), "cloth.obj");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("cloth.obj"), HasSubstr("belongs to triangle"),
                                    HasSubstr("Close the holes")));
  }
  EXPECT_THROW(require_valid_solid(TetMesh{}, "nothing"), InputError);
  EXPECT_THROW(require_closed_surface(SurfaceMesh{}, "nothing"), InputError);
}

TEST(MeshCheck, TheListIsBounded) {
  EXPECT_EQ(check_surface(surface_mesh(GridShape{{1, 1}, {100, 100}})).size(), max_listed_defects);
}

}  // namespace
}  // namespace bulwark
