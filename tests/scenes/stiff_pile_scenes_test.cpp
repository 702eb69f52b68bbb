// Stiff bodies in chains, nets and heaps, and beside soft ones.
#include <scenes/body_shape.hpp>
#include <scenes/scene_run.hpp>

namespace bulwark {
namespace {

void expect_rigid(const SceneRun& run) {
  EXPECT_LT(run.largest_rigidity_error(), 1e-4);
}

std::string node(int i, int k) {
  return "node[" + std::to_string(i) + ",0," + std::to_string(k) + "]";
}

/// The net hangs in its border, deepest in the middle, and no link has left its neighbours.
void expect_net_holds(const SceneRun& run, int count) {
  // Neighbouring centers, taut, are (0.25 + 0.405 - 0.095) + (0.25 + 0.405 - 0.095) m apart at most.
  constexpr double taut = 1.12;
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < count; ++k) {
      for (const int side : {0, 1}) {
        const std::string along_x = "along-x[" + std::to_string(i + side) + ",0," + std::to_string(k) + "]";
        const std::string along_z = "along-z[" + std::to_string(i) + ",0," + std::to_string(k + side) + "]";
        const Vector3 center = run.motion(node(i, k)).center;
        EXPECT_LT((run.motion(along_x).center - center).norm(), taut) << along_x;
        EXPECT_LT((run.motion(along_z).center - center).norm(), taut) << along_z;
      }
    }
  }
}

TEST(ChainNetScenes, RigidNetOfFourByFourHangsInItsBorder) {
  SceneRun run("rigid/chain_net_4x4.json");
  run.check_every(5);
  run.run(100);
  expect_net_holds(run, 2);
  EXPECT_LT(run.motion(node(0, 0)).center.y(), -0.5);
}

TEST(ChainNetScenes, NetOfEightByEightFallsTheSameOnAllSides) {
  SceneRun run("affine/chain_net_8x8.json");
  run.check_every(10);
  run.run(30);
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < 6; ++k) {
      const Vector3 x = run.motion(node(i, k)).center;
      EXPECT_NEAR(x.y(), run.motion(node(5 - i, k)).center.y(), 1e-3);
      EXPECT_NEAR(x.y(), run.motion(node(i, 5 - k)).center.y(), 1e-3);
    }
  }
  EXPECT_LT(run.motion(node(2, 2)).center.y(), run.motion(node(0, 2)).center.y() + 1e-6);
  expect_rigid(run);
}

TEST(SlowChainNetScenes, NetOfEightByEightHangsInItsBorder) {
  SceneRun run("affine/chain_net_8x8.json");
  run.check_every(10);
  run.run(150);
  expect_net_holds(run, 6);
  EXPECT_LT(run.motion(node(2, 2)).center.y(), run.motion(node(0, 2)).center.y() - 0.5);
  expect_rigid(run);
}

TEST(SlowChainNetScenes, NetOfSixteenBySixteenIsStruckByABall) {
  SceneRun run("affine/chain_net_16x16.json");
  run.check_every(20);
  run.run(110);
  expect_net_holds(run, 14);
  EXPECT_GT(run.most_contacts(), 500);
  expect_rigid(run);
}

TEST(AnchorScene, ChainAroundTheAxleHoldsTheAnchor) {
  SceneRun run("affine/anchor.json");
  run.check_every(5);
  run.run(100);
  for (int i = 1; i < 21; ++i) {
    const std::string name = "link-" + std::to_string(i), next = "link-" + std::to_string(i + 1);
    EXPECT_LT((run.motion(next).center - run.motion(name).center).norm(), 0.265) << name;  // 0.26 m when taut
  }
  EXPECT_LT(run.motion("anchor").center.y(), -0.55);
  EXPECT_LT((run.motion("anchor").center - run.motion("link-21").center).norm(), 0.8);
  expect_rigid(run);
}

TEST(StiffSpikesScene, HollowBodiesComeToRestOnSpikes) {
  SceneRun run("affine/spikes.json");
  run.check_every(10);
  run.run(150);
  for (const std::string name : {"torus", "nut", "link", "gear"}) {
    EXPECT_GT(run.lowest(name), -0.1) << name;   // above the ground between the spikes
    EXPECT_LT(run.lowest(name), 0.101) << name;  // down at the tips or below
    EXPECT_LT(run.motion(name).velocity.norm(), 0.3) << name;
  }
  expect_rigid(run);
}

TEST(SlowPackingScene, PartsKeepAMillimetreApart) {
  SceneRun run("affine/packing.json");
  run.check_every(10);
  run.run(80);
  EXPECT_GT(run.smallest_distance(), 1e-3);
  for (const std::string name : {"torus", "capsule", "link", "nut", "box", "cone", "gear", "bolt"}) {
    const Vectors x = run.positions(name);
    EXPECT_GT(x.row(1).minCoeff(), 1e-3) << name;
    EXPECT_LT(x.row(0).cwiseAbs().maxCoeff(), 0.144) << name;
    EXPECT_LT(x.row(2).cwiseAbs().maxCoeff(), 0.144) << name;
  }
  expect_rigid(run);
}

TEST(HybridScene, StiffHullStandsOnSoftFeetWithASoftLoad) {
  SceneRun run("affine/hybrid.json");
  run.check_every(10);
  run.run(100);
  const double carried = weight(run, "hull");
  double feet = 0;
  for (const std::string foot : {"foot[0,0,0]", "foot[0,0,1]", "foot[1,0,0]", "foot[1,0,1]"}) {
    EXPECT_LT(extent(run, foot, 1), 0.299) << foot;  // of 0.3
    EXPECT_GT(extent(run, foot, 1), 0.25) << foot;
    feet += run.highest(foot);
  }
  EXPECT_NEAR(run.lowest("hull"), feet / 4, 3e-3);
  EXPECT_LT(run.turned_degrees("hull"), 1);
  EXPECT_LT(run.motion("hull").velocity.norm(), 0.1);
  EXPECT_NEAR(run.contact_force("hull").y(), carried, 0.15 * carried);
  for (const std::string load : {"load[0,0,0]", "load[1,0,1]"}) {
    EXPECT_GT(run.lowest(load), run.lowest("hull") + 0.5) << load;  // in the hold
    EXPECT_LT(run.lowest(load), run.lowest("hull") + 0.55) << load;
  }
  expect_rigid(run);
}

}  // namespace
}  // namespace bulwark
