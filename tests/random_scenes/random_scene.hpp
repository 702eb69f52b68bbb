// Small random scenes of everything that there is: all kinds of bodies, materials, damping, joints, motors,
// scripts, loads, contact settings and integrators, with sizes from 1 mm to 10 m and steps from 0.1 ms to 0.1
// s. The same seed gives the same scene on every machine. Tests run them and ask for what must hold in any
// scene; `random_scene SEED` prints one, for `bulwark run`.
#pragma once

#include <bulwark/scene/load.hpp>

#include <cstdint>
#include <string>

namespace bulwark::test {

/// From this seed on, half of the soft solids have elements of higher order, the others are ANCF beams and shells.
constexpr std::uint64_t first_flexible_seed = 1'000'000;
/// From this one on, scenes have contact without the barrier, and some are minimised by AdamW.
constexpr std::uint64_t first_model_seed = 2'000'000;

/// From this one on, scenes are planar ones (random_planar.hpp).
constexpr std::uint64_t first_planar_seed = 3'000'000;

/// A scene file's text. No bodies intersect at the start; some may be closer than the contact distance.
std::string random_scene_text(std::uint64_t seed);

/// The same, loaded: world and settings for a Simulation.
Scene random_scene(std::uint64_t seed);

}  // namespace bulwark::test
