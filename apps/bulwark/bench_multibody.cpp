// Joined bodies on one thread: a windmill that sweeps stacks of boxes, against Bullet in the same run, and
// how the time of a step grows with the number of hinged pairs.
//
// Times are processor time of the steps alone; states are judged by the exact intersection check, outside of
// the timing.
#include "benchmarks.hpp"
#include "scene_library.hpp"
#include "stiff_trial.hpp"

#include <bulwark/geometry/shapes.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

namespace bulwark::app {
namespace {

void compare_windmill(const std::string& scene_name, double duration, BenchTable& table) {
  const Scene scene = load_scene(find_scene(scene_name));
  const double distance = Simulation(scene.world, scene.settings).derived().contact_distance;
  const TrialOptions options = {scene.settings.time.step, duration, false};
  const Trial ours = run_ours(scene, options);
  const std::string name = fmt::format("{}, {} bodies", scene_name, scene.world.bodies.size());
  const std::string note = breakdown(ours) + failure_note(ours);
  if (bullet_columns().empty())
    table.rows.push_back(own_row(name, "ms a step", ours.milliseconds_a_step(), note));
  for (const BulletColumn& column : bullet_columns()) {
    const Trial peer = run_bullet(scene, distance, column.shapes, options);
    table.rows.push_back(time_row(name, "ms a step", ours.milliseconds_a_step(), column.name,
                                  peer.milliseconds_a_step(), note));
    table.rows.push_back(
        {name,
         "pairs intersecting",
         static_cast<double>(ours.most_pairs),
         column.name,
         static_cast<double>(peer.most_pairs),
         {},
         fmt::format("Bullet {} overlaps by up to {:.2g} m", *bullet_version(), peer.error)});
  }
}

/// side x side pairs of boxes, hinged end to end, each pair turned by another angle, just above the ground.
Scene hinged_pairs(int side) {
  Scene scene;
  World& world = scene.world;
  BodyOptions ground;
  ground.name = "ground";
  add_plane(world, Vector3::Zero(), Vector3::UnitY(), ground);
  const SurfaceMesh bar = surface_mesh(BoxShape{{0.2, 0.04, 0.04}});
  StiffMaterial wood;
  wood.density = 700;
  for (int i = 0; i < side * side; ++i) {
    // Multiples of the golden angle never repeat: no two pairs do the same.
    const double angle = i * std::numbers::pi * (3 - std::sqrt(5.0));
    const Matrix3 turn = Eigen::AngleAxisd(angle, Vector3::UnitY()).toRotationMatrix();
    const Vector3 place(0.6 * (i % side), 0.1, 0.6 * (i / side));
    int bars[2] = {0, 0};
    for (int half = 0; half < 2; ++half) {
      BodyOptions options;
      options.name = fmt::format("bar{}-{}", i, half);
      options.pose.position = place + turn * Vector3(half == 0 ? -0.11 : 0.11, 0, 0);
      options.pose.rotation = turn;
      bars[half] = add_affine(world, bar, wood, options);
    }
    JointOptions hinge;
    hinge.name = fmt::format("hinge{}", i);
    hinge.kind = JointKind::hinge;
    hinge.body_a = bars[0];
    hinge.body_b = bars[1];
    hinge.point = place;
    hinge.axis = turn * Vector3::UnitZ();
    hinge.range = JointRange{-1.5, 1.5};
    add_joint(world, hinge);
  }
  scene.settings.contact.distance = {1e-3, false};
  scene.settings.contact.friction = 0.3;
  scene.settings.solver.tolerance = 1e-3 / side;
  return scene;
}

void measure_growth_of_hinged_pairs(int largest, BenchTable& table) {
  std::vector<double> bodies, times;
  for (int part = 1; part <= 5; ++part) {
    const int side = std::max(1, largest * part / 5);
    const Trial trial = run_ours(hinged_pairs(side), {0.01, 0.3, false});
    table.rows.push_back(own_row(fmt::format("{} x {} hinged pairs dropped", side, side), "ms a step",
                                 trial.milliseconds_a_step(), breakdown(trial) + failure_note(trial)));
    bodies.push_back(2.0 * side * side);
    times.push_back(trial.seconds / trial.steps);
  }
  table.rows.push_back(own_row("hinged pairs dropped", "growth exponent", growth_exponent(bodies, times),
                               "of the time of a step over bodies"));
}

}  // namespace

BenchTable bench_multibody(const BenchOptions& options) {
  BenchTable table = {"multibody", {}};
  if (!bullet_version())
    fmt::print("Without Bullet: it was not found when this program was built (libbullet-dev).\n");
  const auto asked_for = [&](const std::string& part) {
    return options.only.empty() || options.only == part;
  };
  if (asked_for("windmill")) {
    if (options.quick) {
      compare_windmill("multibody/windmill-small", 0.1, table);
    } else {
      compare_windmill("multibody/windmill", 3, table);
    }
  }
  if (asked_for("growth"))
    measure_growth_of_hinged_pairs(options.quick ? 5 : options.largest.value_or(100), table);
  return table;
}

}  // namespace bulwark::app
