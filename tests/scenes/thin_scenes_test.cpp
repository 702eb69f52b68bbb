// The scenes of shells and rods.
#include <scenes/scene_run.hpp>

#include <bulwark/terms/shells.hpp>

namespace bulwark {
namespace {

/// The largest stretch of any shell of the scene, now.
double largest_stretch(const SceneRun& run) {
  const World& world = run.world();
  const Shells shells(world.elements, world.rest);
  return shells.largest_stretch_of_all(world.state.position);
}

TEST(SlowThinScenes, ClothDrapesOverTheBall) {
  SceneRun run("thin/cloth_on_sphere.json");
  run.check_every(5);
  run.run();
  EXPECT_NEAR(run.highest("cloth"), 0.2, 0.02);  // it lies on top
  EXPECT_LT(run.lowest("cloth"), -0.05);         // and hangs down
  const RigidMotion cloth = run.motion("cloth");
  EXPECT_LT(std::hypot(cloth.center.x(), cloth.center.z()), 0.05);
  EXPECT_GT(run.most_contacts(), 100);
}

TEST(SlowThinScenes, CandyWindsUpWithinItsStrainLimit) {
  SceneRun run("thin/candy.json");
  run.check_every(10);
  double stretch = 0;
  run.each_step([&](const SceneRun& now) { stretch = std::max(stretch, largest_stretch(now)); });
  run.run();
  EXPECT_LT(stretch, 1.1);
  // The waist is narrow.
  double waist = 1;
  const Vectors x = run.positions("wrap");
  for (int k = 0; k < x.cols(); ++k) waist = std::min(waist, std::hypot(x(0, k), x(2, k)));
  EXPECT_LT(waist, 0.03);
}

TEST(ThinScenes, AClothIsCaughtBetweenAStiffBallAndASoftOne) {
  SceneRun run("thin/sandwich.json");
  run.check_every(2);
  run.run();
  // The soft ball fell onto the floor, the stiff one onto it, and is not through.
  EXPECT_GT(run.lowest("soft"), -0.6);
  EXPECT_NEAR(run.motion("stiff").center.y(), 0.52, 0.1);
  EXPECT_GT(run.motion("stiff").center.y() - run.motion("soft").center.y(), 0.6);
  EXPECT_GT(run.most_contacts(), 100);
}

TEST(SlowThinScenes, RodsPileUpAtTheirMinimumDistance) {
  SceneRun run("thin/rod_pile.json");
  run.check_every(5);
  run.run();
  EXPECT_GT(run.smallest_distance(), 2e-3);
  EXPECT_LT(run.fastest(), 0.1);
  for (const Body& body : run.world().bodies) {
    if (body.kind == BodyKind::rod) {
      EXPECT_LT(run.highest(body.name), 0.05) << body.name;
    }
  }
}

TEST(SlowThinScenes, CurtainCatchesTheBall) {
  SceneRun run("thin/curtain.json");
  run.check_every(10);
  double deepest = 1;
  run.each_step([&](const SceneRun& now) { deepest = std::min(deepest, now.motion("ball").center.z()); });
  run.run();
  EXPECT_GT(deepest, -0.8);
  EXPECT_LT(largest_stretch(run), 1.15);
}

}  // namespace
}  // namespace bulwark
