// Faces of solids of higher order as they are drawn.
#include <bulwark/geometry/hexahedral_box.hpp>
#include <bulwark/output/viewing/curved_faces.hpp>
#include <bulwark/output/viewing/viewed_surface.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace bulwark {
namespace {

/// A box of quadratic hexahedra, bent by y += x^2.
Frame bent_box() {
  const SolidMesh mesh = hexahedral_box({1, 0.4, 0.4}, {2, 1, 1}, 2);
  Frame frame;
  frame.position = mesh.vertices;
  for (Eigen::Index i = 0; i < frame.position.cols(); ++i)
    frame.position(1, i) += std::pow(frame.position(0, i), 2);
  frame.point_body.assign(frame.position.cols(), 0);
  frame.triangles = boundary_triangles(mesh);
  for (int c = 0; c < mesh.cell_count(); ++c)
    frame.solids.push_back({mesh.shape, mesh.order, {mesh.cell(c).begin(), mesh.cell(c).end()}});
  frame.body_names = {"box"};
  frame.bodies = {{}};
  return frame;
}

TEST(CurvedFaces, FollowTheElementsBetweenTheNodes) {
  const Frame frame = bent_box();
  const ViewedSurface surface = viewed_surface(frame);
  EXPECT_EQ(surface.triangles.size(), 4 * frame.triangles.size());
  for (std::size_t v = 0; v < surface.vertex_count(); ++v) {
    const Vector3 x = surface.at_vertex(v, [&](int point) -> Vector3 { return frame.position.col(point); });
    const double y = x.y() - x.x() * x.x();  // of the straight box
    const double outside = std::max({std::abs(x.x()) - 0.5, std::abs(y) - 0.2, std::abs(x.z()) - 0.2});
    EXPECT_NEAR(outside, 0, 1e-12);
  }
}

TEST(CurvedFaces, NeighboursShareTheirVertices) {
  // A closed surface of triangles: V - E + F = 2, E = 3/2 F.
  const Frame frame = bent_box();
  const ViewedSurface surface = viewed_surface(frame);
  EXPECT_EQ(2 * surface.vertex_count(), surface.triangles.size() + 4);
}

TEST(CurvedFaces, AreLeftOutWhereTheSurfaceHasVerticesOfItsOwn) {
  Frame frame = bent_box();
  const auto points = static_cast<int>(frame.point_body.size());
  frame.point_body.push_back(0);
  frame.position.conservativeResize(3, points + 1);
  frame.position.col(points).setConstant(2);
  frame.triangles[0][0] = points;
  EXPECT_TRUE(curved_faces(frame).triangles.empty());
  EXPECT_EQ(viewed_surface(frame).triangles.size(), frame.triangles.size());
}

TEST(CurvedFaces, AreLeftOutWhereTheyAreToBeFlat) {
  const Frame frame = bent_box();
  EXPECT_EQ(viewed_surface(frame, true).triangles.size(), frame.triangles.size());
}

}  // namespace
}  // namespace bulwark
