#include <bulwark/base/error.hpp>
#include <bulwark/output/csv_tables.hpp>
#include <bulwark/output/frame_capture.hpp>
#include <bulwark/output/run_folder.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <utility>

namespace bulwark {
namespace {

constexpr const char* summary_name = "summary.json";
constexpr const char* series_name = "run.pvd";
constexpr const char* frames_name = "frames";
constexpr const char* offenders_name = "intersections.obj";

/// The series is rewritten as a whole, so not for every frame of a quick run.
constexpr double series_seconds = 1;

struct CsvFile {
  const char* file;
  std::string (*header)();
};
constexpr CsvFile csv_files[] = {{"steps.csv", steps_header},       {"bodies.csv", bodies_header},
                                 {"wrenches.csv", wrenches_header}, {"contacts.csv", contacts_header},
                                 {"joints.csv", joints_header},     {"solves.csv", solves_header}};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::vector<RigidMotion> motions_of(const World& world) {
  std::vector<RigidMotion> motions;
  for (std::size_t body = 0; body < world.bodies.size(); ++body) {
    motions.push_back(rigid_motion(world, static_cast<int>(body)));
  }
  return motions;
}

/// The checkpoint goes first: without it a half-cleared folder can't be resumed by mistake. The summary goes
/// last: it marks the folder as ours.
void clear_run(const std::filesystem::path& folder) {
  for (const char* name :
       {"checkpoint.bwk", "checkpoint.prev.bwk", series_name, frames_name, offenders_name}) {
    remove_path(folder / name);
  }
  for (const CsvFile& table : csv_files) remove_path(folder / table.file);
  remove_path(folder / summary_name);
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

FolderLock::FolderLock(const std::filesystem::path& folder) : folder_(folder) {
  if (std::filesystem::exists(folder) && !std::filesystem::is_directory(folder)) {
    throw InputError(folder.string(), "this is a file, and the run needs a folder",
                     "give another folder with -o");
  }
  if (!is_run_folder_or_empty(folder)) {
    throw InputError(folder.string(), "this folder holds files that are no run of Bulwark; it is left alone",
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
      last_checkpoint_(Clock::now()) {}

RunFolder RunFolder::start(FolderLock lock, RunOrigin origin, const Simulation& simulation) {
  RunFolder run(std::move(lock), std::move(origin), simulation);
  clear_run(run.path());
  run.write_summary(simulation, RunState::running);
  make_folder(run.path() / frames_name);
  run.open_tables(simulation, {});
  const World& world = simulation.world();
  run.append("bodies.csv", bodies_rows(world, motions_of(world)));
  run.write_frame(simulation, {});
  run.write_series();
  run.write_checkpoint_now(simulation);
  return run;
}

RunFolder RunFolder::resume(FolderLock lock, RunOrigin origin, const Simulation& simulation,
                            const Checkpoint& checkpoint) {
  RunFolder run(std::move(lock), std::move(origin), simulation);
  run.totals_ = checkpoint.totals;
  make_folder(run.path() / frames_name);
  run.open_tables(simulation, checkpoint.file_lengths);
  for (const FrameEntry& frame : list_frames(run.path() / frames_name)) {
    run.frame_times_[frame.step] = read_frame_time(frame.path);
  }
  run.write_series();
  run.write_summary(simulation, RunState::running);
  return run;
}

void RunFolder::open_tables(const Simulation& simulation,
                            const std::map<std::string, std::uint64_t>& lengths) {
  for (const CsvFile& table : csv_files) {
    if (table.file == std::string("bodies.csv") && !simulation.settings().output.bodies_csv) continue;
    const bool has_joints = !simulation.world().joints.empty() && simulation.settings().output.joints_csv;
    if (table.file == std::string("joints.csv") && !has_joints) continue;
    const auto known = lengths.find(table.file);
    const std::uint64_t length = known == lengths.end() ? 0 : known->second;
    const std::filesystem::path file = path() / table.file;
    std::error_code error;
    if (length > 0 && (std::filesystem::file_size(file, error) < length || error)) {
      throw InputError(file.string(), "this file is missing, or shorter than when the checkpoint was written",
                       "put it back, or run without --resume to start anew");
    }
    AppendedFile& opened = tables_[table.file] = AppendedFile(file, length);
    if (length == 0) opened.append(table.header());
  }
}

void RunFolder::append(const std::string& table, const std::string& rows) {
  const auto file = tables_.find(table);
  if (file != tables_.end()) file->second.append(rows);
}

void RunFolder::record(const Simulation& simulation, const StepReport& finished) {
  const auto start = Clock::now();
  const World& world = simulation.world();
  const OutputSettings& settings = simulation.settings().output;
  const std::vector<RigidMotion> motions = motions_of(world);
  const std::vector<ContactForce> contacts = simulation.contacts();
  if (world.state.step % settings.every == 0) write_frame(simulation, contacts);
  append("bodies.csv", bodies_rows(world, motions));
  append("wrenches.csv", wrenches_rows(world, motions, contacts));
  append("joints.csv", joints_rows(world, simulation.joint_states()));
  append("solves.csv", solves_row(finished));

  StepReport report = finished;
  const double seconds = seconds_since(start);
  report.profile[Phase::output] += seconds;
  append("steps.csv", steps_row(report));
  totals_.add(report);
  totals_.seconds += seconds;

  if (seconds_since(last_series_) >= series_seconds) write_series();
  if (seconds_since(last_checkpoint_) >= settings.checkpoint_every_seconds) write_checkpoint_now(simulation);
}

void RunFolder::world_changed(RunOrigin origin, const Simulation& simulation) {
  origin_ = std::move(origin);
  fingerprint_ = scene_fingerprint(origin_.resolved_scene, simulation.world());
  write_summary(simulation, RunState::running);
}

void RunFolder::finish(const Simulation& simulation, RunState state, const std::string& message) {
  const bool wants_frame = state == RunState::done || state == RunState::failed;
  if (wants_frame && !frame_times_.contains(simulation.world().state.step)) {
    write_frame(simulation, simulation.contacts());
  }
  write_series();
  write_checkpoint_now(simulation);
  write_summary(simulation, state, message);
}

void RunFolder::fail(const Simulation& simulation, const StepFailure& failure) {
  totals_.seconds += failure.report().seconds;
  for (std::size_t phase = 0; phase < phase_names.size(); ++phase) {
    totals_.profile.seconds[phase] += failure.report().profile.seconds[phase];
  }
  finish(simulation, RunState::failed, failure.what());
  append("solves.csv", solves_row(failure.report()));
}

void RunFolder::write_frame(const Simulation& simulation, const std::vector<ContactForce>& contacts) {
  const State& state = simulation.world().state;
  const std::filesystem::path file = path() / frames_name / frame_file_name(state.step);
  write_file_atomically(file, frame_to_vtu(capture_frame(simulation)));
  frame_times_[state.step] = state.time;
  append("contacts.csv", contacts_rows(simulation.world(), contacts));
}

void RunFolder::write_series() {
  std::vector<SeriesEntry> series;
  for (const auto& [step, time] : frame_times_) {
    series.push_back({time, std::string(frames_name) + "/" + frame_file_name(step)});
  }
  write_file_atomically(path() / series_name, series_to_pvd(series));
  last_series_ = Clock::now();
}

void RunFolder::write_checkpoint_now(const Simulation& simulation) {
  // All that the checkpoint counts as finished reaches the disk before it.
  flush_folder(path() / frames_name);
  Checkpoint checkpoint{fingerprint_, simulation.world().state, {}, totals_};
  for (auto& [name, file] : tables_) {
    file.flush();
    checkpoint.file_lengths[name] = file.length();
  }
  write_checkpoint(path(), checkpoint);
  last_checkpoint_ = Clock::now();
}

void RunFolder::write_summary(const Simulation& simulation, RunState state, const std::string& message) {
  write_file_atomically(path() / summary_name, summary_json(origin_, simulation, totals_, state, message));
}

}  // namespace bulwark
