#include <bulwark/base/error.hpp>
#include <bulwark/geometry/cell_jacobian.hpp>
#include <bulwark/geometry/curve_boundary.hpp>
#include <bulwark/geometry/hexahedral_box.hpp>
#include <bulwark/geometry/mesh_check.hpp>

#include <gtest/gtest.h>
#include <geometry/cell_volume.hpp>

#include <cmath>

namespace bulwark {
namespace {

SolidMesh curved(const Shape& shape, double resolution, int order) {
  SolidMesh mesh = raised(as_solid_mesh(solid_mesh(shape, resolution)), order);
  curve_boundary(mesh, shape);
  return mesh;
}

double relative_error(const Shape& shape, double resolution, int order, double exact) {
  return std::abs(solid_volume(curved(shape, resolution, order)) / exact - 1);
}

TEST(CurveBoundary, ACoarseBallHasNearlyItsVolume) {
  const double exact = 4 * M_PI / 3 * std::pow(0.7, 3);
  EXPECT_GT(relative_error(SphereShape{0.7}, 0.4, 1, exact), 0.05);
  EXPECT_LT(relative_error(SphereShape{0.7}, 0.4, 2, exact), 0.005);
  EXPECT_LT(relative_error(SphereShape{0.7}, 0.4, 3, exact), 0.001);
  EXPECT_LT(relative_error(SphereShape{0.7}, 0.4, 4, exact), 0.0001);
}

TEST(CurveBoundary, VolumesOfRoundShapesConverge) {
  struct Case {
    Shape shape;
    double resolution, exact;
  };
  const std::vector<Case> cases = {
      {CylinderShape{0.5, 1}, 0.25, M_PI / 4},
      {CapsuleShape{0.5, 2}, 0.25, M_PI / 4 + M_PI / 6},
      {ConeShape{0.5, 1}, 0.3, M_PI / 12},
      {TorusShape{1, 0.3}, 0.3, 2 * M_PI * M_PI * 0.09},
      {RingShape{1, 0.3, 0.5}, 0.3, 2 * M_PI * M_PI * 0.09 + M_PI * 0.09},
  };
  for (const Case& c : cases) {
    const double linear = relative_error(c.shape, c.resolution, 1, c.exact);
    const double quadratic = relative_error(c.shape, c.resolution, 2, c.exact);
    const double cubic = relative_error(c.shape, c.resolution, 3, c.exact);
    const double quartic = relative_error(c.shape, c.resolution, 4, c.exact);
    EXPECT_LT(quadratic, linear / 10) << shape_name(c.shape) << ": " << linear;
    EXPECT_LT(cubic, linear / 10) << shape_name(
        c.shape);  // volumes of even orders are better than their order
    EXPECT_LT(quartic, quadratic / 10) << shape_name(c.shape);
  }
}

TEST(CurveBoundary, AllCellsStayValidAndCornersStayInPlace) {
  const std::vector<Shape> shapes = {SphereShape{1},    CylinderShape{1, 1}, CapsuleShape{0.5, 2},
                                     ConeShape{0.5, 1}, TorusShape{1, 0.3},  RingShape{1, 0.3, 1}};
  for (const Shape& shape : shapes) {
    for (const double resolution : {0.0, 0.6}) {
      const TetMesh linear = solid_mesh(shape, resolution);
      for (int order = 2; order <= 4; ++order) {
        const SolidMesh mesh = curved(shape, resolution, order);
        EXPECT_NO_THROW(require_valid_solid(mesh, shape_name(shape)));
        EXPECT_EQ(mesh.vertices.leftCols(linear.vertices.cols()), linear.vertices);
      }
    }
  }
}

TEST(CurveBoundary, FlatShapesStayAsTheyAre) {
  const SolidMesh straight = raised(as_solid_mesh(solid_mesh(BoxShape{}, 0.5)), 2);
  EXPECT_EQ(curved(BoxShape{}, 0.5, 2).vertices, straight.vertices);
}

TEST(HexahedralBox, HasItsVolumeAndNodesOnALattice) {
  for (const int order : {1, 2}) {
    const SolidMesh box = hexahedral_box({1, 2, 3}, {2, 3, 4}, order);
    EXPECT_EQ(box.cell_count(), 24);
    EXPECT_EQ(box.vertices.cols(), (2 * order + 1) * (3 * order + 1) * (4 * order + 1));
    EXPECT_NEAR(solid_volume(box), 6, 1e-12);
    EXPECT_EQ(boundary_faces(box).size(), 2u * (6 + 8 + 12));
    EXPECT_NO_THROW(require_valid_solid(box, "box"));
    const SurfaceMesh surface = boundary_surface(box);
    EXPECT_EQ(surface.triangles.size(), 2u * 52 * order * order);
    EXPECT_NEAR(enclosed_volume(surface.vertices, surface.triangles), 6, 1e-12);
    EXPECT_LT(box.vertices.rowwise().mean().norm(), 1e-12);
  }
  EXPECT_THROW(hexahedral_box({1, 0, 1}, {1, 1, 1}, 1), InputError);
  EXPECT_THROW(hexahedral_box({1, 1, 1}, {1, 0, 1}, 1), InputError);
  EXPECT_THROW(hexahedral_box({1, 1, 1}, {1, 1, 1}, 3), InputError);
  EXPECT_THROW(hexahedral_box({1, 1, 1}, {2000000, 2000000, 2000000}, 1), InputError);
}

}  // namespace
}  // namespace bulwark
