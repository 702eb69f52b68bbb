#include "commands.hpp"
#include "scene_report.hpp"
#include "start.hpp"

#include <fmt/format.h>

namespace bulwark::app {

int validate(const ValidateOptions& options) {
  const LoadedScene scene = load(options.scene, options.overrides);
  const Simulation simulation = start_simulation(scene.world, scene.settings, options.offenders);
  warn_of_odd_values(simulation);
  fmt::print("{}{}{}{}: valid, and the start state is free of intersection\n", size_line(simulation),
             body_lines(simulation.world()), derived_lines(simulation), scene.origin.scene_file);
  return 0;
}

}  // namespace bulwark::app
