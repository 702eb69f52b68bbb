// Each way in which a scene can be wrong, and the message that its author reads.
#include <output/temporary_folder.hpp>
#include <scene/scene_text.hpp>

#include <gtest/gtest.h>

namespace bulwark {
namespace {

using test::box_scene;
using test::error_of;
using test::expect_parts;
using test::obstacle_scene;

TEST(BadScene, MisspeltKeysAreAnsweredWithTheNearestOne) {
  expect_parts(error_of(box_scene(",\n    \"velocty\": [0, 0, 0]")),
               {"test.json:7: /bodies/0/velocty: unknown key \"velocty\"", "did you mean \"velocity\"?"});
  expect_parts(error_of(box_scene("", ",\n  \"contcat\": {}")),
               {"test.json:7: /contcat: unknown key", "\"contact\""});
  expect_parts(error_of(box_scene("", ", \"contact\": { \"frction\": 1 }")),
               {"/contact/frction: ", "\"friction\""});
}

TEST(BadScene, KeysOfOtherKindsAndOfLaterVersionsAreUnknown) {
  expect_parts(error_of(obstacle_scene(R"("shape": { "sphere": 1 }, "material": "rubber")")),
               {"/bodies/0/material: unknown key"});
  expect_parts(error_of(box_scene("", R"(, "hinges": [])")), {"/hinges: unknown key"});
  expect_parts(error_of(box_scene(R"(, "torque": [0, 0, 1])")), {"/bodies/0/torque: unknown key"});
  expect_parts(error_of(box_scene(R"(, "order": 5)")), {"/bodies/0/order: expected 1, 2, 3 or 4, got 5"});
  expect_parts(
      error_of(box_scene(), {"/bodies/0/kind=\"particle\""}),
      {"/bodies/0/kind (changed by --set): expected \"deformable\" or \"affine\" or \"rigid\" or "
       "\"shell\" or \"rod\" or \"particles\" or \"ancf-beam\" or \"ancf-shell\" or \"obstacle\", got "
       "\"particle\""});
  expect_parts(error_of(box_scene(), {"/time/integrator=\"bdf3\""}),
               {"/time/integrator", "did you mean \"bdf2\"?"});
  expect_parts(error_of(box_scene("", R"(, "solver": { "device": "cuda" })")),
               {"/solver/device: expected \"cpu\", got \"cuda\""});
  expect_parts(error_of(box_scene(), {"/bulwark=2"}), {"/bulwark (changed by --set): expected 1, got 2"});
}

TEST(BadScene, AllErrorsAreReportedTogether) {
  expect_parts(
      error_of(box_scene(R"(, "position": [0, 0], "friction": -1)",
                         R"(, "gravity": "down", "output": { "every": 0 })")),
      {"/bodies/0/position: expected 3 numbers, got a list of 2",
       "/bodies/0/friction: expected a number >= 0, got -1", "/gravity: expected 3 numbers, got \"down\"",
       "/output/every: expected an integer >= 1 and <= 1000000000, got 0"});
  const std::string twice =
      R"({ "kind": "obstacle", "shape": { "line": { "from": [0,0,0], "to": [0,0,0] } } })";
  expect_parts(
      error_of(R"({ "bulwark": 1, "time": { "steps": 1 }, "bodies": [)" + twice + "," + twice + "] }"),
      {"/bodies/0/shape: line", "/bodies/1/shape: line"});
}

TEST(BadScene, MissingKeysAreExplained) {
  expect_parts(error_of("{}"),
               {"test.json:1: /: missing key \"bulwark\"", "missing key \"time\"", "missing key \"bodies\""});
  expect_parts(error_of(box_scene(), {"/bodies/0/material=null"}),
               {"/bodies/0: missing key \"material\"", "add \"material\": "});
  expect_parts(error_of(box_scene(), {"/bodies/0/shape=null"}),
               {"/bodies/0: missing key", "add one of: \"shape\", \"mesh\""});
  expect_parts(error_of(box_scene(), {"/bodies/0/shape={}"}),
               {"/bodies/0/shape", "add one of: \"box\", \"sphere\""});
  expect_parts(error_of(box_scene(), {"/materials/rubber/young=null"}),
               {"/materials/rubber: missing key \"young\"", "a number > 0"});
  expect_parts(error_of(box_scene(), {"/bodies=[]"}),
               {"/bodies (changed by --set): expected at least 1 item, got a list of 0"});
  expect_parts(error_of("[]"), {"expected a bulwark scene, version 1 object, got a list of 0"});
}

TEST(BadScene, TimeMustBeGivenOnceAndPositive) {
  expect_parts(error_of(box_scene(), {"/time/step=0"}), {"/time/step", "expected a number > 0, got 0"});
  expect_parts(error_of(box_scene(), {"/time/duration=1"}),
               {"/time: \"duration\" and \"steps\" are both given"});
  expect_parts(error_of(box_scene(), {"/time={}"}), {"/time", "add one of: \"duration\", \"steps\""});
  expect_parts(error_of(box_scene(), {"/time={\"duration\": 1e9, \"step\": 1e-9}"}),
               {"/time/duration", "more than 1e9 steps"});
  expect_parts(error_of(box_scene(), {"/time/ramp=1"}), {"/time/ramp", "in statics alone"});
}

TEST(BadScene, MaterialsMustBePhysical) {
  for (const char* poisson : {"0.5", "-1", "0.7"}) {
    expect_parts(error_of(box_scene(), {std::string("/materials/rubber/poisson=") + poisson}),
                 {"/materials/rubber/poisson", "expected a number > -1 and < 0.5"});
  }
  expect_parts(error_of(box_scene(), {"/materials/rubber/density=0"}),
               {"/materials/rubber/density", "expected a number > 0, got 0"});
  expect_parts(error_of(box_scene(), {"/materials/rubber/young=1e200"}), {"too large"});
  expect_parts(error_of(box_scene(), {"/materials/rubber/model=neo-hokean"}),
               {"did you mean \"neo-hookean\"?"});
  expect_parts(error_of(box_scene(), {"/bodies/0/material=ruber"}),
               {"/bodies/0/material", "there is no material \"ruber\"", "did you mean \"rubber\"?"});
  expect_parts(error_of(box_scene(), {"/bodies/0/material={\"model\": \"svk\"}"}),
               {"/bodies/0/material", "missing key \"density\""});
}

TEST(BadScene, NamesMustBeUniqueAndPlain) {
  const std::string two = R"({ "bulwark": 1, "time": { "steps": 1 }, "bodies": [
    { "name": "a", "kind": "obstacle", "shape": { "sphere": 1 } },
    { "name": "NAME", "kind": "obstacle", "shape": { "sphere": 1 } } ] })";
  const auto named = [&](const std::string& name) { return error_of(two, {"/bodies/1/name=" + name}); };
  expect_parts(named("a"), {"/bodies/1/name", "the name \"a\" is taken by /bodies/0"});
  expect_parts(named("world"), {"\"world\" stands for the world"});
  expect_parts(named("a[0]"), {"a name can't contain quotes, brackets or control characters"});
  expect_parts(named("\"\""), {"the string is empty"});
  expect_parts(error_of(box_scene(
                   "", R"(, "contact": { "pairs": [{ "between": ["blok", "block"], "friction": 1 }] })")),
               {"/contact/pairs/0/between/0: there is no body \"blok\"", "did you mean \"block\"?"});
}

TEST(BadScene, ContactModelsAreKnownOnes) {
  const auto with = [](const std::string& contact) {
    return error_of(box_scene("", R"(, "contact": )" + contact));
  };
  expect_parts(with(R"({ "model": "bariers" })"), {"/contact/model: expected", "did you mean \"barrier\"?"});
  expect_parts(with(R"({ "pairs": [{ "between": ["block", "block"], "model": "soft" }] })"),
               {"/contact/pairs/0/model: expected"});
  expect_parts(with(R"({ "pairs": [{ "between": ["block", "block"], "model": "none", "friction": 1 }] })"),
               {"/contact/pairs/0", "are both given"});
}

TEST(BadScene, PatchPenaltyHasOneStiffnessAndKnownBodies) {
  const auto with = [](const std::string& contact) {
    return error_of(box_scene("", R"(, "contact": { "model": "patch-penalty", )" + contact + "}"));
  };
  expect_parts(with(R"("patch_penalty": { "young": 1e7, "stiffness": 1e7 })"),
               {"/contact/patch_penalty: it has more than one stiffness", "`area_stiffness`"});
  expect_parts(with(R"("patch_penalty": { "young": 1e7, "restitution": 1.5 })"),
               {"/contact/patch_penalty/restitution"});
  expect_parts(with(R"("patch_penalty": { "young": 1e7, "poison": 0.3 })"), {"did you mean \"poisson\"?"});
  expect_parts(with(R"("pairs": [{ "between": ["block", "block"], "model": "none", "patch_penalty": {} }])"),
               {"/contact/pairs/0"});
  expect_parts(
      error_of(
          R"({ "bulwark": 1, "time": { "steps": 1 }, "materials": { "m": { "model": "rigid", "density": 1 } },
    "bodies": [ { "name": "ball", "kind": "rigid", "shape": { "sphere": 1 }, "material": "m", "position": [0, 2, 0] },
      { "name": "floor", "kind": "obstacle", "shape": { "plane": {} } } ],
    "contact": { "pairs": [ { "between": ["ball", "floor"], "model": "patch-penalty" } ] } })"),
      {"/contact/pairs/0/model", "\"ball\" can't touch by \"patch-penalty\"", "radius"});
}

TEST(BadScene, ShapesMustMakeSense) {
  expect_parts(error_of(obstacle_scene(R"("shape": { "sphere": 1, "box": [1, 1, 1] })")),
               {"/bodies/0/shape: \"box\" and \"sphere\" are both given"});
  expect_parts(error_of(obstacle_scene(R"("shape": { "spere": 1 })")),
               {"/bodies/0/shape/spere: ", "did you mean \"sphere\"?"});
  expect_parts(error_of(obstacle_scene(R"("shape": { "sphere": -1 })")),
               {"/bodies/0/shape/sphere: expected a number > 0, got -1"});
  expect_parts(error_of(obstacle_scene(R"("shape": { "cone": { "radius": 1 } })")),
               {"/bodies/0/shape/cone: missing key \"height\""});
  expect_parts(error_of(obstacle_scene(R"("shape": { "torus": { "major": 1, "minor": 2 } })")),
               {"/bodies/0/shape: torus: minor 2"});
  expect_parts(error_of(obstacle_scene(R"("shape": { "plane": { "normal": [0, 0, 0] } })")),
               {"/bodies/0/shape/plane/normal: a direction can't have zero length"});
  expect_parts(
      error_of(obstacle_scene(R"("shape": { "plane": {} }, "motion": { "angular_degrees": [1, 0, 0] })")),
      {"/bodies/0/motion: an infinite plane can move but not turn"});
  for (const char* flat :
       {R"({"grid": {"size": [1, 1], "cells": [2, 2]}})", R"({"plane": {}})", R"({"points": [[0, 0, 0]]})",
        R"({"line": {"from": [0, 0, 0], "to": [1, 0, 0]}})"}) {
    expect_parts(error_of(box_scene(), {std::string("/bodies/0/shape=") + flat}),
                 {"/bodies/0/shape", "no inside"});
  }
}

TEST(BadScene, WhatWouldNotFitIntoMemoryIsRefused) {
  expect_parts(error_of(box_scene(), {"/bodies/0/shape/resolution=1e-5"}),
               {"/bodies/0/shape", "vertices", "larger `resolution`"});
  expect_parts(
      error_of(obstacle_scene(R"("shape": { "grid": { "size": [1, 1], "cells": [100000, 100000] } })")),
      {"vertices"});
  expect_parts(error_of(box_scene(R"(, "repeat": { "count": [1000, 1000, 1000], "spacing": [2, 2, 2] })")),
               {"/bodies/0: the scene has more than 100000 bodies", "lower the counts of `repeat`"});
  expect_parts(error_of(box_scene(R"(, "repeat": { "count": [100, 100, 10], "spacing": [2, 2, 2] })"),
                        {"/bodies/0/shape/resolution=0.1"}),
               {"in 100000 copies"});
}

TEST(BadScene, PosesMustBePossible) {
  expect_parts(error_of(box_scene(R"(, "rotation": { "axis": [0, 0, 0], "degrees": 9 })")),
               {"/bodies/0/rotation/axis: a direction can't have zero length"});
  expect_parts(error_of(box_scene(R"(, "rotation": { "quaternion": [0, 0, 0, 0] })")),
               {"/bodies/0/rotation/quaternion: "});
  expect_parts(error_of(box_scene(R"(, "rotation": { "axis": [0, 0, 1] })")),
               {"/bodies/0/rotation: missing key \"degrees\""});
  expect_parts(error_of(box_scene(R"(, "rotation": { "degrees": 1, "quaternion": [1, 0, 0, 0] })")),
               {"/bodies/0/rotation/degrees: \"degrees\" needs \"axis\""});
  expect_parts(error_of(box_scene(R"(, "rotation": [0, 0, 1])")),
               {"/bodies/0/rotation: expected a rotation object, got a list of 3"});
  expect_parts(error_of(box_scene(R"(, "scale": 0)")), {"/bodies/0/scale: expected a number > 0, got 0"});
  expect_parts(error_of(box_scene(R"(, "scale": [1, -1, 1])")),
               {"/bodies/0/scale/1: expected a number > 0, got -1"});
}

TEST(BadScene, SelectionsMustSelectSomething) {
  expect_parts(error_of(box_scene(R"(, "fixed": { "box": [[5, 5, 5], [6, 6, 6]] })")),
               {"/bodies/0/fixed: the selection has no point of body \"block\"",
                "the body reaches from [-0.5, -1, -1.5] to [0.5, 1, 1.5]"});
  expect_parts(error_of(box_scene(R"(, "fixed": { "box": [[1, 1, 1], [0, 0, 0]] })")),
               {"/bodies/0/fixed/box: the first corner"});
  expect_parts(error_of(box_scene(R"(, "fixed": { "nodes": [24] })")),
               {"/bodies/0/fixed: there is no node 24", "from 0 to 23"});
  expect_parts(error_of(box_scene(R"(, "fixed": { "sphere": [[0, 0, 0], 0] })")),
               {"/bodies/0/fixed/sphere/1: expected a number > 0"});
  expect_parts(error_of(box_scene(R"(, "fixed": { "plane": [[0, 0, 0], [0, 0, 0]] })")),
               {"/bodies/0/fixed/plane/1: "});
  expect_parts(error_of(box_scene(R"(, "fixed": [{ "selection": { "sphere": [[9, 9, 9], 1] } }])")),
               {"/bodies/0/fixed/0: "});
  expect_parts(
      error_of(box_scene(R"(, "force": { "value": [1, 0, 0], "selection": { "sphere": [[9, 9, 9], 1] } })")),
      {"/bodies/0/force: the selection has no point"});
  expect_parts(
      error_of(box_scene(R"(, "traction": [{ "value": [1, 0, 0], "selection": { "nodes": [0] } }])")),
      {"/bodies/0/traction/0: the selection has no surface triangle"});
}

TEST(BadScene, MotionsMustBeScriptsOfHeldParts) {
  expect_parts(error_of(box_scene(R"(, "motion": { "linear": [1, 0, 0] })")),
               {"/bodies/0/motion: \"motion\" needs \"fixed\""});
  expect_parts(error_of(box_scene(R"(, "fixed": false, "motion": { "linear": [1, 0, 0] })")),
               {"/bodies/0/motion: only what is held"});
  expect_parts(error_of(box_scene(R"(, "fixed": [{ "selection": { "nodes": [0] } }], "motion": {})")),
               {"/bodies/0/motion: ", "put the motion into the parts"});
  expect_parts(error_of(box_scene(R"(, "fixed": true, "motion": [{ "time": 1 }, { "time": 1 }])")),
               {"/bodies/0/motion/1/time: the times of keyframes must ascend"});
  expect_parts(error_of(box_scene(R"(, "fixed": true, "motion": [{ "time": 0, "position": [0, 1, 0] }])")),
               {"/bodies/0/motion/0: a motion must begin at the start pose"});
  expect_parts(error_of(box_scene(R"(, "fixed": true, "motion": [])")),
               {"/bodies/0/motion: expected a list of keyframes, got a list of 0"});
  expect_parts(error_of(box_scene(R"(, "fixed": true, "motion": { "liner": [0, 0, 0] })")),
               {"/bodies/0/motion/liner: ", "\"linear\""});
}

TEST(BadScene, TablesMustAscendAndMatch) {
  expect_parts(error_of(box_scene(R"(, "force": { "times": [0, 1], "values": [[0, 0, 0]] })")),
               {"/bodies/0/force/values: 2 times but 1 values"});
  expect_parts(error_of(box_scene(R"(, "force": { "times": [1, 0], "values": [[0, 0, 0], [0, 0, 0]] })")),
               {"/bodies/0/force/times/1: the times of a table must ascend"});
  expect_parts(error_of(box_scene(R"(, "force": { "times": [0] })")),
               {"/bodies/0/force: missing key \"values\""});
  expect_parts(error_of(box_scene(R"(, "force": [1, 2])")),
               {"/bodies/0/force: expected 3 numbers, got a list of 2"});
}

TEST(BadScene, TextThatIsNoJsonIsLocated) {
  expect_parts(error_of("{\n  \"bulwark\": 1,\n  \"time\": {,}\n}"), {"test.json:3:12: not valid JSON"});
  expect_parts(error_of("\xef\xbb\xbf{ \"bulwark\": 1e999 }"), {"test.json:1:", "too large"});
  expect_parts(error_of(box_scene(), {"/bodies/3/name=x"}),
               {"--set /bodies/3/name=x: /bodies is a list of 1"});
}

TEST(BadScene, KindsOfOtherProgramsAreTranslated) {
  const auto body = [](const std::string& kind) {
    return error_of(R"({ "bulwark": 1, "time": { "steps": 1 }, "bodies": [ { "kind": ")" + kind +
                    R"(" } ] })");
  };
  for (const auto& [word, meant] :
       std::vector<std::pair<std::string, std::string>>{{"cloth", "shell"},
                                                        {"Cloth", "shell"},
                                                        {"membrane", "shell"},
                                                        {"soft", "deformable"},
                                                        {"soft-body", "deformable"},
                                                        {"soft_body", "deformable"},
                                                        {"fem", "deformable"},
                                                        {"FEM", "deformable"},
                                                        {"elastic", "deformable"},
                                                        {"static", "obstacle"},
                                                        {"fixed", "obstacle"},
                                                        {"ground", "obstacle"},
                                                        {"kinematic", "obstacle"},
                                                        {"plane", "obstacle"},
                                                        {"rigid_body", "rigid"},
                                                        {"particle", "particles"},
                                                        {"rope", "rod"},
                                                        {"cable", "rod"},
                                                        {"defromable", "deformable"}}) {
    expect_parts(body(word), {"/bodies/0/kind: expected ", "did you mean \"" + meant + "\"?"});
  }
  expect_parts(
      error_of(box_scene("", R"(, "joints": [ { "kind": "fixed", "bodies": ["block", "world"] } ])")),
      {"/joints/0/kind", "did you mean \"weld\"?"});
  expect_parts(error_of(obstacle_scene(R"("shape": { "cube": 1 })")),
               {"/bodies/0/shape/cube", "did you mean \"box\"?"});
}

/// What a file of this name and content is answered with when it is given as a scene.
std::string error_of_file(const std::string& name, const std::string& content) {
  const TemporaryFolder folder;
  write_all(folder / name, content);
  try {
    load_scene(folder / name);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(BadScene, FilesThatAreNoScenesAreRecognised) {
  for (const char* name : {"arm.urdf", "arm.xml", "arm"}) {
    expect_parts(error_of_file(name, "<?xml version=\"1.0\"?>\n<robot name=\"arm\">\n</robot>\n"),
                 {"this is a robot (URDF)", "bulwark import ", "-o arm.json"});
  }
  expect_parts(error_of_file("hand.xml", "<mujoco model=\"hand\"/>"), {"a MuJoCo model", "URDF"});
  for (const char* name : {"bunny.obj", "bunny.stl", "bunny.STL", "bunny.ply", "bunny.off", "bunny.msh",
                           "bunny.vtu", "bunny.inp"}) {
    const std::string message = error_of_file(name, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    expect_parts(message, {"this is a mesh, not a scene", std::string("\"mesh\": \"") + name + "\""});
  }
  expect_parts(error_of_file("bunny.stl", std::string(200, '\0')), {"this is a mesh, not a scene"});
  expect_parts(error_of_file("car.glb", "glTF"), {"does not read", "export it as obj"});
  expect_parts(error_of_file("chain.json", R"({ "rigid_body_problem": { "rigid_bodies": [] } })"),
               {"rigid-ipc", "bulwark import "});
  expect_parts(error_of_file("steps.csv", "step,time\n"), {"this is a result"});
  // What is a scene stays one, whatever its name.
  EXPECT_EQ(error_of_file("scene.txt", box_scene()), "");
  EXPECT_EQ(error_of_file("scene.obj", "// a comment\n" + box_scene()), "");
}

TEST(BadScene, TheSceneAroundAMeshThatIsProposedIsOne) {
  const TemporaryFolder folder;
  write_all(folder / "part.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  std::string message;
  try {
    load_scene(folder / "part.obj");
  } catch (const InputError& error) {
    message = error.what();
  }
  const std::size_t begin = message.find('{'), end = message.rfind('}');
  ASSERT_NE(begin, std::string::npos);
  write_all(folder / "scene.json", message.substr(begin, end + 1 - begin));
  EXPECT_EQ(load_scene(folder / "scene.json").world.bodies.size(), 2u);
}

}  // namespace
}  // namespace bulwark
