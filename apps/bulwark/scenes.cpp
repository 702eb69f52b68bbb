#include "commands.hpp"
#include "scene_library.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bulwark::app {

int list_scenes(bool names_only) {
  const std::vector<ShippedScene> scenes = shipped_scenes();
  if (names_only) {
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

}  // namespace bulwark::app
