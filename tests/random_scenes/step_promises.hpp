// What holds at the end of every step of any scene. A new promise is asserted here, and all random scenes
// keep it.
#pragma once

#include <bulwark/collision/exact_intersection.hpp>
#include <bulwark/sim/simulation.hpp>

#include <gtest/gtest.h>

namespace bulwark::test {

/// No surface passes through another, by exact arithmetic.
inline void expect_no_intersection(const World& world) {
  const Vectors positions = vertex_positions(world.collision, world.state.position);
  for (const Intersection& found : find_intersections(world.collision, positions, 3))
    ADD_FAILURE() << describe(world.collision, positions, found);
}

/// All numbers of the state and of the report are numbers.
inline void expect_finite(const State& state, const StepReport& report) {
  EXPECT_TRUE(state.position.allFinite() && state.velocity.allFinite());
  EXPECT_TRUE(std::isfinite(report.energies.total()));
}

/// `before` is the state that the step began with.
inline void expect_step_promises(const Simulation& simulation, const State& before,
                                 const StepReport& report) {
  expect_no_intersection(simulation.world());
  expect_finite(simulation.world().state, report);
  EXPECT_EQ(simulation.world().state.step, before.step + 1);
  EXPECT_EQ(report.passed_bodies, 0);
  EXPECT_LE(report.newton_iterations, simulation.settings().solver.max_step_iterations);
  // Newmark has no hold of the energy of bodies with joints, and of steps that are too long to be solved.
  if (simulation.settings().time.integrator != "newmark") {
    EXPECT_EQ(report.energy_gain, 0);
  }
}

}  // namespace bulwark::test
