// A scene file made into a World and its Settings: the way from what a person writes to what is simulated.
#pragma once

#include <bulwark/sim/settings.hpp>
#include <bulwark/sim/world.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace bulwark {

struct Scene {
  World world;
  Settings settings;
  std::string resolved_json;         ///< the scene with overrides and defaults, for the run's summary
  std::vector<std::string> remarks;  ///< what its author may want to know: one line each, no errors
};

struct LoadOptions {
  std::filesystem::path base_folder;   ///< mesh files are relative to this
  std::vector<std::string> overrides;  ///< "/time/step=0.005", applied in order
  bool name_lines = true;              ///< false for text that a program made: its lines say nothing
  /// Scenes beyond these are refused before memory is taken.
  std::int64_t max_vertices = 10'000'000;
  std::int64_t max_bodies = 100'000;
};

/// The text of a scene file, or of a pipe. Throws InputError, also for files of other programs.
std::string read_scene_text(const std::filesystem::path& file);

/// Reads, checks and builds a scene file. Throws InputError that lists what is wrong: file, line, JSON path,
/// what was expected, what was found.
Scene load_scene(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});

/// The same from text; `name` stands for the file in messages.
Scene parse_scene(const std::string& text, const std::string& name, const LoadOptions& options = {});

}  // namespace bulwark
