// Joints in scene files: the methods that hold their equations.
#include <scene/scene_text.hpp>

#include <gtest/gtest.h>

namespace bulwark {
namespace {

using namespace test;

/// A scene of an affine and a rigid box, with one joint of the given keys.
std::string jointed(const std::string& keys) {
  return R"({ "bulwark": 1, "time": { "steps": 1 },
    "materials": { "steel": { "model": "affine", "density": 7800 }, "stone": { "model": "rigid", "density": 2600 } },
    "bodies": [
      { "name": "a", "kind": "affine", "shape": { "box": [1, 1, 1] }, "material": "steel" },
      { "name": "b", "kind": "rigid", "shape": { "box": [1, 1, 1] }, "material": "stone", "position": [2, 0, 0] } ],
    "joints": [ { "name": "joint", )" +
         keys + " } ] }";
}

const std::string world_hinge =
    R"("kind": "hinge", "bodies": ["a", "world"], "point": [0, 0, 0], "axis": [0, 0, 1])";
const std::string rigid_hinge =
    R"("kind": "hinge", "bodies": ["a", "b"], "point": [1, 0, 0], "axis": [0, 0, 1])";

TEST(JointScene, MethodsTurnIntoRowsMultipliersAndSprings) {
  const World eliminated = parse(jointed(world_hinge)).world;
  EXPECT_EQ(eliminated.joint_rows.size(), 6u);
  EXPECT_TRUE(eliminated.joints[0].held.empty());
  EXPECT_EQ(parse(jointed(world_hinge + R"(, "method": "eliminate")")).world.joint_rows.size(), 6u);

  for (const std::string& keys : {rigid_hinge, world_hinge + R"(, "method": "augmented-lagrangian")"}) {
    const World held = parse(jointed(keys)).world;
    EXPECT_TRUE(held.joint_rows.empty());
    ASSERT_EQ(held.joints[0].held.size(), 6u);
    EXPECT_NEAR(held.joint_drives[held.joints[0].held[0]].tolerance, 1e-8 * std::sqrt(3.0), 1e-12);
    EXPECT_EQ(held.joint_drives[held.joints[0].held[5]].tolerance, 1e-8);
  }
  const World loose = parse(jointed(rigid_hinge + R"(, "tolerance": 1e-4)")).world;
  EXPECT_EQ(loose.joint_drives[loose.joints[0].held[0]].tolerance, 1e-4);

  const World springs = parse(jointed(world_hinge + R"(, "method": "penalty", "stiffness": 1e5)")).world;
  ASSERT_EQ(springs.joints[0].held.size(), 6u);
  const WorldDrive &point = springs.joint_drives[0], &direction = springs.joint_drives[5];
  EXPECT_EQ(point.tolerance, 0);
  EXPECT_EQ(point.drive.potential.stiffness, 1e5);
  // The squared radius of gyration of a cube: 1/6 of its side's square.
  EXPECT_NEAR(direction.drive.potential.stiffness, 1e5 / 6, 1e-6);
  EXPECT_TRUE(parse(jointed(rigid_hinge + R"(, "method": "penalty")")).world.joint_drives[0].stiff);
}

TEST(JointScene, MethodsThatCanNotBeAreAnswered) {
  expect_parts(error_of(jointed(rigid_hinge + R"(, "method": "eliminate")")),
               {"/joints/0", "'joint'", "'b' is rigid", "augmented-lagrangian"});
  expect_parts(
      error_of(jointed(R"("kind": "distance", "bodies": ["a", "world"], "points": [[0, 0, 0], [0, 2, 0]],
      "method": "eliminate")")),
      {"/joints/0", "not linear"});
  expect_parts(error_of(jointed(world_hinge + R"(, "method": "barrier")")), {"/joints/0", "no limits"});
  EXPECT_EQ(error_of(jointed(world_hinge + R"(, "method": "barrier", "limits_degrees": [-10, 10])")), "");
  expect_parts(error_of(jointed(world_hinge + R"(, "method": "lagrange")")),
               {"/joints/0/method", "\"augmented-lagrangian\""});
  expect_parts(error_of(jointed(world_hinge + R"(, "method": "eliminate", "stiffness": 1)")),
               {"/joints/0/stiffness", "\"penalty\""});
  expect_parts(error_of(jointed(world_hinge + R"(, "method": "penalty", "tolerance": 1)")),
               {"/joints/0/tolerance", "\"augmented-lagrangian\""});
  expect_parts(error_of(jointed(rigid_hinge + R"(, "stiffness": 1, "tolerance": 1)")),
               {"/joints/0/method", "one of them"});
  expect_parts(error_of(jointed(R"("kind": "spring", "bodies": ["a", "b"], "points": [[0, 0, 0], [2, 0, 0]],
      "stiffness": 10, "method": "penalty")")),
               {"/joints/0/method", "unknown key"});
}

/// A scene of a soft bar and an affine box beside it, with one joint of the given keys.
std::string soft_jointed(const std::string& keys) {
  return R"({ "bulwark": 1, "time": { "steps": 1 },
    "bodies": [
      { "name": "bar", "kind": "deformable", "order": 2, "shape": { "box": [1, 0.2, 0.2], "resolution": 0.2 },
        "material": { "model": "svk", "density": 1000, "young": 1e7, "poisson": 0.3 } },
      { "name": "box", "kind": "affine", "shape": { "box": [1, 1, 1] }, "position": [1.1, 0, 0],
        "material": { "model": "affine", "density": 1000 } } ],
    "joints": [ { "name": "joint", )" +
         keys + " } ] }";
}

TEST(JointScene, SoftBodiesHaveDirectionsHeldByRightAngles) {
  const std::string hinge =
      R"("kind": "revolute", "bodies": ["bar", "WITH"], "point": [0.5, 0, 0], "axis": [0, 0, 1])";
  const auto with = [&](const std::string& other, const std::string& more = "") {
    std::string text = hinge;
    return parse(soft_jointed(text.replace(text.find("WITH"), 4, other) + more)).world;
  };
  // Against the world all five equations are linear; against a box the right angles are held.
  EXPECT_EQ(with("world").joint_rows.size(), 5u);
  EXPECT_TRUE(with("world").joints[0].held.empty());
  EXPECT_EQ(with("box").joint_rows.size(), 3u);
  EXPECT_EQ(with("box").joints[0].held.size(), 2u);
  EXPECT_EQ(with("box", R"(, "method": "eliminate")").joint_rows.size(), 6u);
  EXPECT_EQ(with("box", R"(, "method": "augmented-lagrangian")").joints[0].held.size(), 5u);
  EXPECT_GT(with("box", R"(, "grip": 0.25)").joints[0].point_a.weights.size(),
            with("box").joints[0].point_a.weights.size());
}

TEST(JointScene, ConstraintsAreReadAndBadOnesAnswered) {
  const auto constraint = [](const std::string& keys) {
    return soft_jointed(R"("kind": "constraint", "bodies": ["bar", "box"], )" + keys);
  };
  const World dist = parse(constraint(R"("primitive": "dist", "points": [[0.5, 0, 0], [1, 0, 0]],
      "value": { "times": [0, 1], "values": [0.5, 1] })"))
                         .world;
  ASSERT_EQ(dist.joints[0].held.size(), 1u);
  EXPECT_EQ(dist.joint_drives[0].drive.value.values[1][0], 1);
  EXPECT_EQ(parse(constraint(R"("primitive": "cd", "points": [[0.5, 0, 0], [1, 0, 0]], "axis": [0, 1, 0])"))
                .world.joint_rows.size(),
            1u);
  expect_parts(error_of(constraint(R"("primitive": "cd", "points": [[0.5, 0, 0], [1, 0, 0]])")),
               {"/joints/0/axis", "along an axis"});
  expect_parts(
      error_of(constraint(R"("primitive": "dist", "points": [[0.5, 0, 0], [1, 0, 0]], "axis": [0, 1, 0])")),
      {"/joints/0/axis", "leave it out"});
  expect_parts(error_of(constraint(R"("primitive": "dp1", "points": [[0.5, 0, 0], [1, 0, 0]])")),
               {"/joints/0", "2 points", "takes 4"});
  expect_parts(error_of(constraint(R"("primitive": "dp3", "points": [[0.5, 0, 0], [1, 0, 0]])")),
               {"/joints/0/primitive"});
}

TEST(JointScene, AGripThatReachesNothingIsAnswered) {
  expect_parts(error_of(soft_jointed(R"("kind": "point", "bodies": ["bar", "world"], "point": [0.6, 0, 0])")),
               {"/joints/0", "away from it", "grip"});
  expect_parts(error_of(soft_jointed(
                   R"("kind": "point", "bodies": ["bar", "world"], "point": [0.6, 0, 0], "grip": 0.01)")),
               {"/joints/0", "no node lies within", "larger `grip`"});
}

TEST(JointScene, AContradictionNamesFileLineAndPath) {
  // A scripted body pulls on what is welded to the world.
  const std::string text = R"({ "bulwark": 1, "time": { "steps": 1 },
    "materials": { "steel": { "model": "affine", "density": 7800 } },
    "bodies": [
      { "name": "a", "kind": "affine", "shape": { "box": [1, 1, 1] }, "material": "steel" },
      { "name": "b", "kind": "affine", "shape": { "box": [1, 1, 1] }, "material": "steel", "position": [2, 0, 0],
        "fixed": true, "motion": { "linear": [1, 0, 0] } } ],
    "joints": [
      { "name": "base", "kind": "weld", "bodies": ["a", "world"] },
      { "name": "pull", "kind": "point", "bodies": ["a", "b"], "point": [1, 0, 0] } ] })";
  expect_parts(error_of(text),
               {"test.json:9: /joints/1: joint 'pull': it contradicts the other joints of its bodies: "
                "'base' (/joints/0)",
                "remove one of them"});
}

}  // namespace
}  // namespace bulwark
