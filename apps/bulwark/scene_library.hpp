// The scenes that come with Bulwark: beside the installed program, or in the source tree it was built from.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bulwark::app {

struct ShippedScene {
  std::string name;  ///< as `bulwark run` takes it: ipc/ball_on_mat
  std::string title;
  std::filesystem::path path;
};

std::filesystem::path shipped_scenes_folder();
std::vector<ShippedScene> shipped_scenes();

/// The scene file that the user means: a path, or the name of a shipped scene. Throws InputError.
std::filesystem::path find_scene(const std::string& given);

}  // namespace bulwark::app
