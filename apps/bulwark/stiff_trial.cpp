#include "stiff_trial.hpp"

#include <bulwark/base/error.hpp>
#include <bulwark/base/parallel.hpp>
#include <bulwark/collision/exact_intersection.hpp>
#include <bulwark/collision/pair_offset.hpp>
#include <bulwark/collision/passed_bodies.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

namespace bulwark::app {
namespace {

/// Processor time of the whole program, so that work on other threads would count too.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <class Candidate>
double overlap_of(const CollisionMesh& mesh, const Vectors& positions, const Candidate& pair) {
  const std::array<Vector3, 4> x = positions_of(vertices_of(mesh, pair), positions);
  return pair_offset(mesh, pair) - std::sqrt(squared_distance(features_of(pair, x), x.data()));
}

/// How much nearer two primitives are than their radii allow, m; 0 where neither has one.
double overlap_of(const CollisionMesh& mesh, const Vectors& positions, const Intersection& found) {
  switch (found.kind) {
    case Intersection::Kind::edge_edge:
      return overlap_of(mesh, positions, EdgeEdgeCandidate{found.first, found.second});
    case Intersection::Kind::point_triangle:
      return overlap_of(mesh, positions, PointTriangleCandidate{found.first, found.second});
    case Intersection::Kind::point_plane: {
      const CollisionPlane& plane = mesh.planes[found.second];
      return mesh.radius_of(found.first) -
             plane.normal.dot(positions.col(found.first) - positions.col(plane.vertex));
    }
    case Intersection::Kind::edge_triangle:
      break;
  }
  return 0;
}

/// Looks at a state by the exact check.
void judge(Trial& trial, const CollisionMesh& mesh, const Vectors& positions) {
  constexpr std::size_t all = 10'000'000;
  std::set<std::pair<int, int>> pairs;
  for (const Intersection& found : find_intersections(mesh, positions, all)) {
    pairs.insert(std::minmax(found.body_first, found.body_second));
    trial.deepest_overlap = std::max(trial.deepest_overlap, overlap_of(mesh, positions, found));
  }
  trial.most_pairs = std::max(trial.most_pairs, static_cast<int>(pairs.size()));
}

/// Steps until the end, after those that settle; `advance` makes one step and is timed, `positions` gives the collision vertices.
template <class Advance, class Positions>
void run_steps(Trial& trial, const TrialOptions& options, const CollisionMesh& mesh, Advance advance,
               Positions positions) {
  for (auto left = std::lround(options.settling / options.step); left > 0; --left) advance();
  trial = {};
  trial.step = options.step;
  const auto seconds = options.threads == 1 ? processor_seconds : wall_seconds;
  const int steps = static_cast<int>(std::lround(options.duration / options.step));
  const int check_every = std::max(1, static_cast<int>(std::lround(check_interval / options.step)));
  Vectors before = positions();
  while (trial.steps < steps) {
    const double start = seconds();
    advance();
    trial.seconds += seconds() - start;
    ++trial.steps;
    const Vectors after = positions();
    trial.passed += static_cast<int>(passed_bodies(mesh, VertexPath::line(before, after)).size());
    before = after;
    if (options.only_sound && !trial.sound()) return;
    if (trial.steps % check_every != 0 && trial.steps < steps) continue;
    judge(trial, mesh, after);
    if (options.only_sound && trial.most_pairs > 0) return;
  }
}

void make_kind(nlohmann::json& object, const char* key, const std::string& kind) {
  if (object.value(key, "") == "affine") object[key] = kind;
}

void make_material(nlohmann::json& material, const std::string& kind) {
  make_kind(material, "model", kind);
  if (kind == "rigid") material.erase("stiffness");
}

}  // namespace

Trial run_ours(const Scene& scene, const TrialOptions& options) {
  Settings settings = scene.settings;
  settings.time.step = options.step;
  settings.solver.threads = options.threads;
  if (options.patience > 0) {
    settings.stop = [end = wall_seconds() + options.patience] { return wall_seconds() > end; };
  }
  Simulation simulation(scene.world, settings);
  Trial trial;
  const auto advance = [&] {
    const StepReport report = simulation.step();
    trial.iterations += report.newton_iterations;
    trial.contacts += report.contacts;
    trial.wall_seconds += report.seconds;
    trial.error = std::max(trial.error, report.rigidity_error);
    trial.energy_gain += report.energy_gain;
    for (std::size_t p = 0; p < phase_names.size(); ++p)
      trial.profile.seconds[p] += report.profile.seconds[p];
  };
  const CollisionMesh& mesh = simulation.world().collision;
  try {
    run_steps(trial, options, mesh, advance,
              [&] { return vertex_positions(mesh, simulation.world().state.position); });
  } catch (const SolveError& error) {
    trial.failure = error.what();
  } catch (const Interrupted&) {
    trial.failure = fmt::format("{:.0f} s were over", options.patience);
  }
  return trial;
}

Trial run_bullet(const Scene& scene, double contact_distance, BulletShapes shapes,
                 const TrialOptions& options) {
  set_thread_count(1);
  BulletPeer peer(scene.world, scene.settings, shapes, contact_distance / 2);
  Trial trial;
  run_steps(
      trial, options, scene.world.collision, [&] { peer.step(options.step); },
      [&] {
        trial.error = std::max(trial.error, peer.deepest_penetration());
        return peer.vertex_positions();
      });
  return trial;
}

Trial run_mujoco(const Scene& scene, double contact_distance, const TrialOptions& options) {
  Settings settings = scene.settings;
  settings.time.step = options.step;
  MujocoPeer peer(scene.world, settings, contact_distance);
  Trial trial;
  const auto advance = [&] {
    peer.step();
    trial.contacts += peer.contacts();
  };
  try {
    run_steps(trial, options, scene.world.collision, advance, [&] { return peer.vertex_positions(); });
  } catch (const SolveError& error) {
    trial.failure = error.what();
  }
  return trial;
}

std::string breakdown(const Trial& trial) {
  std::string text =
      fmt::format("{:.3g} iterations, {:.4g} contacts a step; ms:", trial.iterations / trial.steps,
                  trial.contacts / trial.steps);
  double rest = trial.wall_seconds;
  const double scale = trial.milliseconds_a_step() / trial.wall_seconds;
  for (std::size_t p = 0; p < phase_names.size(); ++p) {
    if (p >= static_cast<std::size_t>(Phase::output)) continue;  // nothing is written here
    rest -= trial.profile.seconds[p];
    text += fmt::format(" {} {:.3g},", phase_names[p], scale * trial.profile.seconds[p]);
  }
  return text + fmt::format(" rest {:.3g}", scale * std::max(0.0, rest));
}

std::string failure_note(const Trial& trial) {
  if (trial.failure.empty()) return "";
  return fmt::format("; ended after {} steps: {}", trial.steps,
                     trial.failure.substr(0, trial.failure.find('\n')));
}

BenchRow time_row(const std::string& case_name, const std::string& metric, double ours,
                  const std::string& peer_name, double peer, const std::string& note) {
  return {case_name, metric, ours, peer_name, peer, peer / ours, note};
}

BenchRow own_row(const std::string& case_name, const std::string& metric, double ours,
                 const std::string& note) {
  return {case_name, metric, ours, "", {}, {}, note};
}

const std::vector<BulletColumn>& bullet_columns() {
  static const std::vector<BulletColumn> columns =
      bullet_version()
          ? std::vector<BulletColumn>{{"hulls", BulletShapes::hulls}, {"boxes", BulletShapes::primitives}}
          : std::vector<BulletColumn>{};
  return columns;
}

Scene load_stiff_scene(const std::filesystem::path& file, const std::string& kind) {
  if (kind == "affine") return load_scene(file);
  std::ifstream stream(file);
  nlohmann::json scene = nlohmann::json::parse(stream, nullptr, true, true);
  for (auto& material : scene["materials"]) make_material(material, kind);
  for (auto& body : scene["bodies"]) {
    make_kind(body, "kind", kind);
    if (body.contains("material") && body["material"].is_object()) make_material(body["material"], kind);
  }
  LoadOptions options;
  options.base_folder = file.parent_path();
  return parse_scene(scene.dump(), file.string(), options);
}

}  // namespace bulwark::app
