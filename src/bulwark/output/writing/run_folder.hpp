// A run's folder: frames, CSV files, summary and checkpoints. Frames, summary and checkpoints appear whole or
// not at all; the CSV files are cut back to the checkpoint on resume. A run killed at any moment loses
// nothing that was finished. Steps are written in a thread of its own, in their order.
#pragma once

#include <bulwark/output/writing/checkpoint.hpp>
#include <bulwark/output/writing/frame_capture.hpp>
#include <bulwark/output/writing/run_files.hpp>
#include <bulwark/output/writing/summary.hpp>
#include <bulwark/output/writing/writer_thread.hpp>
#include <bulwark/sim/simulation.hpp>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

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

/// Whether the folder holds results that a new run would replace: steps beyond its start.
bool has_results(const std::filesystem::path& folder);

/// What cannot be written ends as an OutputError of one of the next calls; `finish` leaves none behind.
class RunFolder {
 public:
  /// Starts a run: removes what an earlier run left in the folder, writes the start state.
  static RunFolder start(FolderLock lock, RunOrigin origin, const Simulation& simulation);

  /// Continues a run from `checkpoint`, which `simulation` has been restored to.
  static RunFolder resume(FolderLock lock, RunOrigin origin, const Simulation& simulation,
                          const Checkpoint& checkpoint);

  /// Records a finished step: its rows, its frame and a checkpoint when they are due. Waits where the writer
  /// is behind by some steps, so that memory stays bounded.
  void record(const Simulation& simulation, const StepReport& report);

  /// After a change of the world between steps: from now on checkpoints belong to the world as it is.
  void world_changed(RunOrigin origin, const Simulation& simulation);

  /// Records how the run ended, with a checkpoint; done and failed runs also get a frame of the last state.
  /// Returns once all is on the disk.
  void finish(const Simulation& simulation, RunState state, const std::string& message = "");

  /// Records that a step could not be solved: the run ends as failed, and the step leaves its row in
  /// solves.csv. That row comes after the checkpoint, so that a resumed run tries the step again.
  void fail(const Simulation& simulation, const StepFailure& failure);

  const std::filesystem::path& path() const { return lock_.folder(); }
  /// Of the steps that are written: of all of them after `finish`.
  const RunTotals& totals() const { return files_->totals(); }

 private:
  using Clock = std::chrono::steady_clock;

  RunFolder(FolderLock lock, RunOrigin origin, const Simulation& simulation);
  /// The frame of the state as it is, and what goes with it.
  void add_frame(const Simulation& simulation, StepRecord& record) const;
  void write_summary(const Simulation& simulation, RunState state, const std::string& message = "");

  FolderLock lock_;
  RunOrigin origin_;
  std::uint64_t fingerprint_ = 0;
  std::shared_ptr<const TableNames> names_;
  FrameCapture frames_;
  Clock::time_point last_checkpoint_;
  std::unique_ptr<RunFiles> files_;  ///< the writer's while it has something to do
  std::unique_ptr<WriterThread> writer_;
};

}  // namespace bulwark
