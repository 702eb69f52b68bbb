// Seconds per step of soft bodies in contact, by phase, over mesh sizes: a ball pressed into a soft block.
#include "benchmarks.hpp"

#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/simulation.hpp>

#include <fmt/format.h>

#include <cmath>

namespace bulwark::app {
namespace {

/// A ball of radius 0.25 m that hits a block at 2 m/s, both of about `tetrahedra` elements together.
World ball_on_block(int tetrahedra) {
  // A mesh of edge length a has about 8.5 tetrahedra per a^3 of volume.
  const double volume = 4.0 / 3 * 3.14159 * std::pow(0.25, 3) + 0.8 * 0.3 * 0.8;
  const double edge = std::cbrt(6.0 * volume / tetrahedra);
  World world;
  ElasticMaterial soft;
  soft.density = 1000;
  soft.young = 1e5;
  soft.poisson = 0.4;
  BodyOptions block;
  block.name = "block";
  block.pose.position = {0, -0.155, 0};
  add_deformable(world, solid_mesh(BoxShape{{0.8, 0.3, 0.8}}, edge), soft, block);
  BodyOptions ball;
  ball.name = "ball";
  ball.pose.position = {0, 0.25, 0};
  ball.velocity = {0, -2, 0};
  add_deformable(world, solid_mesh(SphereShape{0.25}, edge), soft, ball);
  BodyOptions ground;
  ground.name = "ground";
  add_plane(world, {0, -0.31, 0}, {0, 1, 0}, ground);
  return world;
}

}  // namespace

BenchTable bench_ipc(const BenchOptions& options) {
  BenchTable table = {"ipc", {}};
  const int steps = options.quick ? 3 : 10;
  std::vector<double> sizes, totals, solves;
  for (int wanted : {1'000, 3'000, 10'000, 30'000, 100'000}) {
    if (options.quick && wanted > 3'000) break;
    Settings settings;
    settings.time.step = 0.01;
    settings.contact.friction = 0.2;
    settings.solver.threads = options.threads.value_or(0);
    Simulation simulation(ball_on_block(wanted), settings);
    const auto tetrahedra = static_cast<double>(simulation.world().elements.size());
    StepReport sum;
    int most_contacts = 0;
    for (int i = 0; i < steps; ++i) {
      const StepReport report = simulation.step();
      sum.seconds += report.seconds;
      sum.newton_iterations += report.newton_iterations;
      most_contacts = std::max(most_contacts, report.contacts);
      for (std::size_t p = 0; p < phase_names.size(); ++p)
        sum.profile.seconds[p] += report.profile.seconds[p];
    }
    const std::string name = fmt::format("{} tetrahedra", tetrahedra);
    const std::string note = fmt::format("{:.1f} iterations a step, up to {} contacts",
                                         static_cast<double>(sum.newton_iterations) / steps, most_contacts);
    table.rows.push_back({name, "step, s", sum.seconds / steps, "", {}, {}, note});
    for (Phase phase : {Phase::linear_solve, Phase::assembly, Phase::line_search, Phase::contact,
                        Phase::broad_phase, Phase::ccd}) {
      table.rows.push_back({name,
                            fmt::format("  {}, s", phase_names[static_cast<std::size_t>(phase)]),
                            sum.profile[phase] / steps,
                            "",
                            {},
                            {},
                            ""});
    }
    sizes.push_back(tetrahedra);
    totals.push_back(sum.seconds / sum.newton_iterations);
    solves.push_back(sum.profile[Phase::linear_solve] / sum.newton_iterations);
  }
  table.rows.push_back({"growth exponent", "an iteration", growth_exponent(sizes, totals), "", {}, {}, ""});
  table.rows.push_back(
      {"growth exponent", "  its linear solve", growth_exponent(sizes, solves), "", {}, {}, ""});
  return table;
}

}  // namespace bulwark::app
