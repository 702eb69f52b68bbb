#include <bulwark/scene/load.hpp>
#include <bulwark/scene/odd_values.hpp>
#include <bulwark/sim/simulation.hpp>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace bulwark {
namespace {

/// The warnings of a plain scene with some values changed.
std::vector<std::string> warnings(const std::vector<std::string>& overrides) {
  const std::string text = R"({
  "bulwark": 1,
  "time": { "step": 0.01, "steps": 10 },
  "bodies": [
    { "name": "ground", "kind": "obstacle", "shape": { "plane": { "normal": [0, 1, 0] } } },
    { "name": "ball", "kind": "deformable", "shape": { "sphere": 0.5, "resolution": 0.1 }, "position": [0, 2, 0],
      "material": { "model": "neo-hookean", "density": 1000, "young": 1e5, "poisson": 0.4 } },
    { "name": "box", "kind": "affine", "shape": { "box": [1, 1, 1] }, "position": [3, 2, 0],
      "material": { "model": "affine", "density": 1000, "stiffness": 1e9 } }
  ]
})";
  LoadOptions options;
  options.overrides = overrides;
  const Scene scene = parse_scene(text, "scene.json", options);
  const Simulation simulation(scene.world, scene.settings);
  std::vector<std::string> lines =
      odd_values(simulation.world(), simulation.settings(), simulation.derived());
  lines.insert(lines.end(), scene.remarks.begin(), scene.remarks.end());
  return lines;
}

void expect_one(const std::vector<std::string>& overrides, const std::string& part) {
  const std::vector<std::string> lines = warnings(overrides);
  ASSERT_EQ(lines.size(), 1u) << overrides.front();
  EXPECT_NE(lines.front().find(part), std::string::npos) << lines.front();
}

TEST(OddValues, AnOrdinarySceneHasNone) {
  EXPECT_TRUE(warnings({}).empty());
}

TEST(OddValues, ABallOfAKilometre) {
  const std::vector<std::string> lines = warnings({"/bodies/1/scale=1000", "/bodies/1/position=[0,2000,0]"});
  ASSERT_FALSE(lines.empty());
  EXPECT_NE(lines.front().find("body 'ball' is 1"), std::string::npos) << lines.front();
  EXPECT_NE(lines.front().find("millimetres"), std::string::npos) << lines.front();
}

TEST(OddValues, DensityInGramsPerCubicCentimetre) {
  expect_one({"/bodies/1/material/density=1"}, "'ball' has a density of 1 kg/m^3");
  expect_one({"/bodies/2/material/density=1.2"}, "'box' has a density of 1.2 kg/m^3");
  expect_one({"/bodies/2/material/density=7850000"}, "no metal");
}

TEST(OddValues, GravityInMillimetres) {
  expect_one({"/gravity=[0,-9810,0]"}, "gravity is 9810");
}

TEST(OddValues, AYoungsModulusInGigapascals) {
  expect_one({"/bodies/1/material/young=2"}, "Young's modulus of 2 Pa");
}

TEST(OddValues, ABodyThatCrossesManyContactDistancesInAStep) {
  expect_one({"/bodies/1/velocity=[0,-50,0]", "/contact/distance=0.001"}, "times the contact distance");
  EXPECT_TRUE(warnings({"/bodies/1/velocity=[0,-5,0]"}).empty());
}

TEST(OddValues, AMeshFinerThanTheContactDistance) {
  const std::vector<std::string> lines = warnings({"/contact/distance=2", "/contact/self=false"});
  ASSERT_FALSE(lines.empty());
  EXPECT_NE(lines.front().find("shorter than the contact distance"), std::string::npos) << lines.front();
}

TEST(OddValues, SpeedsAboveABodysSizePerStep) {
  expect_one({"/bodies/1/velocity=[0,-500,0]"}, "'ball' starts with 500 m/s and moves 5 m in a step");
  expect_one({"/bodies/2/velocity=[300,0,0]"},
             "'box' starts with 300 m/s and moves 3 m in a step, 3.0 times");
  EXPECT_TRUE(warnings({"/bodies/2/velocity=[90,0,0]", "/contact/distance=0.01"}).empty());
}

TEST(OddValues, SpinsAboveARadianPerStep) {
  for (const char* body : {"1", "2"}) {
    const std::string key = std::string("/bodies/") + body + "/angular_velocity_degrees=";
    const std::vector<std::string> lines = warnings({key + "[0,100000,0]"});
    ASSERT_FALSE(lines.empty());
    EXPECT_NE((lines.front() + lines.back()).find("turns 17 rad in a step"), std::string::npos)
        << lines.front();
    EXPECT_TRUE(warnings({key + "[0,5000,0]"}).empty());
  }
}

TEST(OddValues, ABallInMillimetres) {
  // A radius of 100 of what was meant to be millimetres: 4e9 kg.
  const std::vector<std::string> stiff =
      warnings({"/bodies/2/shape={\"sphere\":100}", "/bodies/2/position=[300,200,0]"});
  ASSERT_FALSE(stiff.empty());
  EXPECT_NE(stiff.front().find("m across and weighs 4.19e+09 kg. Lengths are in metres"), std::string::npos)
      << stiff.front();
  // Not so large, but as heavy as no machine.
  expect_one({"/bodies/2/shape={\"box\":[20,20,20]}", "/bodies/2/position=[30,20,0]"}, "millimetres");
}

TEST(OddValues, MeshesTooCoarseToBend) {
  const auto beam = [](double length, double resolution, const std::string& more = "") {
    std::vector<std::string> overrides = {"/bodies/1/shape={\"box\":[" + std::to_string(length) +
                                          ",0.1,0.2],\"resolution\":" + std::to_string(resolution) + "}"};
    if (!more.empty()) overrides.push_back(more);
    return overrides;
  };
  expect_one(beam(1, 0.1), "'ball' has about 1 tetrahedron across its thickness of 0.1 m");
  expect_one(beam(1, 0.05), "'ball' has about 2 tetrahedra across its thickness of 0.1 m, and is 1 m long");
  expect_one(beam(1, 0.034), "about 3 tetrahedra");
  expect_one(beam(1, 0.05, R"(/bodies/1/rotation={"axis":[1,1,0],"degrees":40})"), "about 2 tetrahedra");
  EXPECT_TRUE(warnings(beam(1, 0.025)).empty());
  EXPECT_TRUE(warnings(beam(0.3, 0.05)).empty());  // not slender
}

TEST(OddValues, ASoftBallOfFewFacesWeighsLess) {
  expect_one({"/bodies/1/shape={\"sphere\":0.5,\"resolution\":0.3}"},
             "than the round shape that it stands for (523.6 kg)");
  EXPECT_TRUE(warnings({"/bodies/2/shape={\"sphere\":0.5}"}).empty());  // stiff: the ball's own mass
}

TEST(OddValues, ALongTimeStep) {
  expect_one({"/time/step=1"}, "the time step is 1 s");
}

}  // namespace
}  // namespace bulwark
