#include <bulwark/output/writing/frame_writer.hpp>

#include <cli/program.hpp>

#include <cmath>

namespace bulwark {
namespace {

/// Two tetrahedra, the second `gap` above the tip of the first.
Frame two_tetrahedra(double gap) {
  Frame frame;
  frame.position.resize(3, 8);
  frame.position << 0, 1, 0, 0, 0, 1, 0, 0,            //
      0, 0, 0, 1, 1 + gap, 1 + gap, 1 + gap, 2 + gap,  //
      0, 0, 1, 0, 0, 0, 1, 0;
  frame.tetrahedra = {{0, 2, 1, 3}, {4, 6, 5, 7}};
  frame.point_body = {0, 0, 0, 0, 1, 1, 1, 1};
  frame.body_names = {"below", "above"};
  frame.bodies = {{}, {}};
  return frame;
}

TEST(Check, ACleanRunIsClean) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "run/frames");
  write_all(folder / "run/frames/frame_000000.vtu", frame_to_vtu(two_tetrahedra(0.1)));
  const auto [code, text] = bulwark_program(folder.path(), {"check", "run"});
  EXPECT_EQ(code, 0) << text;
  EXPECT_TRUE(contains(text, "1 frames checked")) << text;
}

TEST(Check, AnIntersectingFrameIsNamedWithItsBodies) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "run/frames");
  write_all(folder / "run/frames/frame_000000.vtu", frame_to_vtu(two_tetrahedra(0.1)));
  write_all(folder / "run/frames/frame_000007.vtu", frame_to_vtu(two_tetrahedra(-0.1)));
  const auto [code, text] = bulwark_program(folder.path(), {"check", "run"});
  EXPECT_EQ(code, 4) << text;
  EXPECT_TRUE(contains(text, "frame_000007.vtu")) << text;
  EXPECT_FALSE(contains(text, "frame_000000.vtu")) << text;
  EXPECT_TRUE(contains(text, "'below'") && contains(text, "'above'")) << text;
}

TEST(Check, ADamagedFrameIsBadInput) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "run/frames");
  const std::string good = frame_to_vtu(two_tetrahedra(0.1));
  write_all(folder / "run/frames/frame_000000.vtu", good.substr(0, good.size() / 2));
  const auto [code, text] = bulwark_program(folder.path(), {"check", "run"});
  EXPECT_EQ(code, 2) << text;
}

TEST(Check, APlaneWhoseNormalIsNotANumberIsBadInput) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "run/frames");
  Frame frame = two_tetrahedra(0.1);
  frame.planes = {{0, Vector3::UnitY(), 0}};
  frame.planes[0].normal[1] = std::nan("");
  write_all(folder / "run/frames/frame_000000.vtu", frame_to_vtu(frame));
  for (const std::vector<std::string>& command : {std::vector<std::string>{"check", "run"},
                                                  {"render", "run", "-o", "a.png"},
                                                  {"export", "run", "--format", "obj"}}) {
    const auto [code, text] = bulwark_program(folder.path(), command);
    EXPECT_EQ(code, 2) << text;
    EXPECT_TRUE(contains(text, "frame_000000.vtu")) << text;
  }
}

TEST(Render, MakesAPicture) {
  const TemporaryFolder folder;
  write_all(folder / "frame.vtu", frame_to_vtu(two_tetrahedra(0.1)));
  const auto [code, text] =
      bulwark_program(folder.path(), {"render", "frame.vtu", "-o", "a.png", "--size", "64x48"});
  EXPECT_EQ(code, 0) << text;
  EXPECT_TRUE(read_all(folder / "a.png").starts_with("\x89PNG"));
  EXPECT_EQ(bulwark_program(folder.path(), {"render", "frame.vtu", "-o", "a.png", "--size", "64"}).exit_code,
            2);
}

}  // namespace
}  // namespace bulwark
