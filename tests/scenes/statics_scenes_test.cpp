// The scenes of static equilibria.
#include <scenes/scene_run.hpp>

namespace bulwark {
namespace {

TEST(StaticsScenes, TheColumnBucklesIntoTheElastica) {
  SceneRun run("statics/column.json");
  double straight = 0;  // the tip's way aside at 0.96 of Euler's load
  run.each_step([&](const SceneRun& now) {
    if (now.world().state.step == 20) straight = now.positions("column")(0, 40);
  });
  run.run();
  EXPECT_LT(std::abs(straight), 0.02);
  const Vector3 tip = run.positions("column").col(40);
  EXPECT_NEAR(tip.x(), 0.593, 0.02);
  EXPECT_NEAR(tip.y(), 0.741, 0.02);
}

TEST(StaticsScenes, ThePressMeetsARingThatStiffens) {
  SceneRun run("statics/seal_press.json");
  std::vector<double> force;
  run.each_step([&](const SceneRun& now) {
    Vector3 sum = Vector3::Zero();
    const int plate = now.body("plate");
    for (const ContactForce& contact : now.simulation().contacts()) {
      if (contact.body_a == plate) sum += contact.normal_force + contact.friction_force;
      if (contact.body_b == plate) sum -= contact.normal_force + contact.friction_force;
    }
    force.push_back(sum.y());
  });
  run.run();
  ASSERT_EQ(force.size(), 10U);
  for (std::size_t k = 2; k < force.size(); ++k)
    EXPECT_GT(force[k] - force[k - 1], force[k - 1] - force[k - 2]) << "step " << k + 1;
  EXPECT_EQ(run.fastest(), 0);
}

TEST(StaticsScenes, FourCornersCarryTheAwning) {
  SceneRun run("statics/awning.json");
  run.run();
  double weight = 0;
  for (int c = 0; c < run.world().control_count(); ++c) weight += 9.81 * run.world().gravity_mass[c];
  ASSERT_EQ(run.simulation().reactions().size(), 4U);
  for (const Reaction& corner : run.simulation().reactions())
    EXPECT_NEAR(corner.wrench.force.y(), weight / 4, 1e-3 * weight);
}

}  // namespace
}  // namespace bulwark
