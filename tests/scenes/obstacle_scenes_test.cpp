// Shipped scenes in which soft bodies meet obstacles: points, wires, sheets, boards, funnels, rollers and
// walls.
#include "body_shape.hpp"

namespace bulwark {
namespace {

TEST(ObstacleScenes, BallRestsOnPointsThatDentIt) {
  SceneRun run("ipc/ball_on_points.json");
  run.run();
  expect_carried(run, "ball", 0.01);
  EXPECT_LT(run.lowest("ball"), 0);  // it bulges between the points
  EXPECT_GT(run.lowest("ball"), -0.06);
  EXPECT_NEAR(volume_ratio(run, "ball"), 1, 0.1);
}

TEST(ObstacleScenes, BallRestsOnWires) {
  SceneRun run("ipc/ball_on_segments.json");
  run.run();
  expect_carried(run, "ball", 0.01);
  EXPECT_LT(run.lowest("ball"), 0);
  EXPECT_GT(run.lowest("ball"), -0.06);
}

TEST(ObstacleScenes, MatRestsOnPoints) {
  SceneRun run("ipc/mat_on_points.json");
  run.run();
  expect_carried(run, "mat", 0.01);
  EXPECT_GT(section_center(run, "mat", 0, 0.013).y(), -0.02);
}

TEST(ObstacleScenes, MatRestsOnWires) {
  SceneRun run("ipc/mat_on_segments.json");
  run.run();
  expect_carried(run, "mat", 0.01);
  EXPECT_GT(run.highest("mat"), 0.03);
  EXPECT_LT(run.lowest("mat"), 0);
}

TEST(ObstacleScenes, MatRestsOnKnivesUncut) {
  SceneRun run("ipc/mat_on_knives.json");
  run.run();
  expect_carried(run, "mat", 0.01);
  EXPECT_GT(run.lowest("mat"), -0.1);
  EXPECT_LT(run.lowest("mat"), 0);  // it sags between the edges
  EXPECT_LT(largest_edge_strain(run, "mat"), 0.3);
}

TEST(ObstacleScenes, PinsPressTheBallFlatAndNeverEnterIt) {
  SceneRun run("ipc/pin_cushion.json");
  run.run();
  EXPECT_LT(run.fastest("ball"), 0.01);
  // 0.2 m between the tips; the ball bulges out beyond them.
  EXPECT_LT(extent(run, "ball", 1), 0.27);
  EXPECT_GT(extent(run, "ball", 0), 0.31);
  EXPECT_NEAR(run.contact_force("ball").y(), weight(run, "ball"), 0.03 * weight(run, "ball"));
}

TEST(ObstacleScenes, WallOfPointsThrowsTheBallBack) {
  SceneRun run("ipc/point_wall.json");
  double farthest = -1;
  run.each_step(
      [&](const SceneRun& r) { farthest = std::max(farthest, r.positions("ball").row(0).maxCoeff()); });
  run.run();
  EXPECT_GT(farthest, 0.005);  // through the wall's plane, between its points
  EXPECT_LT(run.motion("ball").velocity.x(), -0.5);
  EXPECT_LT(run.positions("ball").row(0).maxCoeff(), 0);
}

TEST(ObstacleScenes, SheetPushesBoxAndBallAndArrivesAsScripted) {
  SceneRun run("ipc/pusher.json");
  run.run();
  const double sheet = run.positions("sheet").row(0).mean();
  EXPECT_NEAR(sheet, -0.16 + 1.25, 2e-3);
  EXPECT_GT(run.positions("box").row(0).minCoeff(), sheet);
  EXPECT_GT(run.positions("ball").row(0).minCoeff(), run.motion("box").center.x());
  EXPECT_GT(run.lowest("box"), 0);
}

TEST(ObstacleScenes, BodyPulledThroughAFunnelTakesItsShapeAgain) {
  SceneRun run("ipc/funnel.json");
  double narrowest = 1;
  run.each_step([&](const SceneRun& r) { narrowest = std::min(narrowest, extent(r, "body", 0)); });
  run.run();
  EXPECT_LT(narrowest, 0.3);              // of 0.33; its ends leave the tube one after the other
  EXPECT_LT(run.highest("body"), -0.36);  // out of the tube
  EXPECT_EQ(run.reports().back().contacts, 0);
  EXPECT_NEAR(volume_ratio(run, "body"), 1, 0.01);
  EXPECT_LT(largest_edge_strain(run, "body"), 0.05);
}

TEST(ObstacleScenes, RollersDrawABallThroughTheirGapByFrictionAlone) {
  SceneRun run("ipc/roller.json");
  double thinnest = 1;
  run.each_step([&](const SceneRun& r) { thinnest = std::min(thinnest, extent(r, "ball", 0)); });
  run.run();
  EXPECT_LT(thinnest, 0.125);            // of 0.15
  EXPECT_LT(run.highest("ball"), -0.1);  // below the rollers
  EXPECT_LT(largest_edge_strain(run, "ball"), 0.03);

  SceneRun smooth("ipc/roller.json", {"/contact/friction=0"});
  smooth.run();
  EXPECT_GT(smooth.motion("ball").center.y(), 0.04);
}

TEST(ObstacleScenes, BallAtHighSpeedIsCompressedRestoredAndReleased) {
  SceneRun run("ipc/high_speed_impact.json");
  double flattest = 1, released = 0;
  run.each_step([&](const SceneRun& r) {
    flattest = std::min(flattest, extent(r, "ball", 0));
    if (r.reports().back().contacts > 0) released = r.time();
  });
  run.run();
  EXPECT_LT(flattest, 0.028);
  EXPECT_GT(flattest, 0.012);
  EXPECT_LT(released, 1e-3);
  const double speed = -run.motion("ball").velocity.x();
  EXPECT_GT(speed, 0.6 * 67);
  EXPECT_LT(speed, 67);
  const double start = 0.5 * mass(run, "ball") * 67 * 67;
  for (const StepReport& report : run.reports()) EXPECT_NEAR(report.energies.total(), start, 0.04 * start);
  // What the rebound misses, vibrates in the ball.
  const Energies end = run.reports().back().energies;
  EXPECT_GT(end.kinetic + end.elastic - 0.5 * mass(run, "ball") * speed * speed, 0.2 * start);
}

TEST(ObstacleScenes, BallReboundsFromAThinBoardAtAnySpeed) {
  for (const std::string speed : {"10", "100", "1000"}) {
    SceneRun run("ipc/tunnelling.json", {"/bodies/1/velocity=[" + speed + ",0,0]"});
    double farthest = -1;
    run.each_step(
        [&](const SceneRun& r) { farthest = std::max(farthest, r.positions("ball").row(0).maxCoeff()); });
    run.run();
    EXPECT_LT(farthest, -0.01) << speed;  // the board's face
    EXPECT_GT(farthest, -0.0107) << speed;
    EXPECT_LT(run.motion("ball").velocity.x(), 0) << speed;
    EXPECT_EQ(run.reports().back().contacts, 0) << speed;
  }
}

}  // namespace
}  // namespace bulwark
