// Stiff bodies on one thread: a wrecking ball in three sizes against Bullet in the same run, affine against
// rigid bodies on other scenes, and how the time of a step grows with the number of bodies.
//
// Times are processor time of the steps alone. Both sides' states are judged by the exact intersection check,
// outside of the timing. A result is sound when no two bodies intersect in any state that was looked at.
#include "benchmarks.hpp"
#include "scene_library.hpp"
#include "stiff_trial.hpp"

#include <bulwark/geometry/shapes.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <numbers>

namespace bulwark::app {
namespace {

constexpr std::array stiff_kinds = {"affine", "rigid"};

std::string step_name(double step) {
  return fmt::format("1/{}", std::lround(1 / step));
}

/// The wrecking ball in one size.
class WreckingBall {
 public:
  explicit WreckingBall(const std::string& size) {
    const std::filesystem::path file = find_scene("affine/wrecking_ball_" + size);
    for (const char* kind : stiff_kinds) scenes_.push_back(load_stiff_scene(file, kind));
    name_ = fmt::format("{}, {} bodies", size, scenes_[0].world.bodies.size());
    contact_distance_ = Simulation(scenes_[0].world, scenes_[0].settings).derived().contact_distance;
  }

  /// Time per step and intersecting pairs of all sides at one time step.
  void compare_at(double step, double duration, BenchTable& table) const {
    const TrialOptions options = {step, duration, false};
    std::vector<Trial> peers;
    for (const BulletColumn& column : bullet_columns()) {
      peers.push_back(run_bullet(scenes_[0], contact_distance_, column.shapes, options));
    }
    const std::string name = fmt::format("{}, {}", name_, step_name(step));
    for (std::size_t k = 0; k < stiff_kinds.size(); ++k) {
      const Trial ours = run_ours(scenes_[k], options);
      add_comparison(table, name, fmt::format("{}, ms a step", stiff_kinds[k]), ours.milliseconds_a_step(),
                     peers, breakdown(ours) + failure_note(ours));
      const std::string pairs = fmt::format("{}, pairs intersecting", stiff_kinds[k]);
      const std::string note = fmt::format("rigid to {:.2g}", ours.error);
      if (peers.empty()) table.rows.push_back(own_row(name, pairs, ours.most_pairs, note));
      for (std::size_t p = 0; p < peers.size(); ++p) {
        table.rows.push_back({name,
                              pairs,
                              static_cast<double>(ours.most_pairs),
                              bullet_columns()[p].name,
                              static_cast<double>(peers[p].most_pairs),
                              {},
                              fmt::format("{}; Bullet {} overlaps by up to {:.2g} m", note, *bullet_version(),
                                          peers[p].error)});
      }
    }
  }

  /// Time per simulated second with each side at the largest step at which it is sound, and with ours at the
  /// step of those below it that costs least.
  void compare_largest_steps(double duration, double smallest_step, BenchTable& table) const {
    std::vector<Trial> peers;
    std::string peers_note;
    for (const BulletColumn& column : bullet_columns()) {
      peers.push_back(largest_sound(duration, smallest_step, [&](const TrialOptions& options) {
        return run_bullet(scenes_[0], contact_distance_, column.shapes, options);
      }));
      peers_note += fmt::format(", {} {}", column.name, sound_step(peers.back()));
    }
    for (std::size_t k = 0; k < stiff_kinds.size(); ++k) {
      const auto run = [&](const TrialOptions& options) { return run_ours(scenes_[k], options); };
      const Trial largest = largest_sound(duration, smallest_step, run);
      add_costs(table, fmt::format("{}, s a simulated s", stiff_kinds[k]), largest, peers,
                fmt::format("largest sound step: ours {}{}{}", sound_step(largest), peers_note,
                            failure_note(largest)));
      // Steps that are longer than pays have a price, too: Bullet's largest sound step is its cheapest.
      Trial cheapest = largest;
      for (int halves = 1; halves <= 3 && largest.sound(); ++halves) {
        const double step = largest.step / (1 << halves);
        if (step < smallest_step) break;
        const Trial shorter = run({step, duration, true});
        if (shorter.sound() && shorter.seconds_a_second() < cheapest.seconds_a_second()) cheapest = shorter;
      }
      add_costs(table, fmt::format("{}, s a simulated s", stiff_kinds[k]), cheapest, peers,
                fmt::format("cheapest sound step: ours {}{}", sound_step(cheapest), peers_note));
    }
  }

 private:
  void add_costs(BenchTable& table, const std::string& metric, const Trial& ours,
                 const std::vector<Trial>& peers, const std::string& note) const {
    const double cost = ours.seconds_a_second();
    if (peers.empty()) table.rows.push_back(own_row(name_, metric, cost, note));
    for (std::size_t p = 0; p < peers.size(); ++p) {
      table.rows.push_back(time_row(name_, metric, cost, bullet_columns()[p].name,
                                    peers[p].seconds_a_second(), p == 0 ? note : ""));
    }
  }

  static std::string sound_step(const Trial& trial) {
    return trial.sound() ? step_name(trial.step) : fmt::format("none down to {}", step_name(trial.step));
  }

  /// The trial at the first step of a falling ladder that is sound, or at the last.
  template <class Run>
  static Trial largest_sound(double duration, double smallest_step, Run run) {
    Trial trial;
    for (const int rate : {25, 50, 100, 240, 500, 1000, 2000, 4000, 8000, 16000}) {
      if (1.0 / rate < 0.999 * smallest_step) break;
      trial = run({1.0 / rate, duration, true});
      if (trial.sound()) break;
    }
    return trial;
  }

  static void add_comparison(BenchTable& table, const std::string& name, const std::string& metric,
                             double ours, const std::vector<Trial>& peers, const std::string& note) {
    if (peers.empty()) table.rows.push_back(own_row(name, metric, ours, note));
    for (std::size_t p = 0; p < peers.size(); ++p) {
      table.rows.push_back(time_row(name, metric, ours, bullet_columns()[p].name,
                                    peers[p].milliseconds_a_step(), p == 0 ? note : ""));
    }
  }

  std::string name_;
  std::vector<Scene> scenes_;  ///< by stiff_kinds
  double contact_distance_ = 0;
};

/// The scenes to compare the kinds on: those asked for, or the shipped ones of chains, cards, arches, bolts
/// and pendulums.
std::vector<std::filesystem::path> scenes_for_kinds(const BenchOptions& options) {
  std::vector<std::filesystem::path> files;
  for (const std::string& scene : options.scenes) files.push_back(find_scene(scene));
  if (!files.empty() || options.quick) return files;
  for (const ShippedScene& scene : shipped_scenes()) {
    for (const char* part : {"chain_net", "card", "arch", "bolt", "pendulum"}) {
      if (scene.name.starts_with("affine/") && scene.name.find(part) != std::string::npos) {
        files.push_back(scene.path);
      }
    }
  }
  return files;
}

/// Affine against rigid bodies over the first steps of a scene.
void compare_kinds(const std::filesystem::path& file, int most_steps, BenchTable& table) {
  std::vector<Trial> trials;
  for (const char* kind : stiff_kinds) {
    const Scene scene = load_stiff_scene(file, kind);
    const double step = scene.settings.time.step;
    trials.push_back(run_ours(scene, {step, std::min(most_steps, scene.settings.time.steps) * step, false}));
  }
  const std::string name = fmt::format("{}, {} steps", file.stem().string(), trials[0].steps);
  const auto note = [](const Trial& trial) {
    return fmt::format("{}; {} pairs intersect, rigid to {:.2g}{}", breakdown(trial), trial.most_pairs,
                       trial.error, failure_note(trial));
  };
  table.rows.push_back(time_row(name, "affine, ms a step", trials[0].milliseconds_a_step(), "rigid",
                                trials[1].milliseconds_a_step(), note(trials[0])));
  table.rows.push_back(own_row(name, "rigid, ms a step", trials[1].milliseconds_a_step(), note(trials[1])));
}

/// side x side pairs of thin boxes, one lying across the other, each pair turned by another angle, just above
/// the ground.
Scene scattered_pairs(int side, const std::string& kind) {
  Scene scene;
  World& world = scene.world;
  BodyOptions ground;
  ground.name = "ground";
  add_plane(world, Vector3::Zero(), Vector3::UnitY(), ground);
  const SurfaceMesh bar = surface_mesh(BoxShape{{0.4, 0.04, 0.04}});
  StiffMaterial wood;
  wood.density = 700;
  for (int i = 0; i < side * side; ++i) {
    for (int upper = 0; upper < 2; ++upper) {
      BodyOptions options;
      options.name = fmt::format("bar{}-{}", i, upper);
      options.pose.position = Vector3(0.5 * (i % side), 0.04 + 0.06 * upper, 0.5 * (i / side));
      // Multiples of the golden angle never repeat: no two pairs do the same.
      const double angle = i * std::numbers::pi * (3 - std::sqrt(5.0)) + upper * std::numbers::pi / 3;
      options.pose.rotation = Eigen::AngleAxisd(angle, Vector3::UnitY()).toRotationMatrix();
      options.self_contact = false;
      if (kind == "affine") {
        add_affine(world, bar, wood, options);
      } else {
        add_rigid(world, bar, wood, options);
      }
    }
  }
  scene.settings.contact.distance = {1e-3, false};
  scene.settings.contact.friction = 0.3;
  return scene;
}

void measure_growth_of_pairs(int largest, BenchTable& table) {
  for (const char* kind : stiff_kinds) {
    std::vector<double> bodies, times;
    for (int part = 1; part <= 5; ++part) {
      const int side = largest * part / 5;
      const Trial trial = run_ours(scattered_pairs(side, kind), {0.01, 0.3, false});
      const std::string name = fmt::format("{} x {} pairs dropped", side, side);
      table.rows.push_back(own_row(name, fmt::format("{}, ms a step", kind), trial.milliseconds_a_step(),
                                   breakdown(trial) + failure_note(trial)));
      bodies.push_back(2.0 * side * side);
      times.push_back(trial.seconds / trial.steps);
    }
    table.rows.push_back(own_row("pairs dropped", fmt::format("{}, growth exponent", kind),
                                 growth_exponent(bodies, times), "of the time of a step over bodies"));
  }
}

}  // namespace

BenchTable bench_stiff(const BenchOptions& options) {
  BenchTable table = {"stiff", {}};
  if (!bullet_version())
    fmt::print("Without Bullet: it was not found when this program was built (libbullet-dev).\n");
  const auto asked_for = [&](const std::string& part) {
    return options.only.empty() || options.only == part;
  };
  const double duration = options.quick ? 0.1 : 1;
  for (const char* size : {"light", "medium", "full"}) {
    if (!asked_for(size) || (options.quick && options.only.empty() && std::string(size) != "light")) continue;
    const WreckingBall ball(size);
    for (const int rate : {100, 240, 1000}) {
      if (!options.quick || rate == 100) ball.compare_at(1.0 / rate, duration, table);
    }
    ball.compare_largest_steps(duration, options.quick ? 1e-3 : 6e-5, table);
  }
  if (asked_for("kinds")) {
    for (const std::filesystem::path& file : scenes_for_kinds(options)) {
      compare_kinds(file, options.quick ? 5 : 100, table);
    }
  }
  if (asked_for("growth")) measure_growth_of_pairs(options.quick ? 5 : options.largest.value_or(100), table);
  return table;
}

}  // namespace bulwark::app
