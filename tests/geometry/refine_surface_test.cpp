#include <bulwark/geometry/mesh_check.hpp>
#include <bulwark/geometry/refine_surface.hpp>
#include <bulwark/geometry/shapes.hpp>

#include <gtest/gtest.h>

namespace bulwark {
namespace {

TEST(RefineSurface, ShortensEdgesAndKeepsTheShape) {
  for (const Shape& shape : std::vector<Shape>{BoxShape{{4, 0.2, 4}}, SphereShape{1}, ConeShape{0.1, 2}}) {
    const SurfaceMesh coarse = surface_mesh(shape);
    const SurfaceMesh fine = refine_surface(coarse, 0.15);
    EXPECT_NO_THROW(require_closed_surface(fine, shape_name(shape)));
    EXPECT_EQ(fine.vertices.leftCols(coarse.vertices.cols()), coarse.vertices);
    EXPECT_NEAR(enclosed_volume(fine.vertices, fine.triangles),
                enclosed_volume(coarse.vertices, coarse.triangles), 1e-12);
    for (const Edge& e : unique_edges(fine.triangles)) {
      EXPECT_LE((fine.vertices.col(e[0]) - fine.vertices.col(e[1])).norm(), 0.15);
    }
  }
}

TEST(RefineSurface, LeavesAFineSurfaceAlone) {
  const SurfaceMesh ball = surface_mesh(SphereShape{1}, 0.1);
  EXPECT_EQ(refine_surface(ball, 1).triangles, ball.triangles);
}

}  // namespace
}  // namespace bulwark
