// summary.json read back: what the commands that look at a finished run want to know of it.
#pragma once

#include <bulwark/math/types.hpp>
#include <bulwark/sim/settings.hpp>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace bulwark {

struct RunSummary {
  std::string title, scene_file, version;
  std::string state;       ///< "running", "done", "interrupted", "failed"; "" when there is no summary
  std::string message;     ///< why a failed run failed
  double step_length = 0;  ///< of the time steps, s; 0: unknown
  Vector3 gravity = {0, -9.81, 0};       ///< m/s^2
  std::optional<CameraSettings> camera;  ///< of the scene file
  double length = 0;                     ///< the scene's, m
  double contact_distance = 0;           ///< m
  double tolerance_speed = 0;            ///< m/s
  double friction = 0;                   ///< the scene's coefficient
  std::string minimiser = "newton";
  std::int64_t max_iterations = 0;  ///< of a solve by Newton's method
  std::int64_t controls = 0, surface_triangles = 0;
  std::map<std::string, std::string> kinds;  ///< of bodies, by name
  int threads_used = 0;
  std::string not_promised;  ///< which bodies nothing keeps apart; empty: all are kept apart
};

/// What the folder's summary says; fields that it lacks, or that hold what they can't, keep their defaults. A
/// folder without one, or with one that is no JSON, gives an empty state. `within`: the folder that the file
/// must lie in; empty: anywhere.
RunSummary read_run_summary(const std::filesystem::path& folder, const std::filesystem::path& within = {});

/// The same of the text of a summary.
RunSummary run_summary_from_text(std::string_view text);

/// The unit vector against gravity; along y where there is none.
Vector3 up_direction(const RunSummary& summary);

}  // namespace bulwark
