// Stiff bodies on joints together with cloth and rods.
#include <scenes/joint_watch.hpp>

namespace bulwark {
namespace {

constexpr double gravity = 9.81;

double mass_of(const SceneRun& run, const std::string& name) {
  const Body& body = run.world().bodies[run.body(name)];
  if (body.stiff >= 0) return run.world().stiff[body.stiff].mass;
  return run.world().gravity_mass.segment(body.first_control, body.control_count).sum();
}

TEST(CoatRack, ClothFallsAndStaysOnTheBar) {
  SceneRun run("multibody/coat-rack.json");
  JointWatch joints(run, 1e-11);
  run.check_every(5);
  run.run(10);
  const Vectors cloth = run.positions("coat");
  EXPECT_LT(cloth.row(1).minCoeff(), cloth.row(1).maxCoeff() - 0.1);
}

TEST(SlowCoatRack, ClothHangsByItsMiddleAndTheEndsCarryAllWeight) {
  SceneRun run("multibody/coat-rack.json");
  JointWatch joints(run, 1e-11);
  run.check_every(25);
  run.run();
  const Vectors cloth = run.positions("coat");
  EXPECT_LT(cloth.row(1).minCoeff(), cloth.row(1).maxCoeff() - 0.3);
  double weight = 0;
  for (const Body& body : run.world().bodies) weight += gravity * mass_of(run, body.name);
  EXPECT_NEAR(joints.force("end-1").y() + joints.force("end-6").y(), weight, 0.05 * weight);
}

/// The hand's force on the tackle (N) for a load of this density; its volume is 1e-4 m^3.
double pull(double density) {
  SceneRun run("multibody/pulley.json", {"/materials/load/density=" + std::to_string(density)});
  JointWatch joints(run, 1e-11);
  run.check_every(12);
  run.run();
  EXPECT_LT(run.fastest("load"), 2e-3);
  return joints.force("pull").norm();
}

double ideal_pull(double density) {
  return gravity * (density * 1e-4 + 7 * 18.14e-3) / 8;
}

TEST(Pulleys, HoldALoadOf250GramsByTheForceOfTheIdealTackle) {
  EXPECT_NEAR(pull(2500), ideal_pull(2500), 0.02 * ideal_pull(2500));
}

TEST(SlowPulleys, HoldEveryLoadByTheForceOfTheIdealTackle) {
  for (const double density : {500.0, 1000.0, 1500.0, 2000.0})
    EXPECT_NEAR(pull(density), ideal_pull(density), 0.02 * ideal_pull(density)) << density;
}

TEST(SlowBridge, SagsAndTheBallRollsOnItAndFalls) {
  SceneRun run("multibody/hanging-bridge.json");
  double lowest_board = INFINITY;
  JointWatch joints(run, 1e-11, [&](const SceneRun& r) {
    lowest_board = std::min(lowest_board, r.motion("board-20").center.y());
  });
  run.check_every(8);
  run.run();
  EXPECT_LT(lowest_board, 1.4);
  EXPECT_GT(lowest_board, 1.0);
  EXPECT_GT(run.motion("ball").center.x(), -1.7);  // it rolled towards the middle
  EXPECT_LT(run.largest_rigidity_error(), 1e-4);
}

TEST(SlowUmbrella, ClosesEvenlyAndItsCanopyFolds) {
  SceneRun run("multibody/umbrella.json");
  JointWatch joints(run, 1e-11);
  run.check_every(4);
  run.run();
  EXPECT_NEAR(joints.coordinate("piston"), -0.21, 1e-3);
  for (int rib = 1; rib <= 6; ++rib)
    EXPECT_NEAR(std::abs(joints.degrees("rib-" + std::to_string(rib))), 37, 1.5) << rib;
  const Vectors canopy = run.positions("canopy");
  EXPECT_LT(canopy.row(0).maxCoeff() - canopy.row(0).minCoeff(), 0.75);  // from 0.87 m
}

TEST(SlowCandy, IsWrappedTightAndStaysInside) {
  SceneRun run("multibody/candy.json");
  run.check_every(5);
  run.run();
  double knot = INFINITY;
  const Vectors wrap = run.positions("wrap");
  for (Eigen::Index i = 0; i < wrap.cols(); ++i) {
    if (std::abs(wrap(0, i)) < 0.17) knot = std::min(knot, wrap.col(i).tail<2>().norm());
  }
  EXPECT_LT(knot, 0.03);  // from 0.07 m
  EXPECT_LT(run.motion("candy").center.norm(), 0.03);
}

TEST(SlowHammock, CarriesTheRagdoll) {
  SceneRun run("multibody/hammock.json");
  JointWatch joints(run, 1e-11);
  run.check_every(8);
  run.run();
  EXPECT_GT(run.lowest("pelvis"), 0.5);
  EXPECT_LT(std::abs(run.motion("pelvis").center.z()), 0.5);
}

TEST(Ship, GathersWayByTheWindsImpulse) {
  SceneRun run("multibody/ship.json");
  JointWatch joints(run, 1e-11);
  run.check_every(20);
  run.run(60);
  double mass = 0;
  Vector3 momentum = Vector3::Zero();
  for (const Body& body : run.world().bodies) {
    if (body.kind == BodyKind::obstacle) continue;
    const double own = mass_of(run, body.name);
    mass += own;
    momentum += own * run.motion(body.name).velocity;
  }
  const double impulse = 40 * (0.6 - 0.15);  // from 0 to 40 N in 0.3 s, then even
  EXPECT_NEAR(momentum.x(), impulse, 0.05 * impulse);
  const Vectors sail = run.positions("sail");
  const double yard = run.motion("yard").center.x();
  EXPECT_GT(sail.row(0).maxCoeff() - yard, 0.08);  // it bulges beyond the 0.04 m of its edges
}

TEST(SlowShip, StrikesTheRockWithItsSoftBow) {
  SceneRun run("multibody/ship.json");
  JointWatch joints(run, 1e-11);
  run.check_every(20);
  run.run();
  EXPECT_LT(run.motion("hull").velocity.x(), 0.5);          // it was stopped
  EXPECT_LT(run.positions("bow").row(0).maxCoeff(), 1.95);  // short of the rock
  EXPECT_LT(run.largest_rigidity_error(), 1e-3);
}

}  // namespace
}  // namespace bulwark
