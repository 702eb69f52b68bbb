// Affine bodies are as good as rigid in every shipped scene that has some: at the default stiffness none is
// strained by 1e-4.
#include <scenes/scene_run.hpp>

#include <regex>

namespace bulwark {
namespace {

constexpr int most_steps = 100;

class SlowStiffRigidity : public testing::TestWithParam<std::string> {};

TEST_P(SlowStiffRigidity, NoBodyIsStrained) {
  SceneRun run(GetParam());
  if (run.world().stiff.empty()) GTEST_SKIP() << "no stiff body";
  run.check_every(most_steps);
  run.run(std::min(run.settings().time.steps, most_steps));
  EXPECT_LT(run.largest_rigidity_error(), 1e-4);
  RecordProperty("rigidity_error", std::to_string(1e9 * run.largest_rigidity_error()) + "e-9");
}

std::vector<std::string> scenes_with_stiff_bodies() {
  const std::filesystem::path scenes = std::filesystem::path(BULWARK_SOURCE_DIR) / "scenes";
  std::vector<std::string> files;
  for (const char* folder : {"affine", "multibody"}) {
    for (const auto& entry : std::filesystem::directory_iterator(scenes / folder)) {
      if (entry.path().extension() == ".json")
        files.push_back(std::filesystem::relative(entry.path(), scenes).string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  return std::regex_replace(info.param.substr(0, info.param.rfind('.')), std::regex("[^A-Za-z0-9]"), "_");
}

INSTANTIATE_TEST_SUITE_P(Scenes, SlowStiffRigidity, testing::ValuesIn(scenes_with_stiff_bodies()), test_name);

}  // namespace
}  // namespace bulwark
