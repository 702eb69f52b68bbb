#include "command_line.hpp"
#include "commands.hpp"
#include "scene_report.hpp"
#include "start.hpp"

#include <fmt/format.h>

namespace bulwark::app {
namespace {

struct ValidateOptions {
  std::string scene;
  std::string offenders;  ///< file for the triangles of a start that intersects
  std::vector<std::string> overrides;
};

int validate(const ValidateOptions& options) {
  const LoadedScene scene = load(options.scene, options.overrides);
  const Simulation simulation = start_simulation(scene.world, scene.settings, options.offenders);
  warn_of_odd_values(simulation);
  fmt::print("{}{}{}{}: valid, and the start state is free of intersection\n", size_line(simulation),
             body_lines(simulation.world()), derived_lines(simulation), scene.origin.scene_file);
  return 0;
}

}  // namespace

void add_validate_command(CommandLine& line) {
  auto [command, options] =
      line.add<ValidateOptions>("validate", "Check a scene and its start state; no stepping", validate);
  command.add_option("SCENE", options.scene, "Scene file, or the name of a shipped scene")->required();
  command.add_option("-o,--output", options.offenders, "Write the triangles that intersect to FILE")
      ->type_name("FILE.obj");
  add_overrides(command, options.overrides);
  command.footer("Example:\n  bulwark validate scene.json");
}

}  // namespace bulwark::app
