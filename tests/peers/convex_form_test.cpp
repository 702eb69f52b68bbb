#include <bulwark/base/error.hpp>
#include <bulwark/geometry/pose.hpp>
#include <bulwark/geometry/shapes.hpp>
#include <convex_form.hpp>

#include <gtest/gtest.h>

#include <Eigen/Geometry>

namespace bulwark::app {
namespace {

SurfaceMesh placed(SurfaceMesh mesh, const Vector3& position) {
  const Matrix3 turn = Eigen::AngleAxisd(0.7, Vector3(1, 2, 3).normalized()).toRotationMatrix();
  mesh.vertices = (turn * mesh.vertices).colwise() + position;
  return mesh;
}

TEST(ConvexForm, FindsTheSidesOfATurnedBox) {
  const Vector3 center(3, -1, 2);
  const SurfaceMesh mesh = placed(surface_mesh(BoxShape{{1, 2, 4}}, 0.5), center);
  const ConvexForm form = convex_form(mesh, center, "box");
  ASSERT_EQ(form.kind, ConvexForm::Kind::box);
  Vector3 sides = form.half_sides;
  std::sort(sides.begin(), sides.end());
  EXPECT_LT((sides - Vector3(0.5, 1, 2)).norm(), 1e-12);
  EXPECT_NEAR(form.axes.determinant(), 1, 1e-12);
  EXPECT_NEAR(form.inner_radius, 0.5, 1e-12);
}

TEST(ConvexForm, TellsBallsFromOtherHulls) {
  const Vector3 center(1, 1, 1);
  EXPECT_EQ(convex_form(placed(surface_mesh(SphereShape{2}), center), center, "ball").kind,
            ConvexForm::Kind::ball);
  const SurfaceMesh tetrahedron = placed(surface_mesh(TetrahedronShape{1}), center);
  EXPECT_EQ(convex_form(tetrahedron, center, "tetrahedron").kind, ConvexForm::Kind::hull);
}

TEST(ConvexForm, RefusesWhatIsNotConvex) {
  EXPECT_THROW(convex_form(surface_mesh(RingShape{1, 0.2, 1}), Vector3::Zero(), "link"), InputError);
}

TEST(ConvexForm, ShrinksABoxByTheSameDepthOnAllSides) {
  const Vector3 center(3, -1, 2);
  const SurfaceMesh mesh = placed(surface_mesh(BoxShape{{1, 2, 4}}), center);
  const ConvexForm form = convex_form(mesh, center, "box");
  const Vectors local =
      form.axes.transpose() * (shrunk_vertices(form, mesh.vertices, 0.1).colwise() - center);
  const Vector3 reach = local.rowwise().maxCoeff();
  EXPECT_LT((form.half_sides - reach - Vector3::Constant(0.1)).norm(), 1e-12);
}

TEST(ConvexForm, ShrinksAHullByAtLeastTheDepth) {
  const SurfaceMesh mesh = surface_mesh(TetrahedronShape{1});
  const ConvexForm form = convex_form(mesh, Vector3(0.05, 0, 0), "tetrahedron");
  const Vectors inner = shrunk_vertices(form, mesh.vertices, 0.05);
  for (const Triangle& t : mesh.triangles) {
    const Vector3 a = mesh.vertices.col(t[0]), b = mesh.vertices.col(t[1]), c = mesh.vertices.col(t[2]);
    const Vector3 normal = (b - a).cross(c - a).normalized();
    EXPECT_LT((normal.transpose() * (inner.colwise() - a)).maxCoeff(), -0.05 + 1e-12);
  }
}

}  // namespace
}  // namespace bulwark::app
