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
    { "name": "ball", "kind": "deformable", "shape": { "sphere": 0.5, "resolution": 0.3 }, "position": [0, 2, 0],
      "material": { "model": "neo-hookean", "density": 1000, "young": 1e5, "poisson": 0.4 } },
    { "name": "box", "kind": "affine", "shape": { "box": [1, 1, 1] }, "position": [3, 2, 0],
      "material": { "model": "affine", "density": 1000, "stiffness": 1e9 } }
  ]
})";
  LoadOptions options;
  options.overrides = overrides;
  const Scene scene = parse_scene(text, "scene.json", options);
  const Simulation simulation(scene.world, scene.settings);
  return odd_values(simulation.world(), simulation.settings(), simulation.derived());
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
  expect_one({"/bodies/1/velocity=[0,-500,0]"}, "contact distance");
  EXPECT_TRUE(warnings({"/bodies/1/velocity=[0,-5,0]"}).empty());
}

TEST(OddValues, AMeshFinerThanTheContactDistance) {
  const std::vector<std::string> lines = warnings({"/contact/distance=2", "/contact/self=false"});
  ASSERT_FALSE(lines.empty());
  EXPECT_NE(lines.front().find("shorter than the contact distance"), std::string::npos) << lines.front();
}

TEST(OddValues, ALongTimeStep) {
  expect_one({"/time/step=1"}, "the time step is 1 s");
}

}  // namespace
}  // namespace bulwark
