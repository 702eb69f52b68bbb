// Round bodies in a scene file: what is round by default, and how mistakes are answered.
#include <bulwark/output/writing/frame_capture.hpp>
#include <bulwark/sim/simulation.hpp>
#include <scene/scene_text.hpp>

#include <gtest/gtest.h>

#include <numbers>

namespace bulwark {
namespace {

using test::error_of;
using test::expect_parts;
using test::parse;

/// A scene of one body with the given keys.
std::string one_body(const std::string& kind, const std::string& keys, const std::string& material = "") {
  const std::string own = !material.empty() ? material
                          : kind == "obstacle" || kind == "particles"
                              ? ""
                              : R"(, "material": { "model": ")" + kind + R"(", "density": 1000 })";
  return R"({ "bulwark": 1, "time": { "steps": 3 }, "bodies": [ { "name": "body", "kind": ")" + kind +
         R"(", )" + keys + own + " } ] }";
}

TEST(RoundScene, SpheresAndCapsulesOfStiffBodiesAreRound) {
  for (const std::string kind : {"affine", "rigid"}) {
    const World ball = parse(one_body(kind, R"("shape": { "sphere": 0.5 }, "scale": 2)")).world;
    EXPECT_EQ(ball.collision.vertex_count(), 1);
    EXPECT_EQ(ball.collision.radius, std::vector<double>{1.0});
    EXPECT_NEAR(ball.stiff[0].mass, 1000 * 4.0 / 3 * std::numbers::pi, 1e-9);
    const World capsule =
        parse(one_body(kind, R"("shape": { "capsule": { "radius": 0.25, "height": 2 } })")).world;
    EXPECT_EQ(capsule.collision.vertex_count(), 2);
    EXPECT_EQ(capsule.collision.edges, (std::vector<Edge>{{0, 0}, {0, 1}, {1, 1}}));
    EXPECT_EQ(capsule.collision.radius, (std::vector<double>{0.25, 0.25}));
    EXPECT_EQ(capsule.collision.rest(1, 1) - capsule.collision.rest(1, 0), 1.5);
    const World box = parse(one_body(kind, R"("shape": { "box": [1, 2, 3], "rounding": 0.25 })")).world;
    EXPECT_EQ(box.collision.vertex_count(), 8);
    EXPECT_EQ(box.collision.rest.row(0).maxCoeff(), 0.25);
    EXPECT_EQ(box.collision.radius, std::vector<double>(8, 0.25));
    // Steiner's formula for the volume of what lies within a distance of a box.
    const double a = 0.5, b = 1.5, c = 2.5, r = 0.25;
    const double volume = a * b * c + 2 * r * (a * b + b * c + c * a) +
                          std::numbers::pi * r * r * (a + b + c) + 4.0 / 3 * std::numbers::pi * r * r * r;
    EXPECT_NEAR(box.stiff[0].mass, 1000 * volume, 1e-9 * 1000 * volume);
  }
}

TEST(RoundScene, MeshesAreThereWhereTheyAreAskedForOrRoundShapesCantBe) {
  EXPECT_GT(parse(one_body("rigid", R"("shape": { "sphere": 0.5, "round": false })"))
                .world.collision.vertex_count(),
            20);
  EXPECT_GT(parse(one_body("rigid", R"("shape": { "sphere": 0.5 }, "scale": [1, 2, 1])"))
                .world.collision.vertex_count(),
            20);
  EXPECT_GT(parse(one_body("obstacle", R"("shape": { "sphere": 0.5 })")).world.collision.vertex_count(), 20);
  EXPECT_EQ(parse(one_body("obstacle", R"("shape": { "sphere": 0.5, "round": true })"))
                .world.collision.vertex_count(),
            1);
}

TEST(RoundScene, PartsOfABodyHaveRadiiOfTheirOwn) {
  const World world =
      parse(one_body("rigid", R"("shapes": [ { "shape": { "sphere": 0.5 }, "position": [2, 0, 0] },
      { "shape": { "box": [1, 1, 1] } }, { "shape": { "capsule": { "radius": 0.1, "height": 1 } }, "position": [-2, 0, 0] } ])"))
          .world;
  EXPECT_EQ(world.collision.vertex_count(), 1 + 8 + 2);
  EXPECT_EQ(world.collision.radius_of(0), 0.5);
  EXPECT_EQ(world.collision.radius_of(4), 0);
  EXPECT_EQ(world.collision.radius_of(10), 0.1);
  const double expected = 1000 * (4.0 / 3 * std::numbers::pi * 0.125 + 1 + std::numbers::pi * 0.01 * 0.8 +
                                  4.0 / 3 * std::numbers::pi * 0.001);
  EXPECT_NEAR(world.stiff[0].mass, expected, 1e-9 * expected);
}

TEST(RoundScene, ThinBodiesHaveTheirThicknessAndSoftOnesASkin) {
  const std::string cloth =
      R"(, "material": { "model": "cloth", "density": 300, "thickness": 0.004, "young": 1e5, "poisson": 0.3, "bending_young": 1e4 })";
  const std::string grid = R"("shape": { "grid": { "size": [1, 1], "cells": [1, 1] } })";
  EXPECT_EQ(parse(one_body("shell", grid, cloth)).world.collision.radius_of(3), 0.002);
  EXPECT_EQ(parse(one_body("shell", grid + R"(, "offset": 0)", cloth)).world.collision.radius_of(3), 0);
  const std::string rope =
      R"(, "material": { "model": "rod", "density": 300, "radius": 0.01, "young": 1e5, "bending_young": 1e4, "twisting_shear": 1e4 })";
  const std::string line = R"("shape": { "line": { "from": [0, 0, 0], "to": [1, 0, 0], "segments": 2 } })";
  EXPECT_EQ(parse(one_body("rod", line, rope)).world.collision.radius_of(2), 0.01);
  const std::string rubber =
      R"(, "material": { "model": "neo-hookean", "density": 1000, "young": 1e6, "poisson": 0.4 })";
  EXPECT_EQ(parse(one_body("deformable", R"("shape": { "box": [1, 1, 1] }, "offset": 0.01)", rubber))
                .world.collision.radius_of(5),
            0.01);
  EXPECT_EQ(parse(one_body("particles",
                           R"("shape": { "points": [[0, 0, 0], [1, 0, 0]] }, "mass": 1, "radius": 0.1)"))
                .world.collision.radius_of(1),
            0.1);
}

TEST(RoundScene, AnOffsetComesOnTopOfTheShapesOwnRadius) {
  const std::string keys = R"("shape": { "sphere": 0.5, "round": true }, "offset": 0.125)";
  for (const std::string kind : {"rigid", "affine", "obstacle"})
    EXPECT_EQ(parse(one_body(kind, keys)).world.collision.radius, std::vector<double>{0.625}) << kind;
  EXPECT_EQ(
      parse(one_body("rigid", R"("shape": { "box": [1, 1, 1] }, "offset": 0.125)")).world.collision.radius,
      std::vector<double>(8, 0.125));
}

TEST(RoundScene, MistakesAreAnswered) {
  expect_parts(error_of(one_body("rigid", R"("shape": { "box": [1, 1, 1], "round": true })")),
               {"/bodies/0/shape/round", "only a `sphere` or a `capsule`", "rounding"});
  expect_parts(error_of(one_body("rigid", R"("shape": { "sphere": 1, "round": true }, "scale": [1, 2, 1])")),
               {"/bodies/0/shape/round", "not round"});
  expect_parts(error_of(one_body("rigid", R"("shape": { "box": [1, 0.2, 1], "rounding": 0.1 })")),
               {"/bodies/0/shape/rounding", "less than half"});
  expect_parts(error_of(one_body("rigid", R"("shape": { "sphere": 1, "rounding": 0.1 })")),
               {"/bodies/0/shape/rounding", "only a `box`"});
  expect_parts(
      error_of(one_body(
          "obstacle",
          R"("shape": { "sphere": 1, "round": true }, "motion": { "angular_degrees": [0, 10, 0] })")),
      {"/bodies/0/motion", "fixed"});
  expect_parts(error_of(one_body("rigid", R"("shape": { "sphere": 1 }, "rolling_resistance": -1)")),
               {"/bodies/0/rolling_resistance"});
  expect_parts(error_of(one_body("rigid", R"("shape": { "sphere": 1 }, "offset": -0.1)")),
               {"/bodies/0/offset"});
  const std::string rubber =
      R"(, "material": { "model": "neo-hookean", "density": 1000, "young": 1e6, "poisson": 0.4 })";
  expect_parts(error_of(one_body("deformable", R"("shape": { "box": [1, 1, 1], "rounding": 0.1 })", rubber)),
               {"/bodies/0/shape", "rounding"});
}

TEST(RoundScene, AForceOnTheTopOfABallActsOnItsOutside) {
  const std::string force =
      R"(, "position": [0, 2, 0], "force": { "value": [3, 0, 0], "selection": { "plane": [[0, 2.4, 0], [0, 1, 0]] } })";
  const World world = parse(one_body("rigid", R"("shape": { "sphere": 0.5 })" + force)).world;
  ASSERT_EQ(world.loads.size(), 1u);
  const Load& load = world.loads[0];
  // At a point X of the ball: 1 for its center, X for the columns of A.
  ASSERT_EQ(load.controls, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(load.shares[0], 1);
  EXPECT_NEAR(load.shares[1], 0, 0.02);
  EXPECT_GT(load.shares[2], 0.4);
  EXPECT_LT(load.shares[2], 0.5);
  EXPECT_NEAR(load.shares[3], 0, 0.02);
  // All of it is held by its center of mass.
  const World whole = parse(one_body("rigid", R"("shape": { "sphere": 0.5 }, "force": [3, 0, 0])")).world;
  EXPECT_EQ(whole.loads[0].controls, std::vector<int>{0});
}

TEST(RoundScene, SelectionsThatReachNoPointOfARoundBodySayWhereItsPointsAre) {
  const std::string above = R"("selection": { "plane": [[0, 0.6, 0], [0, 1, 0]] })";
  expect_parts(error_of(one_body(
                   "rigid", R"("shape": { "sphere": 0.5 }, "force": { "value": [3, 0, 0], )" + above + " }")),
               {"/bodies/0/force", "no point", "reaches from", "0.5"});
  const std::string cloth =
      R"(, "material": { "model": "cloth", "density": 400, "thickness": 0.02, "young": 1e6, "poisson": 0.3, "bending_young": 1e5 })";
  expect_parts(error_of(one_body("shell",
                                 R"("shape": { "grid": { "size": [1, 1], "cells": [4, 4] } }, )"
                                 R"("fixed": { "plane": [[0, 0.005, 0], [0, 1, 0]] })",
                                 cloth)),
               {"/bodies/0/fixed", "no point", "points reach from", "0.01 m beyond", "reach in"});
}

TEST(RoundScene, BodiesThatOverlapAtTheStartAreNamed) {
  const std::string two = R"({ "bulwark": 1, "time": { "steps": 1 }, "bodies": [
    { "name": "left", "kind": "rigid", "shape": { "sphere": 0.5 }, "material": { "model": "rigid", "density": 1 } },
    { "name": "right", "kind": "rigid", "shape": { "sphere": 0.5 }, "material": { "model": "rigid", "density": 1 }, "position": [0.9, 0, 0] } ] })";
  Scene scene = parse(two);
  try {
    Simulation(std::move(scene.world), scene.settings);
    ADD_FAILURE();
  } catch (const IntersectionError& error) {
    expect_parts(error.what(), {"'left'", "'right'", "within its radius", "move"});
  }
}

TEST(RoundScene, FramesShowTheRoundBodyAndCollideByItsRadius) {
  Scene scene = parse(one_body(
      "rigid",
      R"("shape": { "sphere": 0.5 }, "position": [1, 2, 3], "angular_velocity_degrees": [0, 90, 0])"));
  const Simulation simulation(std::move(scene.world), scene.settings);
  const Frame frame = capture_frame(simulation);
  EXPECT_EQ(frame.vertices.size(), 1u);
  EXPECT_GT(frame.skin.size(), 300u);
  double nearest = 1, farthest = 0;
  for (const Triangle& t : frame.skin) {
    for (const int p : t) {
      const double distance = (frame.position.col(p) - Vector3(1, 2, 3)).norm();
      nearest = std::min(nearest, distance);
      farthest = std::max(farthest, distance);
    }
  }
  EXPECT_NEAR(nearest, 0.5, 1e-12);
  EXPECT_NEAR(farthest, 0.5, 1e-12);
  const DrawnCells drawn = drawn_cells(frame);
  EXPECT_TRUE(drawn.vertices.empty());
  EXPECT_EQ(drawn.triangles.size(), frame.skin.size());
  EXPECT_EQ(collision_surface(frame).radius_of(frame.vertices[0]), 0.5);
}

}  // namespace
}  // namespace bulwark
