#include <bulwark/base/error.hpp>
#include <bulwark/geometry/mesh_check.hpp>
#include <bulwark/geometry/mesh_file.hpp>
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/geometry/tetrahedralize.hpp>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace bulwark {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

bool tetgen_is_installed() {
  const char* path = std::getenv("PATH");
  std::string rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (std::filesystem::exists(rest.substr(0, end) + "/tetgen")) return true;
    rest.erase(0, end + 1);
  }
  return false;
}

class Tetrahedralize : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!tetgen_is_installed()) GTEST_SKIP() << "tetgen is not installed (apt-get install tetgen)";
  }
};

std::string message_of(const SurfaceMesh& surface, double resolution = 0) {
  try {
    fill_with_tetrahedra(surface, resolution, "part.obj");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

SurfaceMesh joined(const SurfaceMesh& a, const SurfaceMesh& b) {
  SurfaceMesh both = a;
  both.vertices.conservativeResize(3, a.vertices.cols() + b.vertices.cols());
  both.vertices.rightCols(b.vertices.cols()) = b.vertices;
  for (Triangle t : b.triangles) {
    for (int& v : t) v += int(a.vertices.cols());
    both.triangles.push_back(t);
  }
  return both;
}

double volume_of(const TetMesh& mesh) {
  double volume = 0;
  for (const Tetrahedron& t : mesh.tetrahedra) {
    volume += tetrahedron_volume(mesh.vertices.col(t[0]), mesh.vertices.col(t[1]), mesh.vertices.col(t[2]),
                                 mesh.vertices.col(t[3]));
  }
  return volume;
}

TEST_F(Tetrahedralize, KeepsTheSurfaceAndFillsItWhole) {
  for (double size : {1.0, 1e-4, 1e3}) {
    for (const Shape& shape : std::vector<Shape>{BoxShape{{size, size, size}}, SphereShape{size},
                                                 TorusShape{size, size / 4}, ConeShape{size, size}}) {
      const SurfaceMesh surface = surface_mesh(shape);
      for (double resolution : {0.0, 0.3 * size}) {
        const TetMesh solid = fill_with_tetrahedra(surface, resolution, "part.obj");
        EXPECT_NO_THROW(require_valid_solid(solid, shape_name(shape)));
        EXPECT_EQ(solid.vertices.leftCols(surface.vertices.cols()), surface.vertices);
        const double volume = enclosed_volume(surface.vertices, surface.triangles);
        EXPECT_NEAR(volume_of(solid), volume, 1e-9 * volume);
      }
    }
  }
}

TEST_F(Tetrahedralize, AFinerResolutionGivesMoreTetrahedra) {
  const SurfaceMesh box = surface_mesh(BoxShape{{1, 1, 1}});
  const std::size_t coarse = fill_with_tetrahedra(box, 0.3, "box").tetrahedra.size();
  const std::size_t fine = fill_with_tetrahedra(box, 0.1, "box").tetrahedra.size();
  EXPECT_GT(fine, 10 * coarse);
  EXPECT_GT(fine, 4000u);
}

TEST_F(Tetrahedralize, InnerSurfacesAreCavitiesAndSeparatePartsAreFilled) {
  SurfaceMesh inner = surface_mesh(SphereShape{0.2});
  const double hole = enclosed_volume(inner.vertices, inner.triangles);
  for (Triangle& t : inner.triangles) std::swap(t[0], t[1]);
  const SurfaceMesh box = surface_mesh(BoxShape{{1, 1, 1}});
  EXPECT_NEAR(volume_of(fill_with_tetrahedra(joined(box, inner), 0, "hollow")), 1 - hole, 1e-9);
  SurfaceMesh second = box;
  second.vertices.row(0).array() += 3;
  EXPECT_NEAR(volume_of(fill_with_tetrahedra(joined(box, second), 0, "two")), 2, 1e-9);
}

TEST_F(Tetrahedralize, SurfacesThatAreOpenOrCrossThemselvesAreRefused) {
  SurfaceMesh box = surface_mesh(BoxShape{{1, 1, 1}});
  SurfaceMesh shifted = box;
  shifted.vertices.colwise() += Vector3(0.3, 0.2, 0.1);
  EXPECT_THAT(message_of(joined(box, shifted)),
              AllOf(HasSubstr("part.obj"), HasSubstr("crosses or touches itself")));
  box.triangles.pop_back();
  EXPECT_THAT(message_of(box),
              AllOf(HasSubstr("part.obj"), HasSubstr("belongs to triangle"), HasSubstr("Close the holes")));
  EXPECT_THAT(message_of(surface_mesh(BoxShape{}), 1e-5), HasSubstr("larger edge length"));
  EXPECT_THAT(message_of(surface_mesh(BoxShape{}), -1), HasSubstr("resolution is -1"));
}

TEST_F(Tetrahedralize, AMissingTetgenIsNamedWithItsPackage) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nonexistent", 1);
  const std::string message = message_of(surface_mesh(BoxShape{}));
  setenv("PATH", path.c_str(), 1);
  EXPECT_THAT(message, AllOf(HasSubstr("part.obj"), HasSubstr("apt-get install tetgen")));
}

TEST_F(Tetrahedralize, FillsMeshesOfTheRigidIpcScenes) {
  const std::filesystem::path folder = BULWARK_SOURCE_DIR "/../shared/data/rigid-ipc/meshes";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no meshes at " << folder;
  int filled = 0;
  for (const char* name : {"cube.obj", "sphere.obj", "torus.obj", "spot.obj"}) {
    if (!std::filesystem::exists(folder / name)) continue;
    EXPECT_NO_THROW(fill_with_tetrahedra(read_surface_mesh(folder / name), 0, name)) << name;
    ++filled;
  }
  if (filled == 0) GTEST_SKIP() << "none of the wanted meshes at " << folder;
}

}  // namespace
}  // namespace bulwark
