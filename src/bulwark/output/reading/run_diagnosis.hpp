// Why a run was slow, or why a step failed: what its tables say, in words.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace bulwark {

struct PhaseShare {
  std::string name;  ///< "linear solve"
  double seconds = 0, part = 0;
};

struct Diagnosis {
  std::string headline;               ///< what happened, in one line
  std::vector<PhaseShare> phases;     ///< where the time went, the largest first
  std::vector<std::string> findings;  ///< what stands out
  std::vector<std::string> remedies;  ///< what to change, the most promising first
};

/// Looks at a whole run, or at one of its steps. Throws InputError when the folder holds no run, or no such
/// step.
Diagnosis diagnose_run(const std::filesystem::path& folder, std::optional<std::int64_t> step = std::nullopt);

}  // namespace bulwark
