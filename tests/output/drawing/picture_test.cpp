#include <bulwark/base/parallel.hpp>
#include <bulwark/output/drawing/picture.hpp>
#include <bulwark/output/drawing/picture_colors.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <output/temporary_folder.hpp>

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

TEST(Picture, ManyBodiesHaveDifferentColors) {
  for (int i = 0; i < body_color_count; ++i) {
    for (int j = 0; j < i; ++j) {
      const double apart = (body_color(i).pow(1 / 2.2) - body_color(j).pow(1 / 2.2)).matrix().norm();
      EXPECT_GT(apart, 0.03) << i << " and " << j;
    }
  }
  EXPECT_TRUE((body_color(body_color_count) == body_color(0)).all());
}

TEST(Picture, OfNothingIsTheBackground) {
  Frame frame;
  EXPECT_EQ(draw_frame(frame, fit_camera(moving_points(frame), 1), {8, 8}).rgb.size(), 192u);
}

std::uint8_t brightness(const Picture& picture, const Camera& camera, const Vector3& point) {
  const Vector3 seen = camera.see(point);
  const double focal = picture.height / (2 * camera.tangent);
  const int x = static_cast<int>(picture.width / 2.0 + focal * seen.x() / seen.z());
  const int y = static_cast<int>(picture.height / 2.0 - focal * seen.y() / seen.z());
  return picture.rgb[3 * (static_cast<std::size_t>(y) * picture.width + x) + 1];
}

TEST(Picture, AShadowIsDarkInItsMiddleAndFadesToItsRim) {
  // A plate above the ground, seen from above. The sun's disk makes its shadow's rim soft.
  Frame frame;
  frame.position.resize(3, 5);
  frame.position << -1, 1, 1, -1, 0,  //
      0.8, 0.8, 0.8, 0.8, 0,          //
      -1, -1, 1, 1, 0;
  frame.triangles = {{0, 2, 1}, {0, 3, 2}};
  frame.planes = {{4, Vector3::UnitY(), 1}};
  frame.point_body = {0, 0, 0, 0, 1};
  frame.body_names = {"plate", "ground"};
  frame.bodies = {{}, {true}};
  const Camera camera = look_at({0, 3, 9}, {0, 0, 0}, 60);
  const Picture picture = draw_frame(frame, camera, {400, 300});
  // The sun stands to the right: the shadow's left rim is on the ground left of the plate.
  const int lit = brightness(picture, camera, {-4, 0, 0});
  int darkest = 255, levels = 0, last = lit;
  for (double x = -2.6; x < -1; x += 0.02) {
    const int here = brightness(picture, camera, {x, 0, 0});
    darkest = std::min(darkest, here);
    levels += std::abs(here - last) > 1;
    last = here;
  }
  EXPECT_LT(darkest, lit - 50);
  EXPECT_GT(levels, 6) << "the rim of the shadow is hard";
}

TEST(Picture, AMovingWireIsDrawnInItsColour) {
  Frame frame;
  frame.position.resize(3, 2);
  frame.position << -1, 1, 0, 0, 0, 0;
  frame.segments = {{0, 1}};
  frame.point_body = {0, 0};
  frame.body_names = {"rod"};
  frame.bodies = {{}};
  const Picture picture = draw_frame(frame, look_at({0, 0, 4}, {0, 0, 0}, 40), {101, 101});
  const std::uint8_t* middle = picture.rgb.data() + 3 * (50 * 101 + 50);
  EXPECT_GT(middle[2], middle[0] + 30) << "the first body is blue";
  const std::uint8_t* above = picture.rgb.data() + 3 * (30 * 101 + 50);
  EXPECT_LT(above[2], above[0] + 60) << "the background is pale";
}

TEST(Picture, ColoursFollowAField) {
  Frame frame = small_frame();
  frame.velocity = Vectors::Zero(3, frame.position.cols());
  PictureStyle style{60, 60};
  style.field = ViewedField::speed;
  const Camera camera = fit_camera(moving_points(frame), 1);
  const Picture slow = draw_frame(frame, camera, style);
  frame.velocity.row(0).setConstant(1);
  const Picture fast = draw_frame(frame, camera, style);
  const std::size_t middle = 3 * (30 * 60 + 30);
  EXPECT_GT(slow.rgb[middle + 2], slow.rgb[middle]) << "slow is dark blue";
  EXPECT_GT(fast.rgb[middle], fast.rgb[middle + 2] + 50) << "fast is yellow";
}

TEST(Picture, IsTheSameOnAnyNumberOfThreads) {
  const Frame frame = small_frame();
  const Camera camera = fit_camera(moving_points(frame), 1);
  set_thread_count(1);
  const Picture one = draw_frame(frame, camera, {90, 90});
  set_thread_count(3);
  const Picture three = draw_frame(frame, camera, {90, 90});
  set_thread_count(0);
  EXPECT_EQ(one.rgb, three.rgb);
}

TEST(Camera, LooksAtItsTarget) {
  const Camera camera = look_at({3, 2, 1}, {0, 1, 0}, 40);
  const Vector3 seen = camera.see({0, 1, 0});
  EXPECT_NEAR(seen.x(), 0, 1e-12);
  EXPECT_NEAR(seen.y(), 0, 1e-12);
  EXPECT_GT(camera.see({0, 2, 0}).y(), 0);
  EXPECT_NEAR(look_at({0, 5, 0}, {0, 0, 0}, 40).right.norm(), 1, 1e-12) << "straight down";
}

TEST(Picture, IsAPng) {
  const Frame frame = small_frame();
  const std::string png = picture_to_png(draw_frame(frame, fit_camera(moving_points(frame), 1.5), {30, 20}));
  EXPECT_TRUE(png.starts_with("\x89PNG\r\n\x1a\n"));
  EXPECT_EQ(png.substr(png.size() - 8), std::string("IEND\xae\x42\x60\x82"));
}

TEST(Picture, APngHoldsEveryPixel) {
  if (std::system("/usr/bin/python3 -c 'import zlib' 2>/dev/null") != 0) GTEST_SKIP() << "no python3";
  Picture picture{7, 5, {}};
  for (int i = 0; i < 3 * 7 * 5; ++i) picture.rgb.push_back(static_cast<std::uint8_t>(i * i * 37 + i / 9));
  const TemporaryFolder folder;
  write_all(folder / "a.png", picture_to_png(picture));
  write_all(folder / "a.rgb", std::string(picture.rgb.begin(), picture.rgb.end()));
  // A reader of its own: the filters as the standard has them.
  write_all(folder / "read.py", R"(
import struct, zlib
data, at, idat = open('a.png', 'rb').read(), 8, b''
while at < len(data):
    size, kind = struct.unpack_from('>I4s', data, at)
    body = data[at + 8:at + 8 + size]
    assert struct.unpack_from('>I', data, at + 8 + size)[0] == zlib.crc32(kind + body)
    if kind == b'IHDR': width, height = struct.unpack_from('>II', body)
    if kind == b'IDAT': idat += body
    at += 12 + size
raw, rows, above = zlib.decompress(idat), b'', bytes(3 * width)
for y in range(height):
    line = raw[y * (3 * width + 1):(y + 1) * (3 * width + 1)]
    row = bytearray()
    for i, byte in enumerate(line[1:]):
        a, b, c = (row[i - 3] if i >= 3 else 0), above[i], (above[i - 3] if i >= 3 else 0)
        p = a + b - c
        paeth = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
        row.append((byte + [0, a, b, (a + b) // 2, paeth][line[0]]) % 256)
    rows, above = rows + row, row
assert (width, height) == (7, 5) and rows == open('a.rgb', 'rb').read()
)");
  EXPECT_EQ(std::system(("cd '" + folder.path().string() + "' && /usr/bin/python3 read.py").c_str()), 0);
}

}  // namespace
}  // namespace bulwark
