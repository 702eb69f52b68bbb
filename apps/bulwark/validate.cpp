#include "command_line.hpp"
#include "commands.hpp"
#include "scene_library.hpp"
#include "scene_report.hpp"
#include "start.hpp"

#include <bulwark/base/error.hpp>
#include <bulwark/output/writing/atomic_file.hpp>
#include <bulwark/scene/load.hpp>
#include <bulwark/scene/old_keys.hpp>
#include <bulwark/sim/contact_model.hpp>

#include <fmt/format.h>

namespace bulwark::app {
namespace {

struct ValidateOptions {
  std::string scene;
  std::string offenders;  ///< file for the triangles of a start that intersects
  std::vector<std::string> overrides;
  bool fix = false;
};

/// Rewrites keys of the last version in the scene file.
void fix(const std::filesystem::path& file) {
  if (!std::filesystem::is_regular_file(file))
    throw InputError(file.string(), "this is not a file that can be rewritten", "give a scene file (JSON)");
  const FixedScene fixed = fix_old_keys(read_scene_text(file), file.string());
  if (fixed.renamed.empty()) {
    fmt::print("{}: no keys of the last version, nothing to rewrite\n", file.string());
    return;
  }
  // A link stays one: what it leads to is written, and keeps its permissions.
  const std::filesystem::path target = std::filesystem::canonical(file);
  const std::filesystem::perms permissions = std::filesystem::status(target).permissions();
  write_file_atomically(target, fixed.text);
  std::error_code error;  // only what the file may be used for; its content is there
  std::filesystem::permissions(target, permissions, error);
  for (const RenamedKey& key : fixed.renamed)
    fmt::print("{}: {}: \"{}\" is \"{}\" now\n", file.string(), key.path, key.before, key.now);
}

int validate(const ValidateOptions& options) {
  if (options.fix) fix(find_scene(options.scene));
  const LoadedScene scene = load(options.scene, options.overrides);
  const Simulation simulation = start_simulation(scene.world, scene.settings, options.offenders);
  warn_of_odd_values(simulation);
  const std::string not_promised = missing_promise(simulation.world(), simulation.settings().contact);
  fmt::print("{}{}{}", size_line(simulation), body_lines(simulation.world()), derived_lines(simulation));
  if (not_promised.empty()) {
    fmt::print("{}: valid, and the start state is free of intersection\n", scene.origin.scene_file);
  } else {
    fmt::print("{}: valid; {}. The start state is free of other intersections\n", scene.origin.scene_file,
               not_promised);
  }
  return 0;
}

}  // namespace

void add_validate_command(CommandLine& line) {
  auto [command, options] =
      line.add<ValidateOptions>("validate", "Check a scene and its start state; no stepping", validate);
  command.add_option("SCENE", options.scene, "Scene file, or the name of a shipped scene")->required();
  command.add_option("-o,--output", options.offenders, "Write the triangles that intersect to FILE")
      ->type_name("FILE.obj");
  command.add_flag("--fix", options.fix, "Rewrite keys of the last version in the file, then check it");
  add_overrides(command, options.overrides);
  command.footer("Example:\n  bulwark validate scene.json");
}

}  // namespace bulwark::app
