#include "flexible_orders.hpp"

#include "flexible_beam.hpp"
#include "stiff_trial.hpp"

#include <bulwark/geometry/curve_boundary.hpp>
#include <bulwark/geometry/hexahedral_box.hpp>
#include <bulwark/geometry/shapes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <numbers>

namespace bulwark::app {
namespace {

/// A mesh, and what one run on it gave.
struct OrderRun {
  std::string name;
  SolidMesh mesh;
  int surface_cuts = 0;  ///< 0: as many as the order
  double seconds = 0;    ///< processor time, on one thread
  double error = 0;      ///< relative
  std::vector<double> values = {};
};

std::string mesh_name(const char* cells, const SolidMesh& mesh) {
  return fmt::format("{} {}, {} nodes", cells, mesh.order, mesh.vertices.cols());
}
OrderRun tetrahedra(const Vector3& sides, const std::array<int, 3>& cells, int order) {
  SolidMesh mesh = tetrahedral_box(sides, cells, order);
  const std::string name = mesh_name("tetrahedra", mesh);
  return {name, std::move(mesh)};
}
OrderRun hexahedra(const Vector3& sides, const std::array<int, 3>& cells, int order) {
  SolidMesh mesh = hexahedral_box(sides, cells, order);
  const std::string name = mesh_name("hexahedra", mesh);
  return {name, std::move(mesh)};
}

template <class Work>
double time_of(int threads, Work work) {
  const auto now = [threads] {
    timespec time{};
    clock_gettime(threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double start = now();
  work();
  return now() - start;
}

/// Rows of all runs; then the best of higher order against the quickest linear one that is as exact, or the finest one.
void add_runs(BenchTable& table, const std::string& name, const std::vector<OrderRun>& runs,
              const std::string& error_name) {
  for (const OrderRun& run : runs) {
    table.rows.push_back(own_row(name, "s", run.seconds, run.name));
    table.rows.push_back(own_row(name, error_name, 100 * run.error, run.name));
  }
  for (const OrderRun& high : runs) {
    if (high.mesh.order == 1) continue;
    const OrderRun* linear = nullptr;
    for (const OrderRun& run : runs) {
      if (run.mesh.order > 1) continue;
      const auto better = [&](const OrderRun& a, const OrderRun& b) {
        const bool a_serves = a.error <= high.error, b_serves = b.error <= high.error;
        if (a_serves != b_serves) return a_serves;
        return a_serves ? a.seconds < b.seconds : a.mesh.vertices.cols() > b.mesh.vertices.cols();
      };
      if (linear == nullptr || better(run, *linear)) linear = &run;
    }
    if (linear == nullptr) continue;
    table.rows.push_back(
        time_row(name, "s at equal error", high.seconds, "order 1", linear->seconds,
                 fmt::format("{}: {:.2g} %; {}: {:.2g} %{}", high.name, 100 * high.error, linear->name,
                             100 * linear->error, linear->error > high.error ? ", the finest tried" : "")));
  }
}

Settings orders_at_rest(int threads) {
  Settings settings;
  settings.time.integrator = "static";
  settings.time.step = 1;
  settings.time.steps = 1;
  settings.contact.enabled = false;
  settings.solver.threads = threads;
  return settings;
}

/// How far the end of a beam along x, held at its least x, goes down.
double tip_of(const Simulation& simulation) {
  const Vectors& rest = simulation.world().rest;
  const double end = rest.row(0).maxCoeff();
  double sum = 0;
  int count = 0;
  for (int i = 0; i < static_cast<int>(rest.cols()); ++i) {
    if (rest(0, i) < end - 1e-9) continue;
    sum += rest(1, i) - simulation.world().state.position(1, i);
    ++count;
  }
  return sum / count;
}

World held_beam(const SolidMesh& mesh, const ElasticMaterial& material) {
  World world;
  BodyOptions options;
  options.name = "beam";
  options.self_contact = false;
  const int beam = add_deformable(world, mesh, material, options);
  hold(world, beam, SelectHalfSpace{{mesh.vertices.row(0).minCoeff(), 0, 0}, {-1, 0, 0}});
  return world;
}

/// Puts the time and the tip's way into the run.
void bring_to_rest(OrderRun& run, World world, const Settings& settings) {
  Simulation simulation(std::move(world), settings);
  run.seconds = time_of(settings.solver.threads, [&] { simulation.step(); });
  run.values = {tip_of(simulation)};
}

void measure_hanging_beam(BenchTable& table, int threads, bool quick) {
  const Vector3 sides = {1, 0.1, 0.1};
  ElasticMaterial rubber;
  rubber.young = 5e6;
  rubber.poisson = 0.4;
  std::vector<OrderRun> runs;
  runs.push_back(hexahedra(sides, {quick ? 10 : 40, quick ? 1 : 4, quick ? 1 : 4}, 2));  // the reference
  for (const int across : {1, 2, 4, 8}) {
    if (across <= (quick ? 1 : 8)) runs.push_back(tetrahedra(sides, {10 * across, across, across}, 1));
  }
  runs.push_back(tetrahedra(sides, {5, 1, 1}, 2));
  runs.push_back(tetrahedra(sides, {10, 1, 1}, 2));
  runs.push_back(tetrahedra(sides, {5, 1, 1}, 3));
  runs.push_back(hexahedra(sides, {5, 1, 1}, 2));
  for (OrderRun& run : runs) bring_to_rest(run, held_beam(run.mesh, rubber), orders_at_rest(threads));
  const double reference = runs[0].values[0];
  for (OrderRun& run : runs) run.error = std::abs(run.values[0] / reference - 1);
  runs.erase(runs.begin());
  add_runs(table, "beam under its weight", runs, "error, %");
}

/// A mat that is twisted into a rope: the torque that holds its end, over the time.
void measure_twist(BenchTable& table, int threads, bool quick) {
  const Vector3 sides = {1, 0.03, 0.4};
  std::vector<OrderRun> runs;
  runs.push_back(hexahedra(sides, quick ? std::array{6, 1, 2} : std::array{30, 1, 12}, 2));  // the reference
  if (quick) {
    runs.push_back(tetrahedra(sides, {10, 1, 4}, 1));
  } else {
    for (const int across : {4, 8, 16, 24})
      runs.push_back(tetrahedra(sides, {5 * across / 2, std::max(1, across / 8), across}, 1));
  }
  runs.push_back(hexahedra(sides, {5, 1, 2}, 2));
  if (!quick) runs.push_back(hexahedra(sides, {10, 1, 4}, 2));
  ElasticMaterial rubber;
  rubber.young = 2e4;
  rubber.poisson = 0.4;
  const double turn = 144 * std::numbers::pi / 180;  // each end, rad/s
  Settings settings;
  settings.gravity.setZero();
  settings.time.step = 0.04;
  settings.time.steps = quick ? 3 : 55;
  settings.solver.threads = threads;
  settings.contact.distance = {1e-3, false};
  for (OrderRun& run : runs) {
    World world;
    BodyOptions options;
    options.name = "mat";
    const int mat =
        add_deformable(world, run.mesh, rubber, options, MassKind::consistent, {run.surface_cuts, {}});
    for (const double end : {-1.0, 1.0}) {
      Motion motion;
      motion.angular_velocity = {end * turn, 0, 0};
      hold(world, mat, SelectHalfSpace{{end * sides.x() / 2, 0, 0}, {end, 0, 0}}, motion);
    }
    Simulation simulation(std::move(world), settings);
    run.seconds = time_of(threads, [&] {
      for (int step = 0; step < settings.time.steps; ++step) {
        simulation.step();
        run.values.push_back(simulation.reactions().at(1).wrench.torque.x());
      }
    });
    double largest = 0;
    for (std::size_t i = 0; i < run.values.size(); ++i) {
      largest = std::max(largest, std::abs(runs[0].values[i]));
      run.error = std::max(run.error, std::abs(run.values[i] - runs[0].values[i]));
    }
    run.error /= largest;
  }
  runs.erase(runs.begin());
  add_runs(table, "mat that is twisted", runs, "error of the torque, %");
}

/// A ball that is thrown at the floor: the height of its center over the time, in radii.
void measure_bounce(BenchTable& table, int threads, bool quick) {
  const SphereShape sphere{0.1};
  const auto ball = [&](double resolution, int order, int cuts) {
    SolidMesh mesh = raised(as_solid_mesh(solid_mesh(sphere, resolution)), order);
    if (order > 1) curve_boundary(mesh, sphere);
    return OrderRun{fmt::format("order {}, {} elements, {} cuts", order, mesh.cell_count(), cuts),
                    std::move(mesh), cuts};
  };
  std::vector<OrderRun> runs;
  runs.push_back(ball(quick ? 0.1 : 0.035, 2, quick ? 3 : 4));  // the reference
  for (const double resolution : {0.1, 0.04, 0.025, 0.018}) {
    if (!quick || resolution == 0.1) runs.push_back(ball(resolution, 1, 1));
  }
  runs.push_back(ball(0.1, 2, 6));
  if (!quick) runs.push_back(ball(0.1, 2, 4));
  ElasticMaterial rubber;
  rubber.young = 2e5;
  rubber.poisson = 0.4;
  Settings settings;
  settings.time.integrator = "bdf2";
  settings.time.step = 1e-3;
  settings.time.steps = quick ? 10 : 120;
  settings.solver.threads = threads;
  settings.contact.distance = {1e-3, false};
  for (OrderRun& run : runs) {
    World world;
    BodyOptions floor, options;
    floor.name = "floor";
    add_plane(world, Vector3::Zero(), Vector3::UnitY(), floor);
    options.name = "ball";
    options.pose.position = {0, sphere.radius + 0.005, 0};
    options.velocity = {0, -2, 0};
    options.self_contact = false;
    const int body =
        add_deformable(world, run.mesh, rubber, options, MassKind::consistent, {run.surface_cuts, {}});
    Simulation simulation(std::move(world), settings);
    run.seconds = time_of(threads, [&] {
      for (int step = 0; step < settings.time.steps; ++step) {
        simulation.step();
        run.values.push_back(rigid_motion(simulation.world(), body).center.y());
      }
    });
    for (std::size_t i = 0; i < run.values.size(); ++i)
      run.error = std::max(run.error, std::abs(run.values[i] - runs[0].values[i]) / sphere.radius);
  }
  runs.erase(runs.begin());
  add_runs(table, "ball that bounces", runs, "error, % of radius");
}

}  // namespace

void measure_cantilever(BenchTable& table, int threads, bool quick) {
  const Vector3 sides = {1, 0.05, 0.05};
  const double force = 1000, young = 210e9, poisson = 0.3;
  const double area = sides.y() * sides.z(), inertia = sides.z() * std::pow(sides.y(), 3) / 12;
  const double expected =
      force / (3 * young * inertia) + force / (young / (2 * (1 + poisson)) * area * 5 / 6);
  ElasticMaterial steel;
  steel.model = ElasticModel::svk;
  steel.young = young;
  steel.poisson = poisson;
  steel.density = 7850;
  std::vector<OrderRun> runs;
  runs.push_back(hexahedra(sides, quick ? std::array{20, 2, 2} : std::array{60, 6, 6}, 2));  // the reference
  for (const int across : {1, 2, 4, 8, 12}) {
    if (across <= (quick ? 1 : 12)) runs.push_back(tetrahedra(sides, {20 * across, across, across}, 1));
  }
  for (const int across : {2, 4}) {
    if (!quick) runs.push_back(hexahedra(sides, {20 * across, across, across}, 1));
  }
  runs.push_back(tetrahedra(sides, {20, 2, 2}, 2));
  runs.push_back(tetrahedra(sides, {10, 1, 1}, 3));
  runs.push_back(hexahedra(sides, {10, 1, 1}, 2));
  runs.push_back(hexahedra(sides, {20, 2, 2}, 2));
  for (OrderRun& run : runs) {
    World world = held_beam(run.mesh, steel);
    add_traction(world, 0, SelectHalfSpace{{sides.x() / 2, 0, 0}, {1, 0, 0}},
                 Table::constant({0, -force / area, 0}));
    Settings settings = orders_at_rest(threads);
    settings.gravity.setZero();
    bring_to_rest(run, std::move(world), settings);
    run.error = std::abs(run.values[0] / runs[0].values[0] - 1);
  }
  table.rows.push_back(own_row("steel cantilever", "tip over beam theory's", runs[0].values[0] / expected,
                               "the reference, " + runs[0].name + ": its held face can't contract"));
  runs.erase(runs.begin());
  add_runs(table, "steel cantilever", runs, "error, %");
}

void measure_orders(BenchTable& table, int threads, bool quick) {
  measure_hanging_beam(table, threads, quick);
  measure_twist(table, threads, quick);
  measure_bounce(table, threads, quick);
}

}  // namespace bulwark::app
