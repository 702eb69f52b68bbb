#include <bulwark/base/error.hpp>
#include <bulwark/output/frame_list.hpp>
#include <bulwark/output/writing/atomic_file.hpp>
#include <bulwark/output/writing/frame_capture.hpp>
#include <bulwark/output/writing/run_folder.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <utility>

namespace bulwark {
namespace {

/// Steps that may wait for the writer: enough to bridge a slow write, few enough for the memory of large
/// frames.
constexpr std::size_t most_waiting_steps = 2;

double seconds_between(std::chrono::steady_clock::time_point start,
                       std::chrono::steady_clock::time_point end) {
  return std::chrono::duration<double>(end - start).count();
}

TableChoice tables_of(const Simulation& simulation) {
  const OutputSettings& output = simulation.settings().output;
  return {output.bodies_csv, output.joints_csv && !simulation.world().joints.empty(), output.pairs_csv};
}

}  // namespace

bool is_run_folder_or_empty(const std::filesystem::path& folder) {
  std::error_code error;
  if (std::filesystem::exists(folder / summary_name, error)) return true;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name != offenders_name && !name.ends_with(partial_suffix)) return false;
  }
  return true;
}

bool has_results(const std::filesystem::path& folder) {
  const std::vector<FrameEntry> frames = list_frames(folder / frames_name);
  if (std::any_of(frames.begin(), frames.end(), [](const FrameEntry& frame) { return frame.step > 0; })) {
    return true;
  }
  // Frames may be far apart: a row of a step is enough.
  std::ifstream steps(folder / "steps.csv");
  std::string header, row;
  return static_cast<bool>(std::getline(steps, header) && std::getline(steps, row));
}

FolderLock::FolderLock(const std::filesystem::path& folder) : folder_(folder) {
  if (std::filesystem::exists(folder) && !std::filesystem::is_directory(folder)) {
    throw InputError(folder.string(), "this is a file, and the run needs a folder",
                     "give another folder with -o");
  }
  if (!is_run_folder_or_empty(folder)) {
    throw InputError(folder.string(),
                     "this folder holds files that are not from a Bulwark run; it is left untouched",
                     "give a new or empty folder with -o");
  }
  make_folder(folder);
  descriptor_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(std::exchange(descriptor_, -1));
    throw InputError(folder.string(), "another run is writing to this folder",
                     "wait for it to end, or give another folder with -o");
  }
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : folder_(std::move(other.folder_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
  std::swap(folder_, other.folder_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

RunFolder::RunFolder(FolderLock lock, RunOrigin origin, const Simulation& simulation)
    : lock_(std::move(lock)),
      origin_(std::move(origin)),
      fingerprint_(scene_fingerprint(origin_.resolved_scene, simulation.world())),
      names_(std::make_shared<const TableNames>(table_names(simulation.world()))),
      frames_(simulation.world()),
      last_checkpoint_(Clock::now()) {}

RunFolder RunFolder::start(FolderLock lock, RunOrigin origin, const Simulation& simulation) {
  RunFolder run(std::move(lock), std::move(origin), simulation);
  clear_run(run.path());
  // The summary marks the folder as one of a run, so it comes before all other files.
  write_file_atomically(run.path() / summary_name,
                        summary_json(run.origin_, simulation, {}, RunState::running, ""));
  run.files_ = std::make_unique<RunFiles>(run.path(), tables_of(simulation));
  StepRecord start = capture_step(simulation, run.names_);
  start.contacts.clear();  // forces come with the first step
  run.add_frame(simulation, start);
  run.files_->write_start(start);
  run.files_->write_checkpoint(simulation.world().state, run.fingerprint_);
  run.writer_ = std::make_unique<WriterThread>(most_waiting_steps);
  return run;
}

RunFolder RunFolder::resume(FolderLock lock, RunOrigin origin, const Simulation& simulation,
                            const Checkpoint& checkpoint) {
  RunFolder run(std::move(lock), std::move(origin), simulation);
  run.files_ = std::make_unique<RunFiles>(run.path(), tables_of(simulation), checkpoint);
  run.files_->write_series();
  run.write_summary(simulation, RunState::running);
  run.writer_ = std::make_unique<WriterThread>(most_waiting_steps);
  return run;
}

void RunFolder::record(const Simulation& simulation, const StepReport& report) {
  const auto start = Clock::now();
  writer_->wait_for_room();
  const auto has_room = Clock::now();
  const OutputSettings& settings = simulation.settings().output;
  const auto record = std::make_shared<StepRecord>(capture_step(simulation, names_));
  if (record->step % settings.every == 0) add_frame(simulation, *record);
  if (seconds_between(last_checkpoint_, has_room) >= settings.checkpoint_every_seconds) {
    record->state = simulation.world().state;
    last_checkpoint_ = has_room;
  }
  record->report = report;
  record->report.profile[Phase::output_wait] += seconds_between(start, has_room);
  record->report.profile[Phase::output] += seconds_between(has_room, Clock::now());
  writer_->add([files = files_.get(), record, fingerprint = fingerprint_] {
    files->write_step(*record, fingerprint);
  });
}

void RunFolder::world_changed(RunOrigin origin, const Simulation& simulation) {
  writer_->finish();
  origin_ = std::move(origin);
  fingerprint_ = scene_fingerprint(origin_.resolved_scene, simulation.world());
  names_ = std::make_shared<const TableNames>(table_names(simulation.world()));
  frames_ = FrameCapture(simulation.world());
  write_summary(simulation, RunState::running);
}

void RunFolder::finish(const Simulation& simulation, RunState state, const std::string& message) {
  writer_->finish();
  const bool wants_frame = state == RunState::done || state == RunState::failed;
  if (wants_frame && !files_->has_frame(simulation.world().state.step)) {
    StepRecord last = capture_step(simulation, names_);
    add_frame(simulation, last);
    files_->write_frame(last);
  }
  files_->write_series();
  files_->write_checkpoint(simulation.world().state, fingerprint_);
  write_summary(simulation, state, message);
}

void RunFolder::fail(const Simulation& simulation, const StepFailure& failure) {
  writer_->finish();
  RunTotals& totals = files_->totals();
  totals.seconds += failure.report().seconds;
  for (std::size_t phase = 0; phase < phase_names.size(); ++phase) {
    totals.profile.seconds[phase] += failure.report().profile.seconds[phase];
  }
  finish(simulation, RunState::failed, failure.what());
  files_->append("solves.csv", solves_row(failure.report()));
}

void RunFolder::add_frame(const Simulation& simulation, StepRecord& record) const {
  record.frame = frames_.capture(simulation);
  record.integration_points = frames_.integration_points(simulation);
}

void RunFolder::write_summary(const Simulation& simulation, RunState state, const std::string& message) {
  files_->write_summary(summary_json(origin_, simulation, files_->totals(), state, message));
}

}  // namespace bulwark
