// Stiff bodies on joints: ranges that are never left, and mechanisms that do what they were built for.
#include <scenes/joint_watch.hpp>

namespace bulwark {
namespace {

void expect_rigid(const SceneRun& run) {
  EXPECT_LT(run.largest_rigidity_error(), 1e-4);
}

TEST(PendulumOnJoints, ThreeRodsSwingJoinedAndGainNoEnergy) {
  SceneRun run("multibody/triple-pendulum.json");
  double energy = INFINITY;
  JointWatch joints(run, 1e-12, [&](const SceneRun& r) {
    const double total = r.reports().back().energies.total();
    EXPECT_LT(total, energy + 0.02);  // of 140 J
    energy = total;
  });
  run.check_every(10);
  run.run(200);
  EXPECT_LT(run.motion("lower").center.y(), 0.5);  // from 2 m
  expect_rigid(run);
}

/// The first scene that a new user sees.
TEST(Quickstart, TheBallSwingsIntoThePyramidAndTheTurnstileTurns) {
  SceneRun run("multibody/quickstart.json");
  JointWatch joints(run, 1e-12);
  const Vector3 torus = run.motion("torus").center, top = run.motion("top box").center;
  run.check_every(5);
  run.run(75);
  EXPECT_NEAR(joints.degrees("axle"), 180 * run.time(), 0.5);  // whatever lies in its way
  EXPECT_GT(joints.degrees("shoulder"), 80);                   // from horizontal to below the post and beyond
  EXPECT_GT(run.motion("top box").center.x() - top.x(), 0.1);
  EXPECT_LT(run.motion("low box[0,0,1]").velocity.norm(), 1);
  EXPECT_GT((run.motion("torus").center - torus).norm(), 0.15);  // fallen, and swept along
  // The cloth hangs over the ball and the ball carries it.
  EXPECT_GT(run.highest("cloth"), run.highest("soft ball"));
  EXPECT_LT(run.highest("cloth"), run.highest("soft ball") + 0.03);
  EXPECT_LT(run.lowest("cloth"), 0.15);
  expect_rigid(run);
}

TEST(SlowQuickstart, RunsToItsEnd) {
  SceneRun run("multibody/quickstart.json");
  JointWatch joints(run, 1e-12);
  run.run();
  EXPECT_NEAR(joints.degrees("axle"), 180 * run.time(), 0.5);
  EXPECT_GT(run.motion("top box").center.x(), 0.6);
  EXPECT_LT(run.lowest("cloth"), 0.1);
}

TEST(HingeRanges, BoardsOnAShaftStopAt45Then90Then180Degrees) {
  SceneRun run("multibody/boards-on-shaft.json");
  double quarter_time = 0, half_time = 0, full_time = 0;
  JointWatch* watch = nullptr;
  JointWatch joints(run, 1e-12, [&](const SceneRun& r) {
    auto note = [&](const char* joint, double degrees, double& time) {
      if (time == 0 && watch->degrees(joint) < degrees) time = r.time();
    };
    note("quarter", -42, quarter_time);
    note("half", -87, half_time);
    note("full", -177, full_time);
  });
  watch = &joints;
  run.check_every(5);
  run.run(160);
  EXPECT_GT(quarter_time, 0.1);
  EXPECT_GT(half_time, quarter_time);
  EXPECT_GT(full_time, half_time);
  EXPECT_GT(joints.degrees("quarter"), -40);  // on its way back
  expect_rigid(run);
}

TEST(SlidingRanges, MonocularSlidesOutAndInAndOutAgain) {
  SceneRun run("multibody/monocular.json");
  JointWatch joints(run, 1e-8);
  auto expect_both = [&](double low, double high) {
    for (const char* joint : {"first", "second"}) {
      EXPECT_GT(joints.coordinate(joint), low) << joint << " at " << run.time();
      EXPECT_LT(joints.coordinate(joint), high) << joint << " at " << run.time();
    }
  };
  run.check_every(50);
  run.run(150);
  expect_both(0.1, 0.11);
  run.run(200);
  expect_both(-0.004, 0.005);
  run.run(200);
  expect_both(0.1, 0.11);
  expect_rigid(run);
}

TEST(ConeTwistRanges, NunchakuFollowLateEachWithinItsOwnRange) {
  SceneRun run("multibody/nunchaku.json");
  double bent_y = 0, bent_z = 0, twisted = 0;
  JointWatch* watch = nullptr;
  JointWatch joints(run, 1e-12, [&](const SceneRun&) {
    bent_y = std::max(bent_y, std::abs(watch->cone_twist_degrees("sideways", 1)));
    bent_z = std::max(bent_z, std::abs(watch->cone_twist_degrees("upward", 2)));
    twisted = std::max(twisted, std::abs(watch->cone_twist_degrees("twisted", 0)));
  });
  watch = &joints;
  run.check_every(20);
  run.run(60);
  EXPECT_LT(run.turned_degrees("right-twisted"), 0.1);  // the left one has turned by 54 degrees
  run.run(60);
  EXPECT_GT(run.turned_degrees("right-twisted"), 20);
  run.run();
  EXPECT_GT(bent_y, 37);
  EXPECT_GT(bent_z, 22);
  EXPECT_GT(twisted, 57);
  for (const char* way : {"sideways", "upward", "twisted"}) {  // what is not driven stays
    for (int which = 0; which < 3; ++which) {
      if (which == (way[0] == 's' ? 1 : way[0] == 'u' ? 2 : 0)) continue;
      EXPECT_LT(std::abs(joints.cone_twist_degrees(way, which)), 0.5) << way << " " << which;
    }
  }
  expect_rigid(run);
}

TEST(NunchakuDrop, AllLandAndComeToRestOnTheGround) {
  SceneRun run("multibody/nunchaku-drop.json",
               {"/bodies/1/repeat/count=[2,1,2]", "/bodies/2/repeat/count=[2,1,2]"});
  JointWatch joints(run, 1e-12);
  run.check_every(10);
  run.run();
  for (const char* copy : {"[0,0,0]", "[1,0,1]"}) {
    EXPECT_LT(run.highest(std::string("left") + copy), 0.04);
    EXPECT_LT(run.highest(std::string("right") + copy), 0.04);
  }
  EXPECT_LT(run.fastest(), 0.05);
  expect_rigid(run);
}

TEST(SlowNunchakuDrop, SixtyFourLandWithoutIntersection) {
  SceneRun run("multibody/nunchaku-drop.json");
  JointWatch joints(run, 1e-12);
  run.check_every(10);
  run.run();
  EXPECT_LT(run.highest("left[7,0,7]"), 0.04);
  expect_rigid(run);
}

TEST(Ragdoll, LandsAndLiesWithAllItsRangesKept) {
  SceneRun run("multibody/ragdoll.json");
  double knee = 0;
  JointWatch* watch = nullptr;
  JointWatch joints(
      run, 1e-11, [&](const SceneRun&) { knee = std::min(knee, watch->cone_twist_degrees("left-shin", 2)); });
  watch = &joints;
  run.check_every(5);
  run.run();
  EXPECT_LT(knee, -50);  // it landed on bent knees
  for (const Body& body : run.world().bodies) {
    if (body.kind == BodyKind::obstacle) continue;
    EXPECT_LT(run.highest(body.name), 0.45) << body.name;
  }
  EXPECT_LT(run.fastest("pelvis"), 0.1);
  expect_rigid(run);
}

TEST(SlowRagdolls, SixtyFallWithAllTheirRangesKept) {
  SceneRun run("multibody/ragdolls-60.json");
  JointWatch joints(run, 1e-11);
  run.check_every(10);
  run.run(60);
  EXPECT_GT(run.most_contacts(), 100);
  expect_rigid(run);
}

/// The vehicle's way against the turn of its driven wheel.
void expect_vehicle_drives(int steps, double way) {
  SceneRun run("multibody/vehicle.json");
  JointWatch joints(run, 1e-8);
  run.check_every(8);
  const Vector3 start = run.motion("chassis").center;
  run.run(steps);
  const Vector3 moved = run.motion("chassis").center - start;
  EXPECT_GT(moved.x(), way);
  EXPECT_LT(std::abs(moved.z()), 0.3);
  const double rolled = -joints.coordinate("axle-back-right") * 0.25;
  EXPECT_NEAR(moved.x(), rolled, 0.1 * rolled + 0.02);
  for (const char* wheel : {"axle-front-left", "axle-front-right", "axle-back-left"})
    EXPECT_LT(joints.coordinate(wheel), 0) << wheel;
  expect_rigid(run);
}

TEST(Vehicle, CylindersTurnTheWheelAndTheWheelDrivesTheVehicle) {
  expect_vehicle_drives(48, 0.7);
}

TEST(SlowVehicle, CrossesTheHills) {
  expect_vehicle_drives(216, 6);
}

TEST(SlowUnicycles, TheFasterStaysUpLongerAndGoesFarther) {
  SceneRun run("multibody/unicycle.json");
  JointWatch joints(run, 1e-11);
  run.check_every(24);
  run.run();
  EXPECT_LT(run.motion("slow-saddle").center.y(), 0.3);
  EXPECT_GT(run.motion("middle-saddle").center.y(), 0.5);
  EXPECT_GT(run.motion("fast-saddle").center.y(), 0.78);
  EXPECT_GT(run.motion("fast-saddle").center.x(), 8);
  EXPECT_GT(run.motion("fast-saddle").center.z(), 3.5);  // it steers to the side it leans to
  expect_rigid(run);
}

TEST(Unicycles, RollStraightAtFirst) {
  SceneRun run("multibody/unicycle.json");
  JointWatch joints(run, 1e-11);
  run.check_every(8);
  run.run(24);
  EXPECT_NEAR(run.motion("slow-wheel").center.x(), 0.1, 0.005);
  EXPECT_NEAR(run.motion("middle-wheel").center.x(), 0.14, 0.007);
  EXPECT_NEAR(run.motion("fast-wheel").center.x(), 0.3, 0.015);
  expect_rigid(run);
}

TEST(SlowOctopus, TentaclesDrapeOverTheTableWithinTheirRanges) {
  SceneRun run("multibody/octopus.json");
  JointWatch joints(run, 1e-11);
  run.check_every(10);
  run.run();
  EXPECT_GT(run.lowest("head[0,0,0]"), 0.9);     // it lies on the table
  EXPECT_LT(run.lowest("arm-1-6[0,0,0]"), 0.9);  // its tentacles hang down
  EXPECT_GT(run.lowest("head[0,1,0]"), 0.9);
  expect_rigid(run);
}

TEST(SlowWindmill, WeightTurnsTheWheelAndTheBladesScatterTheBoxes) {
  SceneRun run("multibody/windmill-small.json");
  JointWatch joints(run, 1e-11);
  run.check_every(24);
  const double start = run.motion("left[2,0,1]").center.x();
  run.run();
  EXPECT_LT(joints.degrees("axle"), -45);
  EXPECT_LT(run.motion("left[2,0,1]").center.x(), start - 0.05);
  for (const Body& body : run.world().bodies) {
    if (body.kind == BodyKind::obstacle) continue;
    EXPECT_GT(run.lowest(body.name), 0) << body.name;
  }
  expect_rigid(run);
}

}  // namespace
}  // namespace bulwark
