#include <bulwark/base/error.hpp>
#include <bulwark/scene/load.hpp>

#include <gtest/gtest.h>

namespace bulwark {
namespace {

Scene with_camera(const std::string& camera) {
  return parse_scene(R"({ "bulwark": 1, "time": { "steps": 1 }, "camera": )" + camera + R"(,
    "bodies": [{ "kind": "obstacle", "shape": { "plane": { "normal": [0, 1, 0] } } }] })",
                     "scene.json");
}

std::string problem_of(const std::string& camera) {
  try {
    with_camera(camera);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(SceneCamera, IsReadWithItsDefault) {
  const Scene scene = with_camera(R"({ "position": [4, 3, 6], "target": [0, 0.5, 0] })");
  ASSERT_TRUE(scene.settings.camera.has_value());
  EXPECT_EQ(scene.settings.camera->position, Vector3(4, 3, 6));
  EXPECT_EQ(scene.settings.camera->field_of_view_degrees, 40);
  EXPECT_NE(scene.resolved_json.find("field_of_view_degrees"), std::string::npos);
}

TEST(SceneCamera, ThatLooksNowhereIsAnswered) {
  EXPECT_NE(problem_of(R"({ "position": [1, 2, 3], "target": [1, 2, 3] })").find("/camera/target"),
            std::string::npos);
  EXPECT_NE(problem_of(R"({ "position": [1, 2, 3] })").find("target"), std::string::npos);
  EXPECT_NE(problem_of(R"({ "position": [1, 2, 3], "target": [0, 0, 0], "field_of_view_degrees": 180 })")
                .find("/camera/field_of_view_degrees"),
            std::string::npos);
}

}  // namespace
}  // namespace bulwark
