// The bounce in one dimension: against the solver itself, and as a means to choose parameters.
#include <bulwark/sim/bounce.hpp>
#include <sim/stiff_scene.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace bulwark {
namespace {

Impact some_impact(const std::string& integrator, double ways_of_a_step) {
  Impact impact;
  impact.integrator = integrator;
  impact.step = 2e-3;
  impact.speed = 3;
  impact.mass = 500;
  impact.distance = ways_of_a_step * impact.step * impact.speed;
  return with_best_stiffness(impact);
}

/// The same impact as a scene: a box that flies flat onto the ground.
double restitution_in_a_scene(BodyKind kind, const Impact& impact) {
  World world;
  BodyOptions options = test::at("box", {0, 0.5 + impact.distance + 3.5 * impact.speed * impact.step, 0});
  options.velocity = {0, -impact.speed, 0};
  test::add_stiff(world, kind, surface_mesh(BoxShape{}), {impact.mass}, options);
  test::add_ground(world);
  Settings settings;
  settings.gravity.setZero();
  settings.time.integrator = impact.integrator;
  settings.time.step = impact.step;
  settings.contact.distance = {impact.distance, false};
  settings.contact.stiffness = impact.stiffness / 4;
  settings.contact.restitution_damping = impact.damping;
  settings.solver.tolerance = 1e-6;
  test::WatchedRun run(std::move(world), settings);
  run.steps(200);
  return run.motion(0).velocity.y() / impact.speed;
}

TEST(Bounce, IsThatOfABoxInTheFullSolver) {
  for (const std::string integrator : {"implicit-euler", "bdf2", "newmark"}) {
    for (const double damping : {0.0, 5e-4, 3e-3}) {
      Impact impact = some_impact(integrator, 12);
      impact.damping = damping;
      const Bounce bounce = bounce_of(impact);
      for (const BodyKind kind : test::stiff_kinds) {
        const double found = restitution_in_a_scene(kind, impact);
        const std::string what = fmt::format("{} {} {}", integrator, damping, test::name_of(kind));
        // Newmark's damped bounce depends on where in the step it begins; this one is one of many.
        const double spread = integrator == "newmark" && damping > 0 ? 1 : 0;
        EXPECT_GT(found, bounce.restitution - spread * (bounce.restitution - bounce.lowest) - 3e-3) << what;
        EXPECT_LT(found, bounce.restitution + spread * (bounce.highest - bounce.restitution) + 3e-3) << what;
      }
    }
  }
}

TEST(Bounce, OnlyScalesMatter) {
  const Impact impact = some_impact("bdf2", 10);
  Impact other = impact;
  other.mass *= 7;
  other.stiffness *= 7;
  EXPECT_NEAR(bounce_of(other).restitution, bounce_of(impact).restitution, 1e-9);
  // Twice the length at the same time: K dh^4 over m v^2 is what it was.
  other = impact;
  other.speed *= 2;
  other.distance *= 2;
  other.stiffness /= 4;
  EXPECT_NEAR(bounce_of(other).restitution, bounce_of(impact).restitution, 1e-9);
}

TEST(Bounce, ImplicitEulerNeverLeavesFasterThanTheContactDistanceOverTheStep) {
  for (const double ways : {0.05, 0.2, 0.5, 1.0}) {
    const Impact impact = some_impact("implicit-euler", ways);
    EXPECT_LT(bounce_of(impact).highest * impact.speed, impact.distance / impact.step) << ways;
  }
}

TEST(Bounce, GetsBetterWithTheContactDistanceAndEndsUpPerfect) {
  for (const std::string integrator : {"implicit-euler", "bdf2"}) {
    double last = 0;
    for (const double ways : {2.0, 4.0, 8.0, 16.0, 32.0}) {
      const double restitution = bounce_of(some_impact(integrator, ways)).restitution;
      EXPECT_GT(restitution, last) << integrator << " " << ways;
      EXPECT_LT(restitution, 1);
      last = restitution;
    }
    EXPECT_GT(last, integrator == "bdf2" ? 0.999 : 0.9);
  }
}

TEST(Bounce, FallsWithDampingToAnyWantedValue) {
  for (const std::string integrator : {"implicit-euler", "bdf2", "newmark"}) {
    const Impact impact = some_impact(integrator, 16);
    double last = 0;
    for (const double wanted : {0.8, 0.5, 0.2, 0.05}) {
      const Impact damped = with_damping_for(impact, wanted);
      EXPECT_NEAR(bounce_of(damped).restitution, wanted, 1e-4) << integrator;
      EXPECT_GT(damped.damping, last) << integrator;
      last = damped.damping;
    }
  }
}

}  // namespace
}  // namespace bulwark
