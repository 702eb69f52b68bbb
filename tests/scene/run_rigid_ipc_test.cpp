// Every scene of rigid-ipc at hand, imported and run: each step converges, and the exact test finds no
// intersection in any of them.
#include <output/temporary_folder.hpp>
#include <scene/rigid_ipc_fixtures.hpp>
#include <scenes/scene_run.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

namespace bulwark {
namespace {

constexpr int most_steps = 100;

class SlowRigidIpc : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(SlowRigidIpc, StepsStayFreeOfIntersection) {
  if (GetParam().empty()) GTEST_SKIP() << "no rigid-ipc scenes at " << test::rigid_ipc_folder();
  const TemporaryFolder folder;
  test::import_fixture(GetParam(), folder / "scene.json");
  SceneRun scene(folder / "scene.json");
  ASSERT_TRUE(scene.expect_no_intersection());
  scene.run(std::min(scene.settings().time.steps, most_steps));
}

std::vector<std::filesystem::path> fixtures_or_none() {
  std::vector<std::filesystem::path> files = test::rigid_ipc_fixtures();
  if (files.empty()) files.emplace_back();
  return files;
}

/// "chain/3-links.json" as chain_3_links; names of tests are plain letters, digits and underscores.
std::string test_name(const testing::TestParamInfo<std::filesystem::path>& info) {
  if (info.param.empty()) return "none";
  std::string name = std::to_string(info.index) + "_" +
                     info.param.lexically_relative(test::rigid_ipc_folder() / "fixtures").string();
  name = name.substr(0, name.rfind('.'));
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0 || c > 127; }, '_');
  return name;
}

class SlowPlanarRigidIpc : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(SlowPlanarRigidIpc, StepsStayFreeOfIntersection) {
  if (GetParam().empty()) GTEST_SKIP() << "no rigid-ipc scenes at " << test::rigid_ipc_folder();
  const TemporaryFolder folder;
  test::import_fixture(GetParam(), folder / "scene.json");
  SceneRun scene(folder / "scene.json");
  ASSERT_TRUE(scene.expect_no_intersection());
  scene.run(std::min(scene.settings().time.steps, most_steps));
}

std::vector<std::filesystem::path> planar_fixtures_or_none() {
  std::vector<std::filesystem::path> files = test::rigid_ipc_fixtures("2D");
  if (files.empty()) files.emplace_back();
  return files;
}

INSTANTIATE_TEST_SUITE_P(Plane, SlowPlanarRigidIpc, testing::ValuesIn(planar_fixtures_or_none()), test_name);
INSTANTIATE_TEST_SUITE_P(Fixtures, SlowRigidIpc, testing::ValuesIn(fixtures_or_none()), test_name);

}  // namespace
}  // namespace bulwark
