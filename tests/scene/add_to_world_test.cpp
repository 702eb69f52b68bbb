#include <bulwark/base/error.hpp>
#include <bulwark/scene/add_to_world.hpp>

#include <gtest/gtest.h>

namespace bulwark {
namespace {

Scene scene() {
  return parse_scene(R"({
    "bulwark": 1, "time": {"step": 0.01, "steps": 1},
    "materials": {"steel": {"model": "rigid", "density": 1000}},
    "bodies": [{"name": "box", "kind": "rigid", "shape": {"box": [1, 1, 1]}, "material": "steel"}]})",
                     "scene.json");
}

std::string error_of(const std::string& addition) {
  Scene base = scene();
  try {
    add_to_world(base.world, addition, "addition", base.resolved_json);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(AddToWorld, TakesMaterialsAndDefaultsFromTheScene) {
  Scene base = scene();
  const std::string resolved =
      add_to_world(base.world,
                   R"({"materials": {"lead": {"model": "rigid", "density": 11000}}, "bodies": [
          {"kind": "rigid", "shape": {"box": [1, 1, 1]}, "material": "steel", "position": [3, 0, 0]},
          {"name": "heavy", "kind": "rigid", "shape": {"box": [1, 1, 1]}, "material": "lead", "position": [6, 0, 0],
           "repeat": {"count": [2, 1, 1], "spacing": [2, 0, 0]}}]})",
                   "addition", base.resolved_json);
  ASSERT_EQ(base.world.bodies.size(), 4u);
  EXPECT_EQ(base.world.bodies[1].name, "rigid-1");
  EXPECT_EQ(base.world.bodies[3].name, "heavy[1,0,0]");
  EXPECT_NEAR(base.world.stiff[1].mass, 1000, 1e-9);
  EXPECT_NEAR(base.world.stiff[3].mass, 11000, 1e-9);
  // The resolved addition can be added to another world of the scene, and makes the same bodies.
  Scene other = scene();
  EXPECT_EQ(add_to_world(other.world, resolved, "again", other.resolved_json), resolved);
  EXPECT_EQ(other.world.rest, base.world.rest);
}

TEST(AddToWorld, AnswersBadAdditionsAsTheLoaderDoes) {
  const std::string body =
      R"("kind": "rigid", "shape": {"box": [1, 1, 1]}, "material": "steel", "position": [3, 0, 0])";
  EXPECT_EQ(error_of("{\"bodies\": [{" + body + "}]}"), "");
  EXPECT_NE(error_of("{\"bodies\": [{\"name\": \"box\", " + body + "}]}").find("has a body \"box\" already"),
            std::string::npos);
  EXPECT_NE(error_of("{\"bodies\": [{\"colour\": 1, " + body + "}]}").find("addition:1: /bodies/0/colour"),
            std::string::npos);
  EXPECT_NE(error_of(R"({"gravity": [0, 0, 0], "bodies": []})").find("can't be changed between steps"),
            std::string::npos);
  EXPECT_NE(error_of("[]").find("expected an object"), std::string::npos);
  EXPECT_NE(error_of("{").find("addition:1"), std::string::npos);
  EXPECT_NE(error_of(R"({"bodies": 3})").find("/bodies"), std::string::npos);
  EXPECT_NE(
      error_of("{\"materials\": {\"steel\": {}}, \"bodies\": [{" + body + "}]}").find("of this name already"),
      std::string::npos);
}

}  // namespace
}  // namespace bulwark
