// From a scene file to a simulation that is ready to step, for `run` and `validate`.
#pragma once

#include <bulwark/output/writing/summary.hpp>
#include <bulwark/sim/simulation.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace bulwark::app {

struct LoadedScene {
  World world;
  Settings settings;
  RunOrigin origin;
};

/// Finds and loads the scene. Throws InputError.
LoadedScene load(const std::string& scene, const std::vector<std::string>& overrides);

/// Makes the simulation. A start that intersects is written to `offenders` (unless that is empty), and the
/// IntersectionError then names the file.
Simulation start_simulation(const World& world, const Settings& settings,
                            const std::filesystem::path& offenders);

/// Warns of values that are implausible, or that will make the run slow.
void warn_of_odd_values(const Simulation& simulation);

}  // namespace bulwark::app
