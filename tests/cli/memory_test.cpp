// The program with less memory than it wants: it says which file was too much, and ends.
#include <cli/program.hpp>

namespace bulwark {
namespace {

/// Runs `bulwark ARGUMENTS` with an address space of that many megabytes, for a minute at the longest.
ProgramResult with_memory(const TemporaryFolder& folder, int megabytes, const std::string& arguments) {
  const std::string command =
      "cd '" + folder.path().string() + "' && ulimit -v " + std::to_string(1024 * megabytes) +
      " && timeout -s KILL 60 " BULWARK_PROGRAM " " + arguments + " > output.txt 2>&1";
  const int status = std::system(command.c_str());
  return {WEXITSTATUS(status), read_all(folder / "output.txt")};
}

constexpr int killed = 137;  // by `timeout`

/// A grid of points and triangles, some 40 MB of text.
std::string large_obj() {
  constexpr int side = 900;
  std::string text;
  for (int i = 0; i < side; ++i) {
    for (int j = 0; j < side; ++j)
      text += "v " + std::to_string(0.001 * i) + " 0 " + std::to_string(0.001 * j) + "\n";
  }
  for (int i = 1; i < side; ++i) {
    for (int j = 1; j < side; ++j) {
      const int a = (i - 1) * side + j;
      text += "f " + std::to_string(a) + " " + std::to_string(a + 1) + " " + std::to_string(a + side) + "\n";
    }
  }
  return text;
}

TEST(Memory, AMeshThatIsTooLargeForItIsNamed) {
  const TemporaryFolder folder;
  write_all(folder / "large.obj", large_obj());
  write_all(folder / "scene.json", R"({"bulwark": 1, "time": {"steps": 1}, "bodies": [
    {"name": "sheet", "kind": "obstacle", "mesh": "large.obj"}]})");
  bool was_too_little = false;
  for (const int megabytes : {300, 400, 500, 700}) {
    const auto [code, text] = with_memory(folder, megabytes, "validate scene.json");
    if (code == 0) continue;
    ASSERT_NE(code, killed) << "hangs with " << megabytes << " MB:\n" << text;
    if (contains(text, "libraries")) continue;  // not enough to start at all
    EXPECT_EQ(code, 2) << megabytes << " MB: " << text;
    EXPECT_TRUE(contains(text, "not enough memory")) << text;
    EXPECT_TRUE(contains(text, "large.obj") || contains(text, "scene.json")) << text;
    was_too_little = true;
  }
  EXPECT_TRUE(was_too_little);
}

TEST(Memory, TheProgramEndsWhateverTheLimit) {
  const TemporaryFolder folder;
  write_all(folder / "scene.json", falling_box_scene());
  for (int megabytes = 60; megabytes <= 1500; megabytes = megabytes * 5 / 4) {
    for (const char* arguments : {"version", "run scene.json -o run --steps 2 --force"}) {
      const auto [code, text] = with_memory(folder, megabytes, arguments);
      EXPECT_NE(code, killed) << arguments << " hangs with " << megabytes << " MB:\n" << text;
    }
  }
}

}  // namespace
}  // namespace bulwark
