// Shipped scenes of soft bodies among themselves: impacts, twists, compression, chains; and one scene for
// each feature of time stepping, material and load. Suites named Slow... run the long scenes to their end.
#include "body_shape.hpp"

namespace bulwark {
namespace {

constexpr double degree = 3.14159265358979323846 / 180;

/// Angle about an axis (0: x, 1: y) by which a point has turned from `start` to `now`, within half a turn of
/// `expected` (degrees).
double turned_near(double expected, const Vector3& start, const Vector3& now, int axis) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const double angle = (std::atan2(now[v], now[u]) - std::atan2(start[v], start[u])) / degree;
  return expected + std::remainder(angle - expected, 360);
}

TEST(LargeScenes, SoftMatCarriesAStiffHeavyBall) {
  SceneRun run("ipc/ball_on_mat.json");
  run.run(200);
  // It still bounces a little: over the last second the mat's push is the ball's weight on average.
  double push = 0;
  run.each_step([&](const SceneRun& r) { push += r.contact_force("ball").y() / 100; });
  run.run(100);
  EXPECT_NEAR(push, weight(run, "ball"), 0.05 * weight(run, "ball"));
  EXPECT_LT(run.motion("ball").velocity.norm(), 0.2);
  EXPECT_LT(run.lowest("mat"), -0.1);
  EXPECT_GT(run.lowest("ball"), run.lowest("mat") + 0.03);  // the mat's thickness is between
  EXPECT_LT(largest_edge_strain(run, "ball"), 1e-3);
}

void expect_rods_wound(SceneRun& run) {
  Vectors start[4];
  for (int k = 0; k < 4; ++k) start[k] = run.positions("rod" + std::to_string(k + 1));
  run.run();
  const double turned = 72 * run.time();
  for (int k = 0; k < 4; ++k) {
    const std::string rod = "rod" + std::to_string(k + 1);
    const Vectors now = run.positions(rod);
    // Script targets are met to a thousandth of a step's motion.
    for (int i = 0; i < now.cols(); ++i) {
      if (std::abs(start[k](1, i)) < 0.499) continue;
      const double expected = start[k](1, i) > 0 ? turned : -turned;
      EXPECT_NEAR(turned_near(expected, start[k].col(i), now.col(i), 1), expected, 0.1)
          << rod << " node " << i;
    }
    EXPECT_LT((now.row(0).cwiseAbs2() + now.row(2).cwiseAbs2()).maxCoeff(), 0.2 * 0.2)
        << rod << " leaves the bundle";
    EXPECT_GT(volume_ratio(run, rod), 0.7);
  }
  EXPECT_GT(run.most_contacts(), 80);
}

TEST(LargeScenes, RodsWindAroundEachOther) {
  SceneRun run("ipc/rod_twist.json", {"/time/duration=2.5"});
  expect_rods_wound(run);
  // Between the ends the twist is spread evenly, until the bundle buckles.
  for (int k = 0; k < 4; ++k) {
    const std::string rod = "rod" + std::to_string(k + 1);
    const Vector3 at_rest((k % 2 ? 0.055 : -0.055), 0, (k < 2 ? -0.055 : 0.055));
    for (double y : {-0.25, 0.0, 0.25}) {
      const double expected = 72 * run.time() * y / 0.5;
      EXPECT_NEAR(turned_near(expected, at_rest, section_center(run, rod, 1, y), 1), expected, 30)
          << rod << " at " << y;
    }
  }
}

TEST(SlowLargeScenes, RodsWindAroundEachOtherToTheEnd) {
  SceneRun run("ipc/rod_twist.json");
  expect_rods_wound(run);
}

void expect_mat_twisted(SceneRun& run) {
  const Vectors start = run.positions("mat");
  run.run();
  const Vectors now = run.positions("mat");
  const double turned = 72 * run.time();
  for (int i = 0; i < now.cols(); ++i) {
    if (std::abs(start(0, i)) < 0.499 || start.col(i).tail<2>().norm() < 0.1) continue;
    const double expected = start(0, i) > 0 ? turned : -turned;
    EXPECT_NEAR(turned_near(expected, start.col(i), now.col(i), 0), expected, 0.1) << "node " << i;
  }
  EXPECT_GT(volume_ratio(run, "mat"), 0.7);
}

TEST(LargeScenes, MatTwistsAFullTurn) {
  SceneRun run("ipc/mat_twist.json", {"/time/duration=2.48", "/bodies/0/shape/resolution=0.0625"});
  expect_mat_twisted(run);
}

TEST(SlowLargeScenes, MatTwistsTwiceAndFoldsOntoItself) {
  SceneRun run("ipc/mat_twist.json");
  expect_mat_twisted(run);
  EXPECT_GT(run.most_contacts(), 300);
}

void expect_compacted_and_released(SceneRun& run) {
  double tightest = 10;
  bool apart = false;  // at some time after the release no two soft bodies touch
  std::map<std::string, double> least_strain = {{"ball", 1}, {"box", 1}};  // after the release
  run.each_step([&](const SceneRun& r) {
    bool touching = false;
    for (const ContactForce& contact : r.simulation().contacts()) {
      touching = touching || (r.world().bodies[contact.body_a].kind == BodyKind::deformable &&
                              r.world().bodies[contact.body_b].kind == BodyKind::deformable &&
                              contact.body_a != contact.body_b);
    }
    apart = apart || (r.time() > 1.2 && !touching);
    for (auto& [name, strain] : least_strain) {
      if (r.time() > 1.2) strain = std::min(strain, largest_edge_strain(r, name));
    }
    double widest = 0;
    for (const char* name : {"ball", "mat", "box"}) {
      for (int axis = 0; axis < 3; ++axis) widest = std::max(widest, extent(r, name, axis));
    }
    tightest = std::min(tightest, widest);
  });
  run.run();
  EXPECT_LT(tightest, 0.42);  // the mat was 0.8 wide
  for (const char* name : {"ball", "mat", "box"}) EXPECT_NEAR(volume_ratio(run, name), 1, 0.02) << name;
  // They take their rest shapes again, until they strike a wall.
  for (const auto& [name, strain] : least_strain) EXPECT_LT(strain, 0.06) << name;
  EXPECT_LT(largest_edge_strain(run, "mat"), 0.2);  // thin, it goes on swinging
  EXPECT_TRUE(apart);
}

TEST(LargeScenes, CompactorLetsItsBodiesGoAgain) {
  SceneRun run("ipc/trash_compactor.json",
               {"/bodies/0/shape/resolution=0.12", "/bodies/1/shape/resolution=0.12",
                "/bodies/2/shape/resolution=0.12", "/time/step=0.025"});
  expect_compacted_and_released(run);
}

TEST(SlowLargeScenes, CompactorLetsItsBodiesGoAgainWhole) {
  SceneRun run("ipc/trash_compactor.json");
  expect_compacted_and_released(run);
}

TEST(LargeScenes, ChainHoldsAndItsFirstLinkCarriesTheOthers) {
  SceneRun run("ipc/chain.json");
  run.run();
  double below = 0;
  for (int k = 5; k >= 2; --k) {
    below += weight(run, "link" + std::to_string(k));
    EXPECT_LT(run.motion("link" + std::to_string(k)).center.y(),
              run.motion("link" + std::to_string(k - 1)).center.y() - 0.15);
  }
  EXPECT_LT(run.motion("link5").velocity.norm(), 0.2);
  EXPECT_NEAR(-run.contact_force("link1").y(), below, 0.05 * below);
}

TEST(LargeScenes, SurfacesKeepTheirMinimumDistance) {
  SceneRun run("ipc/thick_contact.json");
  run.run();
  EXPECT_GT(run.smallest_distance(), 0.01);
  double below = 0;
  EXPECT_LT(run.fastest(), 0.01);
  for (int k = 0; k < 3; ++k) {
    const std::string box = "box[0," + std::to_string(k) + ",0]";
    const double gap = run.lowest(box) - below;
    EXPECT_GT(gap, 0.0099) << box;  // boxes bulge a little: their lowest and highest points need not meet
    EXPECT_LT(gap, 0.015) << box;
    below = run.highest(box);
  }
}

TEST(LargeScenes, Bdf2KeepsMoreOfABounceThanEulerAndLessThanNewmark) {
  std::vector<double> rebounds;
  for (const std::string integrator : {"implicit-euler", "bdf2", "newmark"}) {
    SceneRun run("ipc/bdf2_bounce.json", {"/time/integrator=\"" + integrator + "\""});
    double rebound = 0;
    bool touched = false;
    run.each_step([&](const SceneRun& r) {
      touched = touched || r.reports().back().contacts > 0;
      if (touched) rebound = std::max(rebound, r.motion("ball").center.y());
    });
    run.run();
    rebounds.push_back(rebound);
  }
  EXPECT_GT(rebounds[1], rebounds[0] + 0.02);
  EXPECT_GT(rebounds[2], rebounds[1] + 0.02);
  EXPECT_LT(rebounds[2], 0.5);  // from where it fell
}

TEST(LargeScenes, ElasticModelsAgreeButForTheLinearOne) {
  SceneRun run("ipc/material_models.json");
  run.run();
  auto drop = [&](const std::string& name) { return -section_center(run, name, 0, 0.5).y(); };
  const double reference = drop("neo-hookean");
  EXPECT_GT(reference, 0.2);
  EXPECT_LT(run.fastest(), 1e-3);
  for (const char* name : {"fixed-corotational", "svk"}) {
    EXPECT_NEAR(drop(name), reference, 0.05 * reference) << name;
    EXPECT_NEAR(volume_ratio(run, name), 1, 0.02) << name;
  }
  EXPECT_GT(drop("linear-elastic"), 1.1 * reference);
  EXPECT_GT(volume_ratio(run, "linear-elastic"), 1.1);
}

TEST(LargeScenes, BeamsStretchUnderTractionAndForceAsTheFormulaSays) {
  SceneRun run("ipc/traction.json");
  run.run();
  // E/2 (s - 1/s) = p
  const double p = 5e4, E = 2e5, s = (p + std::sqrt(p * p + E * E)) / E;
  EXPECT_NEAR(section_center(run, "by traction", 0, 0.5).x() + 0.5, s, 2e-3 * s);
  EXPECT_NEAR(volume_ratio(run, "by traction"), s, 2e-3 * s);
  EXPECT_NEAR(section_center(run, "by force", 0, 0.5).x() + 0.5, s, 2e-2 * s);
}

void expect_in_bowl(const SceneRun& run) {
  for (const Body& body : run.world().bodies) {
    if (body.kind == BodyKind::obstacle) continue;
    const Vector3 center = run.motion(body.name).center;
    EXPECT_LT(std::hypot(center.x(), center.z()), 0.6) << body.name;
    EXPECT_GT(run.lowest(body.name), 0) << body.name;
  }
}

TEST(LargeScenes, SoftBodiesFallIntoTheBowl) {
  SceneRun run("ipc/soft_bowl.json", {"/time/step=0.02"});
  run.run(25);
  expect_in_bowl(run);
  EXPECT_GT(run.most_contacts(), 100);
}

TEST(SlowLargeScenes, SoftBodiesComeToLieInTheBowl) {
  SceneRun run("ipc/soft_bowl.json");
  run.run();
  expect_in_bowl(run);
  for (const Body& body : run.world().bodies) {
    if (body.kind == BodyKind::obstacle) continue;
    EXPECT_LT(run.motion(body.name).velocity.norm(), 0.3) << body.name;
  }
}

}  // namespace
}  // namespace bulwark
