// The scenes of high-order solids and of ANCF beams and shells.
#include <scenes/scene_run.hpp>

#include <numbers>

namespace bulwark {
namespace {

TEST(FlexibleScenes, TheColumnCarriesEulersLoad) {
  SceneRun run("flexible/euler_column.json");
  std::vector<double> force;
  run.each_step(
      [&](const SceneRun& now) { force.push_back(now.simulation().reactions().at(0).wrench.force.y()); });
  run.run();
  ASSERT_EQ(force.size(), 20U);
  const double euler = std::pow(std::numbers::pi, 2) * 1e9 * 0.02 * std::pow(0.01, 3) / 12;
  EXPECT_NEAR(force[0] / force[1], 0.5, 0.01);  // straight: in proportion to the way
  EXPECT_NEAR(force[9], euler, 0.01 * euler);
  // The elastica at a shortening of 0.05 L carries about 1 + 0.05 / 2 of it.
  EXPECT_NEAR(force[19], 1.025 * euler, 0.01 * euler);
}

TEST(FlexibleScenes, ThePlateBendsAcrossItsFibres) {
  SceneRun run("flexible/orthotropic_shell.json");
  run.run();
  const Vectors now = run.positions("plate");
  const Vectors& rest = run.world().rest;
  double along = 0, across = 0;  // how low the middles of the edges are
  for (int c = 0; c < now.cols(); ++c) {
    if ((rest.col(c) - Vector3(0.25, 0, 0)).norm() < 1e-6) along = now(1, c);
    if ((rest.col(c) - Vector3(0, 0, 0.25)).norm() < 1e-6) across = now(1, c);
  }
  EXPECT_LT(across, 0);
  EXPECT_LT(across, 3 * along);
}

TEST(FlexibleScenes, TheHookSnapsInAndHolds) {
  SceneRun run("flexible/snap_fit.json");
  run.check_every(10);
  run.run();
  // The root is pulled back by 5 mm, the catch would be 2 mm in front of the ledge's end: the ledge keeps it behind.
  EXPECT_GT(run.positions("hook").row(0).maxCoeff(), 0.075);
  EXPECT_GT(run.contact_force("hook").norm(), 0.01);
}

TEST(HighOrderScenes, TheBallJumpsOff) {
  SceneRun run("high-order/bouncing_ball.json");
  run.check_every(20);
  double lowest = 1;
  run.each_step([&](const SceneRun& now) { lowest = std::min(lowest, now.lowest("ball")); });
  run.run();
  EXPECT_LT(lowest, 2e-3);
  EXPECT_GT(run.lowest("ball"), 0.02);
}

TEST(HighOrderScenes, TheNutRunsDownTheBolt) {
  SceneRun run("high-order/nut_and_bolt.json");
  const double start = run.lowest("nut");
  run.check_every(10);
  run.run();
  EXPECT_LT(run.lowest("nut"), start - 1e-3);
}

TEST(HighOrderScenes, TheRollersDrawTheRingThrough) {
  SceneRun run("high-order/rollers.json");
  run.check_every(5);
  run.run();
  EXPECT_LT(run.lowest("ring"), -0.2);
}

}  // namespace
}  // namespace bulwark
