#include "command_line.hpp"
#include "commands.hpp"
#include "scene_library.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bulwark::app {
namespace {

struct ScenesOptions {
  bool names_only = false;
};

int list_scenes(const ScenesOptions& options) {
  const std::vector<ShippedScene> scenes = shipped_scenes();
  if (options.names_only) {
    for (const ShippedScene& scene : scenes) fmt::print("{}\n", scene.name);
    return 0;
  }
  if (scenes.empty()) fmt::print("no scenes in {}\n", shipped_scenes_folder().string());
  std::size_t width = 0;
  for (const ShippedScene& scene : scenes) width = std::max(width, scene.name.size());
  for (const ShippedScene& scene : scenes) fmt::print("{:{}}  {}\n", scene.name, width, scene.title);
  if (!scenes.empty()) {
    fmt::print("\nin {}\nrun one with: bulwark run {}\n", shipped_scenes_folder().string(),
               scenes.front().name);
  }
  return 0;
}

}  // namespace

void add_scenes_command(CommandLine& line) {
  auto [command, options] =
      line.add<ScenesOptions>("scenes", "List the scenes that come with Bulwark", list_scenes);
  command.add_flag("--names", options.names_only, "Print the names alone");
  command.footer("Example:\n  bulwark scenes | grep -i stack");
}

}  // namespace bulwark::app
