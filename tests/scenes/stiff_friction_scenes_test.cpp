// Stiff bodies and friction: the critical slope, card houses, arches, a tight tunnel, a turntable and a
// rolling ball.
#include <scenes/scene_run.hpp>

namespace bulwark {
namespace {

constexpr double gravity = 9.81;

void expect_rigid(const SceneRun& run) {
  EXPECT_LT(run.largest_rigidity_error(), 1e-4);
}

TEST(StiffSlopeScene, BlockSlidesWithTheClosedFormAccelerationJustBelowTheCriticalFriction) {
  SceneRun run("affine/slope.json");
  run.run(20);
  const double speed = run.motion("block").velocity.norm(), time = run.time();
  run.run(140);
  const double angle = std::atan(0.5), expected = gravity * (std::sin(angle) - 0.49 * std::cos(angle));
  const double acceleration = (run.motion("block").velocity.norm() - speed) / (run.time() - time);
  EXPECT_NEAR(acceleration, expected, 2e-3 * expected);
  expect_rigid(run);
}

TEST(StiffSlopeScene, BlockStaysAtTheCriticalFriction) {
  SceneRun run("affine/slope.json", {"/contact/friction=0.5"});
  run.run(20);
  const Vector3 start = run.motion("block").center;
  run.run(140);
  EXPECT_LT((run.motion("block").center - start).norm(), 1e-4);
  EXPECT_LT(run.motion("block").velocity.norm(), 2e-5);  // about the static speed, 1e-5 m/s
}

/// Every card at its place, but for a settling by `distance`, and at rest but for creep (below the static
/// speed at each of the contacts between a card and the ground).
void expect_standing(const SceneRun& run, double distance, double creep = 1e-4) {
  for (const Body& body : run.world().bodies) {
    if (body.kind == BodyKind::obstacle || body.name.substr(0, 4) == "cube") continue;
    const Vector3 start = run.world().rest.col(body.first_control);
    EXPECT_LT((run.motion(body.name).center - start).norm(), distance) << body.name;
    EXPECT_LT(run.turned_degrees(body.name), 0.2) << body.name;
    EXPECT_LT(run.motion(body.name).velocity.norm(), creep) << body.name;
  }
}

TEST(StiffCardHouseScenes, ThreeStoreysStandUntilTheyAreHit) {
  SceneRun run("affine/card_house_3.json");
  run.run(60);
  expect_standing(run, 5e-3);
  expect_rigid(run);
}

TEST(StiffCardHouseScenes, ThreeStoreysFallAtFrictionTwoTenths) {
  SceneRun run("affine/card_house_3.json", {"/contact/friction=0.2"});
  run.run(90);
  EXPECT_LT(run.highest("left-3-1"), 6);  // of 6.81
  EXPECT_GT(run.turned_degrees("left-1-1"), 10);
  EXPECT_GT(run.turned_degrees("right-1-3"), 10);
}

TEST(StiffCardHouseScenes, TwoStoreysOfRigidCardsStand) {
  SceneRun run("rigid/card_house_2.json");
  run.run(100);
  expect_standing(run, 5e-3);
  EXPECT_LT(run.largest_rigidity_error(), 1e-12);
}

TEST(SlowStiffCardHouseScenes, CubesBreakThroughThreeStoreysAndComeToRest) {
  SceneRun run("affine/card_house_3.json");
  run.run(300);
  EXPECT_LT(run.highest("cube-1"), 2);
  EXPECT_LT(run.highest("cube-2"), 3);
  expect_rigid(run);
}

TEST(SlowStiffCardHouseScenes, TenStoreysStandUntilTheyAreHit) {
  SceneRun run("affine/card_house_10.json");
  run.run(90);
  expect_standing(run, 0.025, 5e-4);  // the top comes down by the gaps below it, twice 1.1 mm a storey
  expect_rigid(run);
}

/// After the joints have settled the stones neither move nor turn.
void expect_arch_stands(const std::string& file, int stones, int steps, double settling,
                        const std::vector<std::string>& overrides = {}) {
  SceneRun run(file, overrides);
  run.run(steps);
  for (int i = 1; i <= stones; ++i) {
    const std::string stone = "stone-" + std::to_string(i);
    const Vector3 start = run.world().rest.col(run.world().bodies[run.body(stone)].first_control);
    EXPECT_LT((run.motion(stone).center - start).norm(), settling) << stone;
    EXPECT_LT(run.motion(stone).velocity.norm(), 1e-4 * stones) << stone;  // all joints creep below 1e-5 m/s
  }
  expect_rigid(run);
}

TEST(StiffArchScenes, ArchOf25StonesStandsAtItsFrictionAndJustAboveTheCritical) {
  expect_arch_stands("affine/arch_25.json", 25, 60, 0.01);
  expect_arch_stands("affine/arch_25.json", 25, 60, 0.03, {"/contact/friction=0.33"});
}

TEST(StiffArchScenes, ArchOf25StonesFallsBelowTheCriticalFriction) {
  SceneRun run("affine/arch_25.json", {"/contact/friction=0.29"});
  run.run(100);
  EXPECT_LT(run.motion("stone-13").center.y(), 19.85);
  EXPECT_LT(run.motion("stone-13").velocity.y(), -0.2);
}

TEST(StiffArchScenes, RigidArchStandsToo) {
  expect_arch_stands("rigid/arch_25.json", 25, 60, 0.01);
}

TEST(SlowStiffArchScenes, ArchOf101StonesStands) {
  expect_arch_stands("affine/arch_101.json", 101, 100, 0.05);
}

TEST(TunnelScene, FastCubeSlidesThroughSlowedByItsWeightsFrictionOnly) {
  SceneRun run("affine/tunnel.json");
  run.run();
  const RigidMotion cube = run.motion("cube");
  EXPECT_NEAR(cube.velocity.z(), 10 - 0.1 * gravity * run.time(), 0.02);
  EXPECT_GT(cube.center.z(), 4);
  EXPECT_LT(std::abs(cube.center.x()), 1e-4);
  EXPECT_LT(run.turned_degrees("cube"), 0.0115);  // what the clearance allows
  expect_rigid(run);
}

TEST(TunnelScene, CubeWithoutFrictionKeepsItsSpeedInAContactRangeWiderThanTheClearance) {
  SceneRun run("affine/tunnel.json", {"/contact/distance=0.01", "/contact/friction=0", "/gravity=[0,0,0]"});
  run.run();
  EXPECT_NEAR(run.motion("cube").velocity.z(), 10, 1e-6);
}

/// A contact range of a hundred clearances, and walls of two triangles each whose diagonals the corners pass:
/// a wall is one flat face, and holds nothing up that slides along it.
TEST(TunnelScene, CubeKeepsItsSpeedOverTheDiagonalsOfTheWalls) {
  for (const std::string kind : {"affine", "rigid"}) {
    std::string bodies;
    for (const char* wall :
         {R"("position": [0, -0.5001, 0])", R"("position": [0, 0.5001, 0])",
          R"("position": [-0.5001, 0, 0], "rotation": { "axis": [0, 0, 1], "degrees": 90 })",
          R"("position": [0.5001, 0, 0], "rotation": { "axis": [0, 0, 1], "degrees": -90 })"}) {
      bodies +=
          R"({ "kind": "obstacle", "group": 1, "shape": { "grid": { "size": [1.1, 10], "cells": [1, 1] } }, )" +
          std::string(wall) + "},";
    }
    SceneRun run(parse_scene(R"({ "bulwark": 1, "gravity": [0, 0, 0], "time": { "step": 0.01, "steps": 80 },
      "bodies": [)" + bodies + R"({ "name": "cube", "kind": ")" +
                                 kind + R"(", "shape": { "box": [1, 1, 1] },
        "material": { "model": ")" +
                                 kind +
                                 R"(", "density": 1000 }, "position": [0, 0, -4.5], "velocity": [0, 0, 10] }],
      "contact": { "distance": 0.01 } })",
                             "tunnel.json"));
    run.run();
    EXPECT_NEAR(run.motion("cube").velocity.z(), 10, 1e-6) << kind;
    expect_rigid(run);
  }
}

/// When the block is 1 cm farther from the axis than it was; infinity when it never is.
double slip_time(SceneRun& run) {
  double when = INFINITY;
  run.each_step([&](const SceneRun& r) {
    const Vector3 x = r.motion("block").center;
    if (std::isinf(when) && std::hypot(x.x(), x.z()) > 0.51) when = r.time();
  });
  run.run();
  return when;
}

TEST(TurntableScene, BlockStaysWhereItIsWithoutFriction) {
  SceneRun run("affine/turntable.json", {"/contact/friction=0"});
  run.run();
  EXPECT_LT(std::hypot(run.motion("block").center.x() - 0.5, run.motion("block").center.z()), 1e-9);
  EXPECT_NEAR(run.motion("table").angular_velocity.y(), 4, 0.2);
}

TEST(TurntableScene, BlockSlidesOffWhenFrictionCannotHoldItOnItsCircle) {
  for (const double friction : {0.1, 0.5}) {
    SceneRun run("affine/turntable.json", {"/contact/friction=" + std::to_string(friction)});
    const double acceleration = 600 / (0.5 * 2364), limit = friction * gravity / 0.5;
    const double speed = std::pow(limit * limit - acceleration * acceleration, 0.25);
    // What friction lacks grows by 2 r w a per second: 1 cm takes a while.
    const double first_centimetre = std::cbrt(6 * 0.01 / (2 * 0.5 * speed * acceleration));
    EXPECT_NEAR(slip_time(run), speed / acceleration + first_centimetre, 0.15) << friction;
    EXPECT_GT(std::hypot(run.motion("block").center.x(), run.motion("block").center.z()), 1) << friction;
  }
}

/// The block's center and rotation as an observer on the table sees them.
RigidMotion seen_from_table(const SceneRun& run) {
  const Matrix3 back = run.motion("table").rotation.transpose();
  RigidMotion block = run.motion("block");
  block.center = back * block.center;
  block.rotation = back * block.rotation;
  return block;
}

TEST(TurntableScene, BlockSticksAtFrictionOne) {
  SceneRun run("affine/turntable.json", {"/contact/friction=1"});
  EXPECT_TRUE(std::isinf(slip_time(run)));
  // On the table it stays where it is and turns with it, but for the creep of friction that sticks: less than
  // the static speed at every corner.
  const RigidMotion block = seen_from_table(run);
  const double creep = 1e-5 * run.time();
  EXPECT_LT(std::hypot(block.center.x() - 0.5, block.center.z()), 0.5 * creep);
  EXPECT_LT(std::abs(block.rotation(0, 2) - block.rotation(2, 0)) / 2, creep);  // about the axis; it may tilt
  EXPECT_NEAR(run.motion("block").angular_velocity.y(), run.motion("table").angular_velocity.y(), 0.02);
  expect_rigid(run);
}

TEST(RollingBallScene, SlidingBallEndsUpRollingAtFiveSeventhsOfItsSpeed) {
  SceneRun run("affine/rolling_ball.json");
  run.run(20);  // 0.1 s: it slides
  EXPECT_NEAR(run.motion("ball").velocity.x(), 2 - 0.2 * gravity * 0.1, 0.05);
  run.run(60);  // 0.4 s: it rolls
  const RigidMotion ball = run.motion("ball");
  EXPECT_NEAR(ball.velocity.x(), 2 * 5 / 7.0, 0.06);
  EXPECT_NEAR(-ball.angular_velocity.z() * 0.1, ball.velocity.x(), 0.02);
  expect_rigid(run);
}

}  // namespace
}  // namespace bulwark
