// Steel balls that strike stacks of blocks: affine bodies under hard impacts.
#include <scenes/scene_run.hpp>

#include <fmt/format.h>

namespace bulwark {
namespace {

double largest_rigidity_error(const SceneRun& run) {
  double error = 0;
  for (const StepReport& report : run.reports()) error = std::max(error, report.rigidity_error);
  return error;
}

TEST(WreckingBall, StackStandsUntilTheBallStrikesItsTop) {
  SceneRun run("affine/wrecking_ball_light.json");
  const std::string top = "block[0,6,0]";
  const Vector3 top_start = run.motion(top).center;
  run.run(4);
  EXPECT_NEAR(run.motion("ball").velocity.y(), -4.5 - 9.81 * run.time(), 0.01);  // still in free flight
  EXPECT_LT((run.motion(top).center - top_start).norm(), 0.07);  // seven gaps of one centimetre close
  run.run(36);
  EXPECT_GT(run.motion(top).velocity.x(), 3);
  EXPECT_LT(largest_rigidity_error(run), 1e-4);
}

TEST(SlowWreckingBall, ChainHoldsAndTheBallGoesThroughTheStack) {
  SceneRun run("affine/wrecking_ball.json");
  run.check_every(10);
  // Two taut links of 1.5 m and 0.19 m thickness have their centers 1.12 m apart.
  run.each_step([](const SceneRun& now) {
    for (int i = 2; i <= 12; ++i) {
      const Vector3 a = now.motion(fmt::format("link-{}", i)).center;
      const Vector3 b = now.motion(fmt::format("link-{}", i + 1)).center;
      EXPECT_LT((a - b).norm(), 1.13) << "links " << i << " and " << i + 1 << " at " << now.time() << " s";
    }
  });
  run.run(155);
  const RigidMotion before = run.motion("ball");
  EXPECT_LT(before.center.x(), -2);  // has not struck the stack yet
  // From rest at 50 degrees the ball has gained what it lost in height, less what tightening the chain cost.
  EXPECT_NEAR(before.velocity.norm(), std::sqrt(2 * 9.81 * (11.167 - before.center.y())), 1.0);
  run.run(20);
  EXPECT_GT(run.motion("ball").center.x(), -1.5);  // its front is half a metre inside of where the stack was
  EXPECT_LT(largest_rigidity_error(run), 1e-4);
}

}  // namespace
}  // namespace bulwark
