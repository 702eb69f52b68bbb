#include <bulwark/output/picture.hpp>

#include <gtest/gtest.h>

namespace bulwark {
namespace {

/// One tetrahedron on a plane, with a triangle, a segment and a point of an obstacle beside it.
Frame small_frame() {
  Frame frame;
  frame.position.resize(3, 11);
  frame.position << 0, 1, 0, 0, 0, 3, 4, 3, 3, 4, -1,  //
      0.1, 0.1, 0.1, 1, 0, 0.5, 0.5, 0.5, 1, 1, 1,     //
      0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0;
  frame.tetrahedra = {{0, 2, 1, 3}};
  frame.planes = {{4, Vector3::UnitY(), 1}};
  frame.triangles = {{5, 6, 7}};
  frame.segments = {{8, 9}};
  frame.vertices = {10};
  frame.point_body = {0, 0, 0, 0, 1, 2, 2, 2, 2, 2, 2};
  frame.body_names = {"tetrahedron", "ground", "things"};
  frame.bodies = {{}, {true}, {true}};
  return frame;
}

TEST(Picture, ShowsTheMovingBodyInTheMiddle) {
  const Frame frame = small_frame();
  const Picture picture = draw_frame(frame, fit_camera(moving_points(frame), 1), {60, 60});
  const std::uint8_t* middle = picture.rgb.data() + 3 * (30 * 60 + 30);
  const std::uint8_t* corner = picture.rgb.data();
  EXPECT_GT(middle[2], middle[0] + 30) << "the first body is blue";
  EXPECT_LT(corner[2], corner[0] + 60) << "the background is pale";
}

TEST(Picture, TheCameraSeesEveryPoint) {
  const Vectors points = Vectors::Random(3, 50);
  for (const double aspect : {0.5, 1.0, 2.0}) {
    const Camera camera = fit_camera(points, aspect);
    for (Eigen::Index i = 0; i < points.cols(); ++i) {
      const Vector3 seen = camera.see(points.col(i));
      EXPECT_GT(seen.z(), 0);
      EXPECT_LT(std::abs(seen.x()), seen.z() * camera.tangent * aspect);
      EXPECT_LT(std::abs(seen.y()), seen.z() * camera.tangent);
    }
  }
}

TEST(Picture, OfNothingIsTheBackground) {
  Frame frame;
  EXPECT_EQ(draw_frame(frame, fit_camera(moving_points(frame), 1), {8, 8}).rgb.size(), 192u);
}

TEST(Picture, IsAPng) {
  const Frame frame = small_frame();
  const std::string png = picture_to_png(draw_frame(frame, fit_camera(moving_points(frame), 1.5), {30, 20}));
  EXPECT_TRUE(png.starts_with("\x89PNG\r\n\x1a\n"));
  EXPECT_EQ(png.substr(png.size() - 8), std::string("IEND\xae\x42\x60\x82"));
}

}  // namespace
}  // namespace bulwark
