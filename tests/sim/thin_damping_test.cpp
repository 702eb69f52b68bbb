// Rayleigh damping of cloth and rods.
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/simulation.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace bulwark {
namespace {

Settings weightless(double h) {
  Settings settings;
  settings.gravity.setZero();
  settings.time.integrator = "bdf2";
  settings.time.step = h;
  settings.contact.enabled = false;
  settings.solver.tolerance = 1e-9;
  return settings;
}

BodyOptions named(const std::string& name) {
  BodyOptions options;
  options.name = name;
  return options;
}

/// The part of its energy that a segment has left which was stretched, after three periods of w = sqrt(4 k /
/// (m L)), m its mass.
double energy_left_in_a_stretched_segment(double damping_part) {
  World world;
  RodMaterial material;
  material.radius = 0.01;
  const double mass = material.density * material.area(),
               frequency = std::sqrt(4 * material.stretching_stiffness() / mass);
  material.rayleigh_damping = damping_part * 2 / frequency;
  add_rod(world, surface_mesh(LineShape{{0, 0, 0}, {1, 0, 0}, 1}), material, named("rod"));
  constexpr double stretch = 1e-3;
  world.state.position(0, 1) += stretch;
  constexpr int periods = 3, steps = 900;
  Simulation simulation(std::move(world), weightless(periods * 2 * M_PI / frequency / steps));
  double energy = 0;
  for (int i = 0; i < steps; ++i) energy = simulation.step().energies.total();
  return energy / (0.5 * material.stretching_stiffness() * stretch * stretch);
}

TEST(ThinDamping, AStretchedSegmentDecaysAtTheRateOfRayleighsFormula) {
  EXPECT_NEAR(energy_left_in_a_stretched_segment(0), 1, 1e-3);
  // Amplitude exp(-z w t) with z the part of critical damping, t = 3 periods.
  for (const double part : {0.01, 0.03})
    EXPECT_NEAR(energy_left_in_a_stretched_segment(part), std::exp(-2 * part * 3 * 2 * M_PI), 0.02) << part;
}

/// Energy of a sheet, or of a rod of several segments, that was shaken, after a while.
double shaken(bool cloth, double damping) {
  World world;
  if (cloth) {
    ClothMaterial material;
    material.rayleigh_damping = damping;
    add_shell(world, surface_mesh(GridShape{{1, 1}, {3, 3}}), material, named("sheet"));
  } else {
    RodMaterial material;
    material.rayleigh_damping = damping;
    add_rod(world, surface_mesh(LineShape{{0, 0, 0}, {1, 0, 0}, 8}), material, named("rod"));
  }
  srand(9);
  // Vertices come first, before the rod's turns and directors.
  for (int i = 0; i < (cloth ? 16 : 9); ++i) world.state.velocity.col(i) = 0.05 * Vector3::Random();
  Simulation simulation(std::move(world), weightless(1e-3));
  double energy = 0;
  for (int i = 0; i < 200; ++i) energy = simulation.step().energies.total();
  return energy;
}

TEST(ThinDamping, TakesTheMoreTheLargerItIs) {
  for (const bool cloth : {true, false}) {
    const double none = shaken(cloth, 0), some = shaken(cloth, 1e-3), much = shaken(cloth, 1e-2);
    EXPECT_LT(some, 0.95 * none) << cloth;
    EXPECT_LT(much, some) << cloth;
    EXPECT_GT(much, 0) << cloth;
  }
}

}  // namespace
}  // namespace bulwark
