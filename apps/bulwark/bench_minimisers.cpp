// Newton's method and AdamW on the same time steps: iterations, time, and the residual that is left where both end by the
// same rule, a residual that is small enough. The beam of `bench flexible` under its pull, and the vase on foam.
#include "benchmarks.hpp"
#include "flexible_beam.hpp"
#include "scene_library.hpp"
#include "stiff_trial.hpp"

#include <bulwark/base/error.hpp>
#include <bulwark/scene/load.hpp>

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <functional>
#include <utility>

namespace bulwark::app {
namespace {

/// Near the published meshes RES0, 2, 4, 8 and 16, in cells.
constexpr std::array<std::pair<const char*, std::array<int, 3>>, 5> meshes_to_minimise_on = {
    {{"RES0", {3, 2, 1}},
     {"RES2", {5, 4, 2}},
     {"RES4", {10, 7, 3}},
     {"RES8", {18, 10, 6}},
     {"RES16", {28, 18, 10}}}};

/// That of the published beams, and a small part of what a solve of the vase begins with.
constexpr double beam_residual = 1e-4, vase_residual = 1e-3;
/// So small that it ends no solve: the residual alone does.
constexpr double no_own_rule = 1e-12;
/// Of AdamW in a step: beyond it is not a method of this step. Those of the vase take a hundred times as long.
constexpr int most_iterations = 20'000, most_iterations_on_vase = 2'000;

struct Minimised {
  int steps = 0;
  std::int64_t iterations = 0;
  double seconds = 0, residual = 0;  ///< in all steps; the largest of them
  Vectors end;
  std::string failure;
};

/// The settings with one of the methods, which ends at the residual.
Settings minimised_by(const std::string& method, Settings settings, double residual, int most) {
  settings.solver.minimiser = method;
  settings.solver.tolerance = no_own_rule;
  settings.solver.newton.gradient_tolerance = residual;
  settings.solver.adamw.gradient_tolerance = residual;
  settings.solver.adamw.max_iterations = most;
  settings.solver.adamw.max_step_iterations = most;
  settings.solver.max_halvings = 0;
  return settings;
}

Minimised run_minimiser(World world, const Settings& settings, int steps) {
  Simulation simulation(std::move(world), settings);
  Minimised run;
  const auto start = std::chrono::steady_clock::now();
  try {
    for (; run.steps < steps; ++run.steps) {
      const StepReport report = simulation.step();
      run.iterations += report.iterations();
      run.residual = std::max(run.residual, report.residual);
    }
  } catch (const StepFailure& failure) {
    const StepReport& report = failure.report();
    run.failure = fmt::format("; {} gave up in step {} after {} iterations at {:.1e} N",
                              settings.solver.minimiser, run.steps + 1, report.iterations(), report.residual);
    run.iterations += report.iterations();
    run.residual = std::max(run.residual, report.residual);
  }
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  run.end = simulation.world().state.position;
  return run;
}

/// Rows of both, from the same start.
void compare_minimisers(BenchTable& table, const std::string& name, const std::function<World()>& world,
                        const Settings& settings, int steps, double residual, int most) {
  const auto by = [&](const std::string& method) {
    return run_minimiser(world(), minimised_by(method, settings, residual, most), steps);
  };
  const Minimised newton = by("newton"), adamw = by("adamw");
  const auto per_step = [](const Minimised& run, double sum) { return sum / std::max(run.steps, 1); };
  BenchRow times =
      time_row(name, "Newton, ms a step", per_step(newton, 1e3 * newton.seconds), "AdamW",
               per_step(adamw, 1e3 * adamw.seconds),
               fmt::format("{} steps, to {:.0e} N{}{}", steps, residual, newton.failure, adamw.failure));
  if (!newton.failure.empty() || !adamw.failure.empty()) times.ratio.reset();  // of what did not end
  table.rows.push_back(times);
  const auto add = [&](const std::string& metric, double ours, double theirs) {
    table.rows.push_back({name, metric, ours, "AdamW", theirs, {}, ""});
  };
  add("iterations a step", per_step(newton, static_cast<double>(newton.iterations)),
      per_step(adamw, static_cast<double>(adamw.iterations)));
  add("residual, N", newton.residual, adamw.residual);
  if (newton.steps < steps || adamw.steps < steps) return;
  const double size = (newton.end.rowwise().maxCoeff() - newton.end.rowwise().minCoeff()).norm();
  table.rows.push_back(own_row(name, "largest difference, parts of its size",
                               (newton.end - adamw.end).colwise().norm().maxCoeff() / size,
                               "of any node, at the end"));
}

}  // namespace

BenchTable bench_minimisers(const BenchOptions& options) {
  BenchTable table = {"minimisers", {}};
  const int threads = options.threads.value_or(1);
  const int largest = options.largest.value_or(options.quick ? 100 : 2500);
  for (const auto& [name, cells] : meshes_to_minimise_on) {
    FlexibleBeam beam = flexible_beam(cells, svk_beam_material());
    if (beam.mesh.vertices.cols() > largest) break;
    beam.steps = options.quick ? 3 : 10;
    const Settings settings = beam_settings(beam, "implicit-euler", threads);
    compare_minimisers(
        table, fmt::format("beam, {}, {} nodes", name, beam.mesh.vertices.cols()),
        [&] { return beam_world(beam); }, settings, beam.steps, beam_residual, most_iterations);
  }
  if (options.quick) return table;
  const Scene vase = load_scene(find_scene("validation/vase_on_foam"));
  Settings settings = vase.settings;
  settings.solver.threads = threads;
  compare_minimisers(
      table, fmt::format("vase on foam, {} nodes", vase.world.control_count()), [&] { return vase.world; },
      settings, 3, vase_residual, most_iterations_on_vase);
  return table;
}

}  // namespace bulwark::app
