// The files of a run folder and the order in which they grow: whatever a checkpoint counts as finished is on
// the disk before it. It knows nothing of the simulation, so that it can write in a thread of its own.
#pragma once

#include <bulwark/output/writing/atomic_file.hpp>
#include <bulwark/output/writing/checkpoint.hpp>
#include <bulwark/output/writing/step_record.hpp>
#include <bulwark/output/writing/vtu_writer.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace bulwark {

/// Names in a run folder.
inline constexpr const char* summary_name = "summary.json";
inline constexpr const char* series_name = "run.pvd";
inline constexpr const char* points_series_name = "integration_points.pvd";
inline constexpr const char* frames_name = "frames";
inline constexpr const char* offenders_name = "intersections.obj";

/// Removes the files of a run. The checkpoint goes first: without it a half-cleared folder can't be resumed
/// by mistake. The summary goes last: it marks the folder as one of a run.
void clear_run(const std::filesystem::path& folder);

/// Which tables a run has beside those that all have.
struct TableChoice {
  bool bodies = true, joints = false, pairs = true;
};

class RunFiles {
 public:
  /// Opens the tables: empty ones, or those of the run that the checkpoint belongs to, cut back to it.
  RunFiles(std::filesystem::path folder, TableChoice choice);
  RunFiles(std::filesystem::path folder, TableChoice choice, const Checkpoint& checkpoint);

  /// The state that a run begins with: its rows and its frame.
  void write_start(const StepRecord& start);
  /// A finished step: its rows, and its frame and checkpoint where it has them. The row of steps.csv says how
  /// long that took.
  void write_step(const StepRecord& record, std::uint64_t fingerprint);
  /// A frame out of turn, with its contacts.
  void write_frame(const StepRecord& record);
  void write_series();
  void write_checkpoint(const State& state, std::uint64_t fingerprint);
  void write_summary(const std::string& text);

  /// Adds rows to a table; to none when the run does not have it.
  void append(const std::string& table, const std::string& rows);

  bool has_frame(std::int64_t step) const { return frame_times_.contains(step); }
  RunTotals& totals() { return totals_; }
  const RunTotals& totals() const { return totals_; }

 private:
  void open_tables(TableChoice choice, const std::map<std::string, std::uint64_t>& lengths);

  std::filesystem::path folder_;
  std::map<std::string, AppendedFile> tables_;
  std::map<std::int64_t, double> frame_times_;  ///< by step
  VtuCache frame_cache_, points_cache_;
  RunTotals totals_;
  std::chrono::steady_clock::time_point last_series_;
};

}  // namespace bulwark
