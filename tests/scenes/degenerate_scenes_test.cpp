// The scenes of degenerate placements: points, edges and faces that meet exactly, and stacks of unequal
// cubes. Each is stepped to its end with the exact intersection test after every step; then its right result
// is asserted.
#include <scenes/scene_run.hpp>

namespace bulwark {
namespace {

double height(const SceneRun& run, const std::string& body) {
  return run.highest(body) - run.lowest(body);
}

TEST(DegenerateScenes, TetrahedronBalancesPointOnPoint) {
  SceneRun run("ipc/tets_point_on_point.json");
  run.run();
  // Tip on tip in the axis, lower by what the tips give way.
  EXPECT_GT(run.lowest("upper"), 0.65);
  EXPECT_LT(run.lowest("upper"), 0.82);
  EXPECT_NEAR(run.lowest("upper"), run.highest("lower"), 3e-3);
  EXPECT_LT(run.turned_degrees("upper"), 0.15);
  EXPECT_LT(run.fastest(), 0.1);
}

TEST(DegenerateScenes, TetrahedronTopplesWhenThePointsMissByAMillimetre) {
  SceneRun run("ipc/tets_point_on_point.json", {"/bodies/2/position=[0.001, 1.53, 0.0005]"});
  run.run();
  EXPECT_GT(run.lowest("upper"), 0);
  EXPECT_GT(run.turned_degrees("upper"), 20);
  EXPECT_LT(run.motion("upper").center.y(), 0.6);
}

TEST(DegenerateScenes, TetrahedronBalancesPointOnEdge) {
  SceneRun run("ipc/tets_point_on_edge.json");
  run.run();
  const double edge = std::sqrt(2.0) / 4;  // half the distance of opposite edges
  EXPECT_GT(run.lowest("upper"), edge);
  EXPECT_LT(run.lowest("upper"), edge + 4e-3);
  EXPECT_LT(run.turned_degrees("upper"), 0.15);
  EXPECT_LT(run.fastest(), 0.02);
}

TEST(DegenerateScenes, TetrahedronBalancesPointOnFace) {
  SceneRun run("ipc/tets_point_on_face.json");
  run.run();
  EXPECT_NEAR(run.motion("upper").center.x(), 0, 1e-3);
  EXPECT_NEAR(run.motion("upper").center.z(), 0, 1e-3);
  EXPECT_GT(run.motion("upper").center.y(), 1.4);
  EXPECT_LT(run.turned_degrees("upper"), 0.15);
  EXPECT_LT(run.fastest(), 0.02);
}

TEST(DegenerateScenes, TetrahedraBalanceEdgeOnEdge) {
  SceneRun run("ipc/tets_edge_on_edge.json");
  run.run();
  const double edge = std::sqrt(2.0) / 4;
  for (const std::string pair : {"crossed", "parallel"}) {
    EXPECT_GT(run.lowest("upper-" + pair), edge) << pair;
    EXPECT_LT(run.lowest("upper-" + pair), edge + 8e-3) << pair;
    EXPECT_LT(run.turned_degrees("upper-" + pair), 0.1) << pair;
  }
  EXPECT_LT(run.fastest(), 0.02);
}

TEST(DegenerateScenes, AlignedCubesRestOneUponTheOther) {
  SceneRun run("ipc/cubes_aligned.json");
  run.run();
  for (const std::string cube : {"lower", "upper"}) {
    EXPECT_NEAR(run.motion(cube).center.x(), 0, 1e-3);
    EXPECT_NEAR(run.motion(cube).center.z(), 0, 1e-3);
    EXPECT_LT(run.turned_degrees(cube), 0.1);
    EXPECT_GT(height(run, cube), 0.8);
    EXPECT_LT(height(run, cube), 1.0);
  }
  EXPECT_GT(run.lowest("upper"), 0.8);
  EXPECT_LT(run.fastest(), 0.1);
}

TEST(DegenerateScenes, FiveAlignedCubesStandAsAStraightStack) {
  SceneRun run("ipc/cube_stack.json");
  run.run();
  double below = -0.1;
  for (int k = 0; k < 5; ++k) {
    const std::string cube = "cube[0," + std::to_string(k) + ",0]";
    const Vector3 center = run.motion(cube).center;
    EXPECT_NEAR(center.x(), 0, 4e-3) << cube;
    EXPECT_NEAR(center.z(), 0, 4e-3) << cube;
    EXPECT_GT(center.y(), below + 0.2) << cube;
    EXPECT_LT(run.turned_degrees(cube), 1) << cube;
    below = center.y();
  }
  EXPECT_LT(run.fastest(), 0.01);
}

TEST(DegenerateScenes, TetrahedronSitsInTheCorner) {
  SceneRun run("ipc/tet_corner.json");
  run.run();
  EXPECT_GT(run.lowest("tet"), 0);
  EXPECT_LT(run.lowest("tet"), 0.01);
  EXPECT_LT(run.turned_degrees("tet"), 0.01);
  EXPECT_LT(run.fastest(), 1e-6);
  const double weight = 1000 * 9.81 / (6 * std::sqrt(2.0));
  EXPECT_NEAR(run.contact_force("tet").y(), weight, 1e-6 * weight);
}

TEST(DegenerateScenes, SpikeBalancesOnSpike) {
  SceneRun run("ipc/spikes.json");
  run.run();
  EXPECT_GT(run.lowest("spike"), 0);
  EXPECT_LT(run.lowest("spike"), 3e-3);
  EXPECT_LT(run.turned_degrees("spike"), 0.1);
  EXPECT_LT(run.fastest(), 0.1);
}

TEST(DegenerateScenes, SpikeBalancesOnWedge) {
  SceneRun run("ipc/spike_and_wedge.json");
  run.run();
  EXPECT_GT(run.lowest("spike"), 0);
  EXPECT_LT(run.lowest("spike"), 3e-3);
  EXPECT_LT(run.turned_degrees("spike"), 0.1);
  EXPECT_LT(run.fastest(), 0.1);
}

TEST(DegenerateScenes, WedgeMeetsWedgeAndFallsToItsSide) {
  SceneRun run("ipc/wedges.json");
  run.run(20);  // the edges meet after 0.14 s
  EXPECT_GT(run.most_contacts(), 0);
  EXPECT_GT(run.motion("wedge").velocity.y(), -9.81 * 0.2 + 0.2);  // slower than in free fall
  run.run(280);
  EXPECT_GT(run.lowest("wedge"), -1.01);
  EXPECT_GT(std::abs(run.motion("wedge").center.x()), 0.5);
}

TEST(DegenerateScenes, SpikeFillsTheHole) {
  SceneRun run("ipc/spike_in_hole.json");
  run.run();
  EXPECT_GT(run.lowest("spike"), 0);
  EXPECT_LT(run.lowest("spike"), 0.01);
  EXPECT_LT(run.turned_degrees("spike"), 0.1);
  EXPECT_LT(run.fastest(), 0.02);
}

TEST(DegenerateScenes, SpikeAndWedgeRestInTheCrack) {
  for (const std::string name : {"spike", "wedge"}) {
    SceneRun run("ipc/" + name + "_in_crack.json");
    run.run();
    EXPECT_GT(run.lowest(name), 0) << name;
    EXPECT_LT(run.lowest(name), 0.03) << name;
    EXPECT_NEAR(run.motion(name).center.x(), 0, 5e-3) << name;
    EXPECT_LT(run.turned_degrees(name), 2) << name;
    EXPECT_LT(run.motion(name).velocity.norm(), 0.02) << name;
  }
}

TEST(DegenerateScenes, SpikeAndWedgeGlideAlongTheCrack) {
  for (const std::string name : {"spike", "wedge"}) {
    SceneRun run("ipc/sliding_" + name + ".json");
    run.run();
    EXPECT_NEAR(run.motion(name).velocity.z(), 1, 0.05) << name;
    EXPECT_NEAR(run.motion(name).center.z(), 1, 0.1) << name;
    EXPECT_NEAR(run.motion(name).center.x(), 0, 5e-3) << name;
    EXPECT_GT(run.lowest(name), 0) << name;
    EXPECT_LT(run.turned_degrees(name), 3) << name;
  }
}

TEST(DegenerateScenes, CubeRestsAtTheCliffEdge) {
  SceneRun run("ipc/cliff_edge.json");
  run.run();
  EXPECT_GT(run.lowest("cube"), 0);
  EXPECT_LT(run.lowest("cube"), 3e-3);
  EXPECT_NEAR(run.motion("cube").center.x(), 0, 5e-3);
  EXPECT_NEAR(run.motion("cube").center.z(), 0, 5e-3);
  EXPECT_LT(run.turned_degrees("cube"), 0.1);
}

TEST(DegenerateScenes, CubeRestsOnInternalEdgesAsOnAPlane) {
  SceneRun run("ipc/internal_edges.json");
  run.run();
  EXPECT_GT(run.lowest("cube"), 0);
  EXPECT_LT(run.lowest("cube"), 3e-3);
  EXPECT_NEAR(run.motion("cube").center.x(), 0, 5e-3);
  EXPECT_NEAR(run.motion("cube").center.z(), 0, 5e-3);
  EXPECT_LT(run.turned_degrees("cube"), 0.2);
}

TEST(DegenerateScenes, BlockSinksIntoTheTightSlot) {
  SceneRun run("ipc/tight_slot.json");
  run.run();
  // The floor of the pit: the box's nodes that begin in its centre plane, at the pit's corners.
  double floor = 1;
  const int box = run.body("box"), first = run.world().bodies[box].first_control;
  for (int i = first; i < first + run.world().bodies[box].control_count; ++i) {
    const Vector3 rest = run.world().rest.col(i);
    if (std::abs(rest.x()) < 0.3 && std::abs(rest.z()) < 0.3 && rest.y() > 0.2 && rest.y() < 0.9) {
      floor = std::min(floor, run.world().state.position(1, i));
    }
  }
  EXPECT_NEAR(run.lowest("block"), floor, 0.02);
  EXPECT_NEAR(run.motion("block").center.x(), run.motion("box").center.x(), 0.01);
  EXPECT_NEAR(run.motion("block").center.z(), run.motion("box").center.z(), 0.01);
  EXPECT_LT(run.turned_degrees("block"), 2);
  EXPECT_LT(run.fastest(), 0.01);
}

TEST(MassRatioScenes, FiveCubesEachTenTimesAsHeavyStandStill) {
  SceneRun run("ipc/mass_ratio_stack.json");
  run.run();
  for (int k = 1; k <= 5; ++k) {
    const std::string cube = "cube-" + std::to_string(k);
    EXPECT_NEAR(run.motion(cube).center.x(), 0, 1e-2) << cube;
    EXPECT_LT(run.turned_degrees(cube), 0.5) << cube;
    EXPECT_GT(height(run, cube), 0.36) << cube;
    EXPECT_LT(run.motion(cube).velocity.norm(), 0.02) << cube;
  }
  const double weight = 11111 * 10 * 0.064 * 9.81;
  EXPECT_NEAR(run.contact_force("cube-1").y(), 10 * 0.064 * 9.81, 0.02 * weight);
  EXPECT_NEAR(run.contact_force("cube-5").y(), 1e5 * 0.064 * 9.81, 0.02 * weight);
}

TEST(MassRatioScenes, LargeStiffCubeRestsOnASmallSoftOne) {
  SceneRun run("ipc/cube_on_small_cube.json");
  run.run();
  EXPECT_LT(run.turned_degrees("large"), 0.1);
  EXPECT_NEAR(run.motion("large").center.x(), 0, 1e-3);
  EXPECT_GT(height(run, "small"), 0.3);
  EXPECT_LT(height(run, "small"), 0.42);
  EXPECT_NEAR(run.lowest("large"), run.highest("small"), 3e-3);
  EXPECT_LT(run.fastest(), 0.02);
  EXPECT_NEAR(run.contact_force("large").y(), 1e4 * 9.81, 0.02 * 1e4 * 9.81);
}

}  // namespace
}  // namespace bulwark
