// What holds for every scene that is shipped, whoever wrote it.
#include <scenes/scene_run.hpp>

#include <fstream>

namespace bulwark {
namespace {

TEST(EveryShippedScene, SaysWhatItIsAndStartsFreeOfIntersections) {
  const std::filesystem::path scenes = std::filesystem::path(BULWARK_SOURCE_DIR) / "scenes";
  int count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(scenes)) {
    if (entry.path().extension() != ".json") continue;
    ++count;
    const std::string file = std::filesystem::relative(entry.path(), scenes).string();
    std::string first_line;
    std::getline(std::ifstream(entry.path()) >> std::ws, first_line);
    EXPECT_EQ(first_line.substr(0, 2), "//") << file << " has no header comment";
    try {
      SceneRun run(file);  // the Simulation's own start check is exact
      EXPECT_FALSE(run.settings().title.empty()) << file;
    } catch (const std::exception& error) {
      ADD_FAILURE() << file << ": " << error.what();
    }
  }
  EXPECT_GT(count, 20);
}

}  // namespace
}  // namespace bulwark
