// The validation scenes of packages: a vase on foam that is shaken, and tyres that fall into a crate with a springboard. The
// default tests take elements of the first order and longer steps; the slow ones run the scenes as they are.
#include <scenes/scene_run.hpp>

#include <bulwark/sim/joint_inertia.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace bulwark {
namespace {

using Overrides = std::vector<std::string>;

/// The foam's base moves by 5 mm to both sides; the vase has half a millimetre of play in its recess.
void expect_vase_in_recess(const Overrides& overrides, int check_every) {
  SceneRun run("validation/vase_on_foam.json", overrides);
  run.check_every(check_every);
  const double height = run.motion("vase").center.y();
  double farthest = 0, highest = 0, tilt = 0, settled_push = 0;
  int settled = 0;
  run.each_step([&](const SceneRun& now) {
    const RigidMotion vase = now.motion("vase");
    farthest = std::max(farthest, std::hypot(vase.center.x(), vase.center.z()));
    highest = std::max(highest, vase.center.y() - height);
    tilt = std::max(tilt, std::acos(std::min(1.0, vase.rotation(1, 1))));
    if (now.time() < 0.05 || now.time() > 0.1) return;
    settled_push += now.contact_force("vase").y();
    ++settled;
  });
  run.run();
  const World& world = run.world();
  const double weight = 9.81 * mass_of(world, run.body("vase"));
  EXPECT_NEAR(settled_push / settled, weight, 0.05 * weight);
  EXPECT_GT(farthest, 0.003);
  EXPECT_LT(farthest, 0.02);
  EXPECT_LT(highest, 0.01);  // the recess is 20 mm deep
  EXPECT_LT(tilt, 15 * M_PI / 180);
}

TEST(VaseOnFoam, StaysInItsRecessWhileTheBaseIsShaken) {
  expect_vase_in_recess({"/time/step=4e-3", "/time/duration=0.14", "/bodies/0/order=1", "/bodies/1/order=1"},
                        20);
}

TEST(SlowVaseOnFoam, StaysInItsRecessWhileTheBaseIsShaken) {
  expect_vase_in_recess({}, 50);
}

/// Of its outer surface: the controls of a shell are places and slopes.
double lowest_vertex(const SceneRun& run, const std::string& name) {
  const Body& body = run.world().bodies[run.body(name)];
  const Vectors vertices = vertex_positions(run.world().collision, run.world().state.position);
  return vertices.row(1).segment(body.first_vertex, body.vertex_count).minCoeff();
}

void expect_tyres_caught(const Overrides& overrides, int check_every, double bend) {
  SceneRun run("validation/mixed_drop.json", overrides);
  run.check_every(check_every);
  const double start = lowest_vertex(run, "springboard");
  run.run();
  EXPECT_GT(run.most_contacts(), 20);
  EXPECT_LT(lowest_vertex(run, "springboard"), start - bend);
  for (int k = 1; k <= 9; ++k) {
    const Vectors tyre = run.positions("tyre " + std::to_string(k));
    EXPECT_GT(tyre.row(1).minCoeff(), 0) << k;
    EXPECT_LT(tyre.row(0).cwiseAbs().maxCoeff(), 0.35) << k;
    EXPECT_LT(tyre.row(2).cwiseAbs().maxCoeff(), 0.25) << k;
  }
}

TEST(MixedDrop, TheSpringboardBendsUnderTyresThatStayInTheCrate) {
  Overrides overrides = {"/time/step=0.0125", "/time/duration=0.25"};
  for (int body = 2; body <= 10; ++body) overrides.push_back("/bodies/" + std::to_string(body) + "/order=1");
  expect_tyres_caught(overrides, 5, 0.01);
}

TEST(SlowMixedDrop, TheSpringboardBendsUnderTyresThatStayInTheCrate) {
  expect_tyres_caught({}, 15, 0.05);
}

}  // namespace
}  // namespace bulwark
