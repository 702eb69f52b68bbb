#include "scene_start.hpp"

#include "start.hpp"

#include <bulwark/base/error.hpp>
#include <bulwark/base/log.hpp>
#include <bulwark/output/writing/run_folder.hpp>

#include <stdlib.h>

namespace bulwark::app {
namespace {

std::filesystem::path temporary_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "bulwark-view-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    throw OutputError("cannot make a folder in " + std::filesystem::temp_directory_path().string() +
                      ": set TMPDIR to one that can be written to");
  }
  return name;
}

/// Without contact nothing is checked.
Simulation start_of(const LoadedScene& scene) {
  try {
    return Simulation(scene.world, scene.settings);
  } catch (const IntersectionError& error) {
    log_warning("{}", error.what());
    Settings unchecked = scene.settings;
    unchecked.contact.enabled = false;
    return Simulation(scene.world, unchecked);
  }
}

}  // namespace

SceneStart::SceneStart(const std::string& scene, const std::vector<std::string>& overrides) {
  const LoadedScene loaded = load(scene, overrides);
  const Simulation simulation = start_of(loaded);
  folder_ = temporary_folder();
  try {
    RunFolder::start(FolderLock(folder_), loaded.origin, simulation).finish(simulation, RunState::done);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
    throw;
  }
}

SceneStart::~SceneStart() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

}  // namespace bulwark::app
