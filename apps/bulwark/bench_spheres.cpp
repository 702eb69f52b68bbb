// Spheres that fall into a box, against Bullet and MuJoCo in the same run, and how the time of a step grows with
// their number.
//
// All spheres are equal and lie in five layers, whatever their number: a larger box is wider, not deeper, so that
// every sphere carries as much in all sizes. The timing begins when they have piled up. States are judged by the
// exact intersection check, outside of the timing, also those that are read back from the other engines.
#include "benchmarks.hpp"
#include "stiff_trial.hpp"

#include <bulwark/base/error.hpp>
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/append_parts.hpp>

#include <fmt/format.h>

#include <cmath>
#include <random>

namespace bulwark::app {
namespace {

constexpr double radius = 0.05;          // m
constexpr double fall_speed = 2;         // m/s at the start
constexpr double friction = 0.5;         // between all
constexpr double time_step = 1.0 / 240;  // s
constexpr int layers = 5;
/// Distances within a layer and between layers, in diameters. A sphere lies above the middle of four.
constexpr double across = 1.1, up = 0.66;
/// By which a sphere may be off its place along each axis, in diameters: too little for two to touch.
constexpr double jitter = 0.005;
/// At the start all have room; after these all layers have met.
constexpr double settling = 3 * time_step;  // s
constexpr double timed = 4 * time_step;     // s
/// For ours in one size: then it is given up.
constexpr double patience = 1800;  // s of wall time

void add_wall(World& world, const std::string& name, const Vector3& point, const Vector3& normal) {
  BodyOptions options;
  options.name = name;
  add_plane(world, point, normal, options);
}

/// Spheres above the floor of a box without a lid.
Scene falling_spheres(int count) {
  Scene scene;
  const double diameter = 2 * radius, spacing = across * diameter;
  const int side = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(count) / layers)));
  // Odd layers are shifted by half a spacing along x and z.
  const double width = spacing * (side + 0.5);
  add_wall(scene.world, "floor", Vector3::Zero(), Vector3::UnitY());
  add_wall(scene.world, "left", Vector3::Zero(), Vector3::UnitX());
  add_wall(scene.world, "right", {width, 0, 0}, -Vector3::UnitX());
  add_wall(scene.world, "back", Vector3::Zero(), Vector3::UnitZ());
  add_wall(scene.world, "front", {0, 0, width}, -Vector3::UnitZ());

  const SurfaceMesh sphere = round_surface(SphereShape{radius});
  const StiffMaterial stone{.density = 2500};
  std::minstd_rand random(1);
  const auto offset = [&] {
    return jitter * diameter * (2.0 * random() / static_cast<double>(std::minstd_rand::max()) - 1);
  };
  PendingParts parts(scene.world);
  for (int i = 0; i < count; ++i) {
    const int layer = i / (side * side);
    const double shift = 0.5 * (1 + layer % 2);
    BodyOptions options;
    options.name = fmt::format("sphere{}", i);
    options.velocity = {0, -fall_speed, 0};
    options.pose.position = Vector3(spacing * (i % side + shift), diameter * (0.55 + up * layer),
                                    spacing * (i / side % side + shift));
    for (int axis = 0; axis < 3; ++axis) options.pose.position[axis] += offset();
    World part = parts.new_part();
    add_rigid(part, sphere, stone, options);
    parts.add(std::move(part));
  }
  parts.finish();
  scene.settings.contact.friction = friction;
  scene.settings.time.step = time_step;
  return scene;
}

struct Sizes {
  std::vector<double> count, seconds;

  void add(int spheres, double time) {
    count.push_back(spheres);
    seconds.push_back(time);
  }
  void add_exponent(BenchTable& table, const std::string& metric, const std::string& note) const {
    if (count.size() > 1)
      table.rows.push_back(own_row("growth exponent", metric, growth_exponent(count, seconds), note));
  }
};

class SpheresBench {
 public:
  explicit SpheresBench(int threads)
      : trial_{.step = time_step,
               .duration = timed,
               .settling = settling,
               .threads = threads,
               .patience = patience} {}

  void compare(int count) {
    const Scene scene = falling_spheres(count);
    const double distance = Simulation(scene.world, scene.settings).derived().contact_distance;
    const std::string name = fmt::format("{} spheres", count);
    const Trial ours = run_ours(scene, trial_);
    std::string note = breakdown(ours);
    if (ours.failure.empty()) {
      note = fmt::format("{:.2g} contacts a sphere, ", ours.contacts / ours.steps / count) + note;
      ours_.add(count, ours.seconds);
      const double solving = ours.profile[Phase::linear_solve] / ours.wall_seconds;
      without_solving_.add(count, ours.seconds * (1 - solving));
    } else {
      note = "not measured" + failure_note(ours);
    }
    if (!bullet_version() && !mujoco_version()) {
      table_.rows.push_back(own_row(name, "ms a step", ours.milliseconds_a_step(), note));
      table_.rows.push_back(own_row(name, "pairs intersecting", ours.most_pairs, ""));
    }
    if (bullet_version()) {
      const Trial peer = run_bullet(scene, distance, BulletShapes::primitives, trial_);
      bullet_.add(count, peer.seconds);
      add_peer(name, ours, note, "Bullet", peer, "Bullet " + *bullet_version());
    }
    if (mujoco_version()) {
      try {
        const Trial peer = run_mujoco(scene, distance, trial_);
        add_peer(name, ours, note, "MuJoCo", peer,
                 fmt::format("MuJoCo {}, CG (its fastest solver here), {:.2g} contacts a sphere{}",
                             *mujoco_version(), peer.contacts / peer.steps / count, failure_note(peer)));
      } catch (const InputError& error) {
        const std::string reason = error.what();
        table_.rows.push_back(own_row(name, "ms a step", ours.milliseconds_a_step(),
                                      "without " + reason.substr(0, reason.find('\n'))));
      }
    }
  }

  BenchTable finish() {
    ours_.add_exponent(table_, "ours", "of the time of a step over spheres");
    without_solving_.add_exponent(table_, "ours without linear solves", "");
    bullet_.add_exponent(table_, "Bullet", "");
    return std::move(table_);
  }

 private:
  void add_peer(const std::string& name, const Trial& ours, const std::string& note,
                const std::string& peer_name, const Trial& peer, const std::string& about_peer) {
    table_.rows.push_back(
        time_row(name, "ms a step", ours.milliseconds_a_step(), peer_name, peer.milliseconds_a_step(), note));
    const auto add_soundness = [&](const char* metric, double our_value, double peer_value) {
      table_.rows.push_back({name, metric, our_value, peer_name, peer_value, {}, about_peer});
    };
    add_soundness("pairs intersecting", ours.most_pairs, peer.most_pairs);
    add_soundness("deepest overlap, mm", 1e3 * ours.deepest_overlap, 1e3 * peer.deepest_overlap);
  }

  TrialOptions trial_;
  BenchTable table_ = {"spheres", {}};
  Sizes ours_, without_solving_, bullet_;
};

}  // namespace

BenchTable bench_spheres(const BenchOptions& options) {
  if (!bullet_version())
    fmt::print("Without Bullet: it was not found when this program was built (libbullet-dev).\n");
  if (!mujoco_version())
    fmt::print("Without MuJoCo: it was not found when this program was built (libmujoco-dev).\n");
  SpheresBench bench(options.threads.value_or(1));
  const int largest = options.largest.value_or(options.quick ? 0 : 10'000);
  for (const int count : {100, 500, 1'000, 10'000, 100'000}) {
    // A hundred only show that it works; MuJoCo has no room for a thousand.
    if (count == 100 ? options.quick : count <= largest) bench.compare(count);
  }
  return bench.finish();
}

}  // namespace bulwark::app
