#include "scene_library.hpp"

#include <bulwark/base/error.hpp>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

namespace bulwark::app {
namespace {

std::string title_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  const nlohmann::json scene = nlohmann::json::parse(file, nullptr, false, true);
  if (!scene.is_object() || !scene.contains("title") || !scene["title"].is_string()) return "";
  return scene["title"].get<std::string>();
}

}  // namespace

std::filesystem::path shipped_scenes_folder() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path installed = program.parent_path().parent_path() / "share/bulwark/scenes";
  return !error && std::filesystem::is_directory(installed) ? installed
                                                            : std::filesystem::path(BULWARK_SCENES_DIR);
}

std::vector<ShippedScene> shipped_scenes() {
  std::vector<ShippedScene> scenes;
  std::error_code error;
  const std::filesystem::path folder = shipped_scenes_folder();
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, error)) {
    if (!entry.is_regular_file() || entry.path().extension() != ".json") continue;
    const std::string name = entry.path().lexically_relative(folder).replace_extension().generic_string();
    scenes.push_back({name, title_of(entry.path()), entry.path()});
  }
  std::sort(scenes.begin(), scenes.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return scenes;
}

std::filesystem::path find_scene(const std::string& given) {
  if (std::filesystem::is_regular_file(given)) return given;
  std::filesystem::path shipped = shipped_scenes_folder() / given;
  if (std::filesystem::is_regular_file(shipped)) return shipped;
  shipped += ".json";
  if (std::filesystem::is_regular_file(shipped)) return shipped;
  if (std::filesystem::exists(std::filesystem::path(given) / "summary.json")) {
    throw InputError(given, "this is the folder of a run, not a scene",
                     "`bulwark view` shows the run; to run it again, give its scene file (JSON)");
  }
  if (std::filesystem::is_directory(given)) throw InputError(given, "this is a folder, not a scene file");
  throw InputError(given, "there is no such scene file, and no shipped scene of that name",
                   "`bulwark scenes` lists the shipped ones");
}

}  // namespace bulwark::app
