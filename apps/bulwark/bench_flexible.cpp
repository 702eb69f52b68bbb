// Bodies of finite elements: a beam of quadratic tetrahedra against FEniCSx and CalculiX on the same mesh, and what
// elements of higher order save against finer meshes of linear ones (flexible_orders.hpp); ANCF beams and shells.
//
// On one thread times are processor time of the stepping loops alone. Peers are programs that are looked for when the benchmark
// runs; without them it has our column only.
#include "benchmarks.hpp"
#include "flexible_ancf.hpp"
#include "flexible_beam.hpp"
#include "flexible_orders.hpp"
#include "stiff_trial.hpp"

#include <fmt/format.h>

#include <array>

namespace bulwark::app {
namespace {

/// The size of the Newton step after which a solve ends, over the tip's displacement, and the residual that ends
/// FEniCSx's, over the force. Strains are of the order 1e-5, and Newton's step leaves its square: both sides need one
/// linear solve a step, and the histories change by less than 1e-5 with smaller tolerances.
constexpr double newton_step_tolerance = 1, residual_tolerance = 1e-6;

/// Near the numbers of nodes 105, 466, 2013, 9050 and 39442 of the published meshes RES0, 2, 4, 8 and 16.
struct BeamSize {
  const char* name;
  std::array<int, 3> cells;
};
constexpr std::array<BeamSize, 5> beam_sizes = {{{"RES0", {3, 2, 1}},
                                                 {"RES2", {5, 4, 2}},
                                                 {"RES4", {10, 7, 3}},
                                                 {"RES8", {18, 10, 6}},
                                                 {"RES16", {28, 18, 10}}}};

std::string where_time_goes(const BeamRun& run) {
  double wall = 0;
  for (const double seconds : run.profile.seconds) wall += seconds;
  return fmt::format("{} solves; assembly {:.0f} %, linear solves {:.0f} %", run.solves,
                     100 * run.profile[Phase::assembly] / wall,
                     100 * run.profile[Phase::linear_solve] / wall);
}

class SaggingBeam {
 public:
  SaggingBeam(BenchTable& table, int threads, bool alone) : table_(table), threads_(threads), alone_(alone) {}

  void compare(const BeamSize& size, const ElasticMaterial& material) {
    const FlexibleBeam beam = flexible_beam(size.cells, material);
    const bool svk = material.model == ElasticModel::svk;
    const std::string name =
        fmt::format("{}, {}, {} nodes", size.name, svk ? "SVK" : "MR", beam.mesh.vertices.cols());
    const BeamRun euler = run_beam(beam, "implicit-euler", threads_, newton_step_tolerance);
    add(name, "Euler", beam, euler, "FEniCSx",
        alone_ ? without_peers() : run_fenicsx(beam, threads_, residual_tolerance));
    if (svk) {
      FlexibleBeam ramped = beam;
      ramped.ramped = true;
      const BeamRun newmark = run_beam(ramped, "newmark", threads_, newton_step_tolerance);
      add(name, "Newmark", ramped, newmark, "CalculiX",
          alone_ ? without_peers() : run_calculix(ramped, threads_));
      FlexibleBeam resting = beam;
      resting.steps = 1;
      resting.step = 1;
      add(name, "at rest", resting, run_beam(resting, "static", threads_, newton_step_tolerance), "CalculiX",
          alone_ ? without_peers() : run_calculix_static(resting, threads_));
    }
  }

 private:
  static PeerBeamRun without_peers() { return {{}, "without other programs"}; }

  void add(const std::string& name, const std::string& integrator, const FlexibleBeam& beam,
           const BeamRun& ours, const std::string& peer_name, const PeerBeamRun& peer) {
    const std::string metric = integrator + ", ms a step", note = where_time_goes(ours);
    const double milliseconds = 1e3 * ours.seconds / beam.steps;
    if (!peer.run) {
      table_.rows.push_back(own_row(name, metric, milliseconds, fmt::format("{}; {}", note, peer.failure)));
      return;
    }
    table_.rows.push_back(
        time_row(name, metric, milliseconds, peer_name, 1e3 * peer.run->seconds / beam.steps,
                 fmt::format("{}; {}{}", note, peer.run->about,
                             peer.run->solves > 0 ? fmt::format(", {} solves", peer.run->solves) : "")));
    table_.rows.push_back(own_row(name, integrator + ", difference, %",
                                  100 * largest_difference(ours.tip, peer.run->tip),
                                  fmt::format("to {}'s tip, over its largest displacement", peer_name)));
  }

  BenchTable& table_;
  int threads_;
  bool alone_;  ///< without peers
};

}  // namespace

BenchTable bench_flexible(const BenchOptions& options) {
  BenchTable table = {"flexible", {}};
  const auto asked_for = [&](const std::string& part) {
    return options.only.empty() || options.only == part;
  };
  const int threads = options.threads.value_or(1);
  if (asked_for("sag")) {
    SaggingBeam sagging(table, threads, options.quick);
    const int largest = options.largest.value_or(options.quick ? 100 : 10'000);
    for (const BeamSize& size : beam_sizes) {
      if (tetrahedral_box(Vector3::Ones(), size.cells, 2).vertices.cols() > largest) break;
      sagging.compare(size, svk_beam_material());
      sagging.compare(size, mooney_rivlin_beam_material());
    }
  }
  if (asked_for("ancf")) measure_ancf(table, threads, options.largest.value_or(options.quick ? 200 : 2700));
  if (asked_for("cantilever")) measure_cantilever(table, threads, options.quick);
  if (asked_for("orders")) measure_orders(table, threads, options.quick);
  return table;
}

}  // namespace bulwark::app
