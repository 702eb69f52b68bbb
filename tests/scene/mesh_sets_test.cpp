#include <gtest/gtest.h>
#include <scene/scene_text.hpp>

#include <bulwark/scene/load.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace bulwark {
namespace {

constexpr const char* block = R"(*NODE
10, 0, 0, 0
20, 1, 0, 0
30, 0, 1, 0
40, 0, 0, 1
50, 1, 1, 1
*ELEMENT, TYPE=C3D4, ELSET=all
1, 10, 20, 30, 40
2, 20, 30, 40, 50
*NSET, NSET=Clamped
10, 20, 30
*NSET, NSET=tip
50
)";

/// A scene of that block with the given keys, beside its mesh.
std::string scene_with(const std::string& keys, const std::string& mesh = "block.inp") {
  return R"({ "bulwark": 1, "time": { "steps": 1 },
    "materials": { "rubber": { "model": "neo-hookean", "density": 1000, "young": 1e6, "poisson": 0.4 } },
    "bodies": [ { "kind": "deformable", "mesh": ")" +
         mesh + R"(", "material": "rubber", )" + keys + " } ] }";
}

class MeshSets : public ::testing::Test {
 protected:
  MeshSets() {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "block.inp") << block;
  }
  ~MeshSets() override { std::filesystem::remove_all(folder_); }

  Scene load(const std::string& text) const {
    LoadOptions options;
    options.base_folder = folder_;
    return parse_scene(text, "test.json", options);
  }

  std::string error_of(const std::string& text) const {
    try {
      load(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  std::filesystem::path folder_ = std::filesystem::path(::testing::TempDir()) / "bulwark_mesh_sets_test";
};

int held_count(const World& world) {
  return static_cast<int>(std::count_if(world.held.begin(), world.held.end(),
                                        [](const HeldAxes& axes) { return axes != HeldAxes{}; }));
}

TEST_F(MeshSets, SelectWhatIsHeldAndLoaded) {
  EXPECT_EQ(held_count(load(scene_with(R"("fixed": { "set": "Clamped" })")).world), 3);
  const Scene loaded = load(scene_with(R"("fixed": [ { "selection": { "set": "all" } } ],
                                          "force": { "value": [0, 0, 1], "selection": { "set": "tip" } })"));
  EXPECT_EQ(held_count(loaded.world), 5);
}

TEST_F(MeshSets, UnknownNamesAreAnsweredByTheNearest) {
  test::expect_parts(
      error_of(scene_with(R"("fixed": { "set": "clampd" })")),
      {"/bodies/0/fixed/set", "the mesh file has no set 'clampd'", "did you mean \"Clamped\"?"});
  test::expect_parts(test::error_of(test::box_scene(R"(, "fixed": { "set": "left" })")),
                     {"/bodies/0/fixed/set", "has no set 'left'", "only solid meshes"});
}

}  // namespace
}  // namespace bulwark
