// A run's folder: frames, CSV files, summary and checkpoints. Frames, summary and checkpoints appear whole or
// not at all; the CSV files are cut back to the checkpoint on resume. A run killed at any moment loses
// nothing that was finished.
#pragma once

#include <bulwark/output/atomic_file.hpp>
#include <bulwark/output/checkpoint.hpp>
#include <bulwark/output/frame_file.hpp>
#include <bulwark/output/summary.hpp>
#include <bulwark/sim/simulation.hpp>

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace bulwark {

/// Keeps other runs out of a folder while this object lives.
class FolderLock {
 public:
  FolderLock() = default;
  /// Makes the folder when there is none. Throws InputError when it holds something other than a run, or when
  /// another process is running in it.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;

  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
  int descriptor_ = -1;
};

/// Whether the folder holds a run (of which nothing but traces may be left), or nothing.
bool is_run_folder_or_empty(const std::filesystem::path& folder);

class RunFolder {
 public:
  /// Starts a run: removes what an earlier run left in the folder, writes the start state.
  static RunFolder start(FolderLock lock, RunOrigin origin, const Simulation& simulation);

  /// Continues a run from `checkpoint`, which `simulation` has been restored to.
  static RunFolder resume(FolderLock lock, RunOrigin origin, const Simulation& simulation,
                          const Checkpoint& checkpoint);

  /// Records a finished step: its rows, its frame and a checkpoint when they are due.
  void record(const Simulation& simulation, const StepReport& report);

  /// After a change of the world between steps: from now on checkpoints belong to the world as it is.
  void world_changed(RunOrigin origin, const Simulation& simulation);

  /// Records how the run ended, with a checkpoint; done and failed runs also get a frame of the last state.
  void finish(const Simulation& simulation, RunState state, const std::string& message = "");

  /// Records that a step could not be solved: the run ends as failed, and the step leaves its row in
  /// solves.csv. That row comes after the checkpoint, so that a resumed run tries the step again.
  void fail(const Simulation& simulation, const StepFailure& failure);

  const std::filesystem::path& path() const { return lock_.folder(); }
  const RunTotals& totals() const { return totals_; }

 private:
  using Clock = std::chrono::steady_clock;

  RunFolder(FolderLock lock, RunOrigin origin, const Simulation& simulation);
  void open_tables(const Simulation& simulation, const std::map<std::string, std::uint64_t>& lengths);
  void append(const std::string& table, const std::string& rows);
  void write_frame(const Simulation& simulation, const std::vector<ContactForce>& contacts);
  void write_series();
  void write_checkpoint_now(const Simulation& simulation);
  void write_summary(const Simulation& simulation, RunState state, const std::string& message = "");

  FolderLock lock_;
  RunOrigin origin_;
  std::uint64_t fingerprint_ = 0;
  std::map<std::string, AppendedFile> tables_;
  std::map<std::int64_t, double> frame_times_;  ///< by step
  RunTotals totals_;
  Clock::time_point last_checkpoint_, last_series_;
};

}  // namespace bulwark
