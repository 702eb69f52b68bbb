#include "command_line.hpp"
#include "commands.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "scene_report.hpp"
#include "start.hpp"
#include "terminal.hpp"
#include "units.hpp"

#include <bulwark/base/error.hpp>
#include <bulwark/base/input_file.hpp>
#include <bulwark/base/log.hpp>
#include <bulwark/base/parallel.hpp>
#include <bulwark/collision/ccd_recorder.hpp>
#include <bulwark/collision/exact_intersection.hpp>
#include <bulwark/output/writing/atomic_file.hpp>
#include <bulwark/output/writing/run_folder.hpp>
#include <bulwark/sim/contact_model.hpp>
#include <bulwark/solve/linear_system.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

namespace bulwark::app {
namespace {

/// 128 + SIGINT, as shells report an interrupted program.
constexpr int exit_interrupted = 130;

struct RunOptions {
  std::string scene;
  std::string folder;  ///< empty: out/SCENE_NAME
  std::optional<int> steps, threads;
  std::string device = "cpu";
  bool resume = false;
  bool force = false;                  ///< replace the results that the folder has
  bool quiet = false;                  ///< print nothing but warnings and errors
  std::vector<std::string> overrides;  ///< JSON_POINTER=VALUE
  std::string recorded_queries;        ///< file for the CCD queries of the run; "": none
  std::string recorded_systems;        ///< folder for linear systems of the run; "": none
};

std::filesystem::path folder_for(const RunOptions& options) {
  if (!options.folder.empty()) return options.folder;
  return std::filesystem::path("out") / std::filesystem::path(options.scene).stem();
}

/// A word as a shell takes it.
std::string quoted(const std::string& word) {
  const bool plain =
      word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:") ==
      std::string::npos;
  return plain ? word : "'" + word + "'";
}

/// The command that continues this run: the same scene with the same overrides.
std::string resume_hint(const RunOptions& options) {
  std::string command = fmt::format("continue with: bulwark run {} -o {} --resume", quoted(options.scene),
                                    quoted(folder_for(options).string()));
  if (options.steps) command += fmt::format(" --steps {}", *options.steps);
  for (const std::string& assignment : options.overrides) command += " --set " + quoted(assignment);
  return command;
}

/// Results are replaced only on demand.
void require_free_folder(const RunOptions& options) {
  const std::filesystem::path folder = folder_for(options);
  if (options.force || !has_results(folder)) return;
  const bool continues = options.resume && has_checkpoint(folder);
  if (continues) return;
  throw InputError(folder.string(),
                   options.resume ? "this folder has results, but no checkpoint to continue from"
                                  : "this folder has the results of a run",
                   fmt::format("choose another folder with -o, {}or replace them with --force",
                               options.resume ? "" : "continue that run with --resume, "));
}

/// A checkpoint that someone or something changed, so that its sum is right, is found out here at the latest.
void require_no_intersection(const Simulation& simulation, const State& state,
                             const std::filesystem::path& folder) {
  if (!simulation.settings().contact.enabled) return;
  const CollisionMesh& mesh = simulation.world().collision;
  if (find_intersections(mesh, vertex_positions(mesh, state.position), 1).empty()) return;
  throw InputError((folder / "checkpoint.bwk").string(),
                   "surfaces pass through each other in the state of this checkpoint",
                   "run without --resume to start over, or give another folder with -o");
}

/// Opens the folder for this run: from its checkpoint when that is asked for and there is one, else from the
/// start.
RunFolder open_folder(const RunOptions& options, FolderLock lock, const RunOrigin& origin,
                      Simulation& simulation) {
  const std::filesystem::path folder = lock.folder();
  if (options.resume && has_checkpoint(folder)) {
    const Checkpoint checkpoint = read_checkpoint(
        folder, scene_fingerprint(origin.resolved_scene, simulation.world()), simulation.world());
    require_no_intersection(simulation, checkpoint.state, folder);
    simulation.restore(checkpoint.state);
    if (!options.quiet) {
      say(stdout, "resuming in {} after step {}, t = {:.6g} s\n", folder.string(), checkpoint.state.step,
          checkpoint.state.time);
      for (const SteeredDrive& steered : checkpoint.state.steered)
        say(stdout, "joint '{}' keeps what a program set, not what the scene says\n", steered.joint);
    }
    return RunFolder::resume(std::move(lock), origin, simulation, checkpoint);
  }
  if (!options.quiet && options.resume) {
    say(stdout, "{} has no checkpoint yet: starting from the beginning\n", folder.string());
  }
  if (!options.quiet && has_results(folder)) say(stdout, "replacing the run in {}\n", folder.string());
  return RunFolder::start(std::move(lock), origin, simulation);
}

/// Steps until the last step or an interrupt.
void step_all(Simulation& simulation, RunFolder& folder, std::int64_t last_step, bool quiet) {
  Progress progress(simulation.world().state.step, last_step, quiet);
  while (simulation.world().state.step < last_step && !interrupted()) {
    try {
      const StepReport report = simulation.step();
      folder.record(simulation, report);
      progress.show(report);
    } catch (const Interrupted&) {
      return;
    }
  }
}

/// The whole run, with its end recorded. False when it was interrupted.
bool step_to_end(Simulation& simulation, RunFolder& folder, std::int64_t last_step, bool quiet) {
  try {
    step_all(simulation, folder, last_step, quiet);
  } catch (const SolveError& error) {
    if (const auto* failure = dynamic_cast<const StepFailure*>(&error)) {
      folder.fail(simulation, *failure);
    } else {
      folder.finish(simulation, RunState::failed, error.what());
    }
    throw SolveError(fmt::format(
        "{}\n  the last good state (step {}) is in {}; `bulwark explain {}` says more", error.what(),
        simulation.world().state.step, folder.path().string(), quoted(folder.path().string())));
  }
  const bool complete = simulation.world().state.step >= last_step;
  folder.finish(simulation, complete ? RunState::done : RunState::interrupted);
  return complete;
}

/// Queries of a kind that are kept at the most; the oracle takes about 0.1 ms for each.
constexpr std::size_t most_recorded_queries = 100'000;

/// NAME.csv becomes NAME.vertex-face.csv and NAME.edge-edge.csv: the format does not tell the kinds apart.
void write_recorded_queries(const CcdRecorder& recorder, const std::filesystem::path& file, bool quiet) {
  for (const CcdKind kind : {CcdKind::point_triangle, CcdKind::edge_edge}) {
    const std::vector<MovingPair> queries = recorder.queries(kind);
    std::filesystem::path name = file;
    name.replace_extension(kind == CcdKind::edge_edge ? ".edge-edge.csv" : ".vertex-face.csv");
    write_file_atomically(name, queries_as_text(queries));
    if (quiet) continue;
    const auto hits =
        std::count_if(queries.begin(), queries.end(), [](const MovingPair& q) { return q.collides; });
    say(stdout, "{} collision queries, {} of them collisions, in {}\n", queries.size(), hits, name.string());
  }
}

/// Writes the last linear system of each step into a folder.
class SystemRecorder {
 public:
  explicit SystemRecorder(std::filesystem::path folder) : folder_(std::move(folder)) { make_folder(folder_); }

  void take(std::int64_t step, const LinearSystem& system) {
    if (step != step_) write();
    step_ = step;
    bytes_ = bytes_of_system(system);
  }
  void write() {
    if (!bytes_.empty()) {
      write_file_atomically(folder_ / fmt::format("step_{:06}.bws", step_), bytes_);
      ++written_;
    }
    bytes_.clear();
  }
  int written() const { return written_; }

 private:
  std::filesystem::path folder_;
  std::int64_t step_ = 0;
  std::string bytes_;
  int written_ = 0;
};

int run(const RunOptions& options) {
  if (options.device != "cpu") {
    throw InputError("--device " + options.device, "this device is not available in this build",
                     "use --device cpu, or leave it out");
  }
  LoadedScene scene = load(options.scene, options.overrides);
  if (options.steps) scene.settings.time.steps = *options.steps;
  if (options.threads) scene.settings.solver.threads = *options.threads;
  set_thread_count(scene.settings.solver.threads);

  if (!options.recorded_queries.empty()) {
    scene.settings.contact.ccd_recorder = std::make_shared<CcdRecorder>(most_recorded_queries);
  }
  std::unique_ptr<SystemRecorder> systems;
  if (!options.recorded_systems.empty()) {
    systems = std::make_unique<SystemRecorder>(options.recorded_systems);
    scene.settings.solver.record_system = [&](std::int64_t step, const LinearSystem& system) {
      systems->take(step, system);
    };
  }

  FolderLock lock(folder_for(options));
  require_free_folder(options);
  catch_interrupts();
  scene.settings.stop = interrupted;
  Simulation simulation = naming_file(scene.origin.scene_file, [&] {
    return start_simulation(scene.world, scene.settings, lock.folder() / "intersections.obj");
  });
  if (!options.quiet) say(stdout, "{}{}", size_line(simulation), derived_lines(simulation));
  const std::string not_promised = missing_promise(simulation.world(), simulation.settings().contact);
  if (!not_promised.empty()) log_warning("no promise: {}", not_promised);
  std::fflush(stdout);
  warn_of_odd_values(simulation);

  RunFolder folder = open_folder(options, std::move(lock), scene.origin, simulation);
  bool complete = false;
  try {
    complete = step_to_end(simulation, folder, scene.settings.time.steps, options.quiet);
  } catch (const std::bad_alloc&) {
    throw SolveError(fmt::format(
        "{}: step {} needs more memory than is available\n  the last checkpoint is in {}; with more memory, {}",
        scene.origin.scene_file, simulation.world().state.step + 1, folder.path().string(),
        resume_hint(options)));
  } catch (const OutputError& error) {
    throw OutputError(fmt::format("{}\n  once that is fixed, {}", error.what(), resume_hint(options)));
  }
  if (scene.settings.contact.ccd_recorder) {
    write_recorded_queries(*scene.settings.contact.ccd_recorder, options.recorded_queries, options.quiet);
  }
  if (systems) {
    systems->write();
    if (!options.quiet)
      say(stdout, "{} linear systems, the last of each step, in {}\n", systems->written(),
          options.recorded_systems);
  }
  if (!complete) {
    say(stdout, "interrupted after step {}; {}\n", simulation.world().state.step, resume_hint(options));
    return exit_interrupted;
  }
  if (options.quiet) return 0;
  const RunTotals& totals = folder.totals();
  const std::string nearest = std::isfinite(totals.worst_min_distance)
                                  ? "smallest distance " + with_unit(totals.worst_min_distance, "m")
                              : not_promised.empty() ? "no contact"
                                                     : "no contact by the barrier";
  say(stdout, "done: {} steps, {} {} iterations, {}; {}; results in {}\n", totals.steps, totals.iterations,
      minimiser_title(simulation.settings().solver.minimiser), duration(totals.seconds), nearest,
      folder.path().string());
  if (!not_promised.empty()) say(stdout, "no promise: {}\n", not_promised);
  return 0;
}

}  // namespace

void add_run_command(CommandLine& line) {
  auto [command, options] = line.add<RunOptions>("run", "Simulate a scene into a run folder", run);
  command.add_option("SCENE", options.scene, "Scene file, or the name of a shipped scene")->required();
  command.add_option("-o,--output", options.folder, "Run folder (default: out/SCENE_NAME)")->type_name("DIR");
  command.add_option("--steps", options.steps, "Number of time steps, instead of the scene's")
      ->check(not_negative())
      ->type_name("N");
  command.add_option("--threads", options.threads, "Threads to use; 0 means all (default: the scene's)")
      ->check(not_negative())
      ->type_name("N");
  command.add_option("--device", options.device, "cpu, the only device of this build")->type_name("DEVICE");
  CLI::Option* resume = command.add_flag("--resume", options.resume,
                                         "Continue from the folder's last checkpoint, if it has one");
  command.add_flag("--force", options.force, "Replace the results that the folder has")->excludes(resume);
  command
      .add_option("--record-queries", options.recorded_queries,
                  "Write a sample of the collision queries, for bulwark ccd")
      ->type_name("FILE.csv");
  command
      .add_option("--record-systems", options.recorded_systems,
                  "Write the last linear system of each step, for bulwark bench solve")
      ->type_name("DIR");
  add_overrides(command, options.overrides);
  add_quiet(command, options.quiet);
  command.footer("Example:\n  bulwark run scene.json -o out/trial --steps 200 --set /contact/friction=0.3");
}

}  // namespace bulwark::app
