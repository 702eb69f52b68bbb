#include <bulwark/output/viewing/viewed_surface.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace bulwark {
namespace {

/// A cube of cells, each of six tetrahedra around its diagonal.
Frame cube_frame(int cells) {
  Frame frame;
  const int side = cells + 1;
  frame.position.resize(3, side * side * side);
  for (int i = 0; i < frame.position.cols(); ++i)
    frame.position.col(i) = Vector3(i % side, i / side % side, i / side / side);
  const auto point = [&](int x, int y, int z) { return (z * side + y) * side + x; };
  static constexpr int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  for (int c = 0; c < cells * cells * cells; ++c) {
    const std::array<int, 3> low = {c % cells, c / cells % cells, c / cells / cells};
    for (const auto& order : orders) {
      Tetrahedron t;
      std::array<int, 3> at = low;
      t[0] = point(at[0], at[1], at[2]);
      for (int k = 0; k < 3; ++k) {
        ++at[order[k]];
        t[k + 1] = point(at[0], at[1], at[2]);
      }
      const bool even = &order < &orders[3];
      if (!even) std::swap(t[2], t[3]);
      frame.tetrahedra.push_back(t);
    }
  }
  frame.point_body.assign(frame.position.cols(), 0);
  frame.body_names = {"cube"};
  frame.bodies = {{}};
  return frame;
}

TEST(ViewedSurface, HasNothingOfTheInside) {
  const Frame frame = cube_frame(3);
  const ViewedSurface surface = viewed_surface(frame);
  EXPECT_EQ(surface.triangles.size(), 6u * 9 * 2);
  EXPECT_EQ(surface.moving_triangles, surface.triangles.size());
  EXPECT_EQ(surface.vertex_count(), 64u - 8u);  // all points but those inside
  for (const int point : surface.vertex_point) {
    const Vector3 x = frame.position.col(point);
    EXPECT_TRUE(x.minCoeff() == 0 || x.maxCoeff() == 3) << x.transpose();
  }
}

TEST(ViewedSurface, SharpEdgesSplitVerticesIntoCorners) {
  const ViewedSurface surface = viewed_surface(cube_frame(3));
  // Every side of the cube has its own 16 corners.
  EXPECT_EQ(surface.corner_vertex.size(), 6u * 16);
  std::vector<int> corners_of(surface.vertex_count(), 0);
  for (const int vertex : surface.corner_vertex) ++corners_of[vertex];
  EXPECT_EQ(std::count(corners_of.begin(), corners_of.end(), 3), 8);       // corners of the cube
  EXPECT_EQ(std::count(corners_of.begin(), corners_of.end(), 2), 12 * 2);  // along its edges
}

TEST(ViewedSurface, SmoothBendsShareCorners) {
  // A roof of two triangles, first flat enough to shade smoothly, then too steep.
  for (const auto& [height, corners] : {std::pair{0.2, 4u}, std::pair{1.0, 6u}}) {
    Frame frame;
    frame.position.resize(3, 4);
    frame.position << 0, 1, 1, 2,  //
        0, height, height, 0,      //
        0, 1, -1, 0;
    frame.triangles = {{0, 1, 2}, {1, 3, 2}};
    frame.point_body = {0, 0, 0, 0};
    frame.body_names = {"roof"};
    frame.bodies = {{}};
    EXPECT_EQ(viewed_surface(frame).corner_vertex.size(), corners) << height;
  }
}

TEST(ViewedSurface, ObstaclesComeLast) {
  Frame frame = cube_frame(1);
  frame.body_names.push_back("sheet");
  frame.bodies.push_back({true, true, true, -1});
  const int first = static_cast<int>(frame.position.cols());
  frame.position.conservativeResize(3, first + 5);
  for (int i = 0; i < 5; ++i) {
    frame.position.col(first + i) = Vector3(i, -1, i * i);
    frame.point_body.push_back(1);
  }
  frame.triangles = {{first, first + 1, first + 2}};
  frame.segments = {{first + 2, first + 3}};
  frame.vertices = {first + 3};
  frame.planes = {{first + 4, Vector3(0, 1, 0), 1}};
  const ViewedSurface surface = viewed_surface(frame);
  EXPECT_EQ(surface.moving_triangles, 12u);
  ASSERT_EQ(surface.triangles.size(), 13u);
  EXPECT_EQ(surface.vertex_body[surface.corner_vertex[surface.triangles[12][0]]], 1);
  ASSERT_EQ(surface.segments.size(), 1u);
  EXPECT_EQ(surface.vertex_point[surface.corner_vertex[surface.segments[0][1]]], first + 3);
  EXPECT_EQ(surface.dots, std::vector<int>{surface.segments[0][1]});
  ASSERT_EQ(surface.planes.size(), 1u);
  EXPECT_EQ(surface.vertex_point[surface.planes[0].point], first + 4);
}

TEST(ViewedSurface, PacksAsThePageReadsIt) {
  Frame frame = cube_frame(1);
  frame.planes = {{0, Vector3(0, 1, 0), 0}};
  const ViewedSurface surface = viewed_surface(frame);
  const std::string bytes = pack_surface(surface, 1);
  EXPECT_EQ(bytes.substr(0, 4), "BWS1");
  std::vector<std::uint32_t> numbers(bytes.size() / 4);
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  const std::vector<std::uint32_t> head(numbers.begin() + 1, numbers.begin() + 9);
  EXPECT_EQ(head, (std::vector<std::uint32_t>{1, 8, 24, 12, 12, 0, 0, 1}));
  ASSERT_EQ(numbers.size(), 9u + 8 + 8 + 24 + 3 * 12 + 5);
  for (std::size_t i = 0; i < 24; ++i)
    EXPECT_EQ(numbers[9 + 8 + 8 + i], std::uint32_t(surface.corner_vertex[i]));
  float up = 0;
  std::memcpy(&up, &numbers[numbers.size() - 2], 4);
  EXPECT_EQ(up, 1.0F);
}

}  // namespace
}  // namespace bulwark
