// Keys with the names of the last version.
#include <bulwark/base/log.hpp>
#include <bulwark/scene/old_keys.hpp>
#include <scene/scene_text.hpp>

#include <gtest/gtest.h>

namespace bulwark {
namespace {

using namespace test;

std::string motor_scene(const std::string& motors) {
  return R"({ "bulwark": 1, "time": { "steps": 1 },
  "materials": { "steel": { "model": "affine", "density": 7800 } },
  "bodies": [ { "name": "a", "kind": "affine", "shape": { "box": [1, 1, 1] }, "material": "steel" } ],
  "joints": [
    { "name": "hinge", "kind": "hinge", "bodies": ["a", "world"], "point": [0, 0, 0], "axis": [0, 0, 1] },
)" + motors +
         "\n  ] }";
}

std::vector<std::string> warnings_of(const std::string& text, Scene& scene) {
  std::vector<std::string> warnings;
  const LogSink sink = [&](LogLevel, const std::string& message) { warnings.push_back(message); };
  const LogScope scope(sink);
  scene = parse(text);
  return warnings;
}

TEST(OldKeys, AreReadWithAWarningThatNamesTheNewOne) {
  Scene old, now;
  const std::string motor = R"({ "kind": "motor", "joint": "hinge", "torque": 1, "NAME": 7 })";
  const auto with = [&](std::string name) {
    std::string text = motor;
    return motor_scene(text.replace(text.find("NAME"), 4, name));
  };
  EXPECT_TRUE(warnings_of(with("max_force"), now).empty());
  const std::vector<std::string> warnings = warnings_of(with("largest"), old);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("test.json:6: /joints/1/largest"), std::string::npos) << warnings[0];
  EXPECT_NE(warnings[0].find("\"max_force\""), std::string::npos) << warnings[0];
  EXPECT_NE(warnings[0].find("validate --fix test.json"), std::string::npos) << warnings[0];
  EXPECT_EQ(old.resolved_json, now.resolved_json);
}

TEST(OldKeys, OfManyPlacesWarnOnce) {
  std::string motors;
  for (int k = 0; k < 12; ++k)
    motors += std::string(k == 0 ? "" : ",\n") + R"({ "name": "m)" + std::to_string(k) +
              R"(", "kind": "motor", "joint": "hinge", "torque": 1, "largest": 7 })";
  Scene scene;
  const std::vector<std::string> warnings = warnings_of(motor_scene(motors), scene);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("11 more places"), std::string::npos) << warnings[0];
}

TEST(OldKeys, BesideTheNewOneAreAnError) {
  const std::string error = error_of(
      motor_scene(R"({ "kind": "motor", "joint": "hinge", "torque": 1, "largest": 7, "max_force": 8 })"));
  EXPECT_NE(error.find("old name of \"max_force\""), std::string::npos) << error;
}

TEST(OldKeys, AreRewrittenWhereTheyStandAndNowhereElse) {
  const std::string text = motor_scene(R"(    // "largest": a comment
    { "name": "largest", "kind": "motor", "joint": "hinge",  "torque" : 1, /* the "largest" */ "largest" :7e0 },
    { "name": "\"largest\\", "kind": "motor", "joint": "hinge", "torque": 1,
      "l\u0061rgest"
      : 3 })");
  const FixedScene fixed = fix_old_keys(text, "a.json");
  ASSERT_EQ(fixed.renamed.size(), 2u);
  std::string expected = text;
  expected.replace(expected.find(R"("largest" :7e0)"), 9, R"("max_force")");
  expected.replace(expected.find(R"("l\u0061rgest")"), 14, R"("max_force")");
  EXPECT_EQ(fixed.text, expected);
  EXPECT_TRUE(fix_old_keys(fixed.text, "a.json").renamed.empty());
  EXPECT_EQ(fix_old_keys(fixed.text, "a.json").text, fixed.text);
}

TEST(OldKeys, OfAnotherObjectAreUnknown) {
  EXPECT_NE(error_of(box_scene(R"(, "largest": 1)")).find("unknown key \"largest\""), std::string::npos);
}

}  // namespace
}  // namespace bulwark
