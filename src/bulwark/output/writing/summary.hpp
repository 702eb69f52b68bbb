// summary.json: what was run, by which program, on which machine, how it ended, and where the time went.
#pragma once

#include <bulwark/output/writing/run_totals.hpp>
#include <bulwark/sim/simulation.hpp>

#include <string>

namespace bulwark {

/// Where a run comes from.
struct RunOrigin {
  std::string scene_file;  ///< as the user gave it
  std::string
      resolved_scene;   ///< JSON text with all defaults and overrides; may be empty for worlds made in code
  std::string version;  ///< of the program
};

/// How a run stands. A run that was killed says "running" for ever: no one was left to say otherwise.
enum class RunState { running, done, interrupted, failed };

/// The text of summary.json. `message` says why a failed run failed.
std::string summary_json(const RunOrigin& origin, const Simulation& simulation, const RunTotals& totals,
                         RunState state, const std::string& message);

}  // namespace bulwark
