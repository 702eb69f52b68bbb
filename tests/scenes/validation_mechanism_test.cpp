// The validation scenes of flexible mechanisms: double pendulums of T10 beams in motion and under a pull. The default tests take
// longer steps than the scenes; the slow ones run these as they are.
#include <scenes/scene_run.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace bulwark {
namespace {

using Overrides = std::vector<std::string>;

constexpr double beam_mass = 0.96, weight = 9.81 * beam_mass;

/// The largest error of all joints over a run, the largest rise of the energy in a step, and how far out of its plane it came.
struct MechanismRun {
  double error = 0, rise = 0, out_of_plane = 0;
};
MechanismRun watch(SceneRun& run, int steps = -1) {
  MechanismRun result;
  double before = std::numeric_limits<double>::infinity();
  // Not by SceneRun::run: the scenes have no contact, and the beams' ends overlap where they turn.
  Simulation& simulation = const_cast<Simulation&>(run.simulation());
  for (int step = 0; step < (steps < 0 ? run.settings().time.steps : steps); ++step) {
    const double energy = simulation.step().energies.total();
    for (const JointState& joint : simulation.joint_states())
      result.error = std::max(result.error, joint.error);
    result.rise = std::max(result.rise, energy - before);
    before = energy;
    const Vectors& q = simulation.world().state.position;
    result.out_of_plane = std::max(result.out_of_plane, q.row(1).cwiseAbs().maxCoeff());
  }
  return result;
}

void expect_pulled(const std::string& joint, double pull, const Overrides& more) {
  SCOPED_TRACE(joint + " pulled by " + std::to_string(pull));
  Overrides overrides = more;
  overrides.push_back("/bodies/1/force/values=[[0,0,0],[0,0," + std::to_string(-pull) + "]]");
  SceneRun run("validation/pull_" + joint + ".json", overrides);
  const MechanismRun watched = watch(run);
  EXPECT_LT(watched.error, 1.01e-8);
  const std::vector<JointState>& states = run.simulation().joint_states();
  const double upper = 2 * weight + pull, lower = weight + pull;
  EXPECT_NEAR(states[0].force.z(), upper, 1e-3 * upper);
  EXPECT_NEAR(states[1].force.z(), lower, 1e-3 * lower);
  EXPECT_LT(states[0].force.head<2>().norm(), 1e-3 * upper);
  EXPECT_LT(states[1].force.head<2>().norm(), 1e-3 * lower);
}

TEST(MechanismScenes, JointsOfPulledPendulumsCarryWhatStaticsSays) {
  for (const std::string joint : {"revolute", "spherical"})
    expect_pulled(joint, 40, {"/time/step=4e-3", "/time/steps=150"});
}

TEST(MechanismScenes, RevolutePendulumStaysInItsPlaneAndLosesEnergy) {
  SceneRun run("validation/double_pendulum_revolute.json", {"/time/step=4e-3"});
  const MechanismRun watched = watch(run, 60);
  EXPECT_LT(watched.error, 1.01e-8);
  EXPECT_LT(watched.out_of_plane, 0.021);  // half of its width is 0.02
  EXPECT_LT(watched.rise, 1e-6);
}

TEST(MechanismScenes, SphericalPendulumLeavesThePlane) {
  SceneRun run("validation/double_pendulum_spherical.json", {"/time/step=4e-3"});
  const MechanismRun watched = watch(run, 60);
  EXPECT_LT(watched.error, 1.01e-8);
  EXPECT_GT(watched.out_of_plane, 0.05);
  EXPECT_LT(watched.rise, 1e-6);
}

TEST(SlowMechanismScenes, JointsOfPulledPendulumsCarryWhatStaticsSays) {
  for (const std::string joint : {"revolute", "spherical"}) {
    for (const double pull : {20, 80}) expect_pulled(joint, pull, {});
  }
}

}  // namespace
}  // namespace bulwark
