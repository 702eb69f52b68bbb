#include "flexible_ancf.hpp"

#include "flexible_beam.hpp"
#include "stiff_trial.hpp"

#include <bulwark/bodies/ancf_body.hpp>
#include <bulwark/sim/simulation.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

namespace bulwark::app {
namespace {

constexpr int timed_steps = 20;
constexpr double ancf_residual = 1e-6;  ///< that ends a solve, over the force

/// A cantilever whose free end is pulled sideways by a force that is there from the start.
struct AncfCantilever {
  std::string name;  ///< with the size
  AncfMesh mesh;
  ElasticMaterial material;
  std::vector<int> held, loaded;
  Vector3 force;  ///< N
  double step;    ///< s
  double width;   ///< of its section, m
};

/// The deflection of the end of a beam that has no other end, under a force since the time t, by the theory of slender
/// beams that bend little: 2 F / (3 sqrt(pi) E I) (4 E I / (rho A))^(3/4) t^(3/2).
double closed_form(const AncfCantilever& of, double time) {
  const double height = of.material.height, area = of.width * height,
               bending = of.material.young * of.width * std::pow(height, 3) / 12;
  return 2 * of.force.norm() / (3 * std::sqrt(std::numbers::pi) * bending) *
         std::pow(4 * bending / (of.material.density * area), 0.75) * std::pow(time, 1.5);
}

void measure(BenchTable& table, int threads, const AncfCantilever& of) {
  World world;
  BodyOptions options;
  options.name = "body";
  options.collides = false;
  const int body = add_ancf(world, of.mesh, of.material, options);
  hold(world, body, SelectNodes{of.held});
  add_force(world, body, SelectNodes{of.loaded}, Table::constant(of.force));
  Settings settings;
  settings.gravity.setZero();
  settings.contact.enabled = false;
  settings.time.step = of.step;
  settings.time.steps = timed_steps;
  settings.solver.threads = threads;
  settings.solver.newton.gradient_tolerance = ancf_residual * of.force.norm();
  settings.solver.tolerance = 1e-12;  // the residual ends solves
  Simulation simulation(std::move(world), settings);
  double seconds = 0;
  int solves = 0;
  for (int step = 0; step < timed_steps; ++step) {
    const double start = loop_seconds(threads);
    solves += simulation.step().linear_solves;
    seconds += loop_seconds(threads) - start;
  }
  const std::string name = fmt::format("{}, {} nodes", of.name, of.mesh.nodes.cols());
  table.rows.push_back(own_row(name, "Euler, ms a step", 1e3 * seconds / timed_steps,
                               fmt::format("{} solves in {} steps of {:g} ms; {:.1f} times real time", solves,
                                           timed_steps, 1e3 * of.step, seconds / (timed_steps * of.step))));
  const World& end = simulation.world();
  double moved = 0;
  for (const int node : of.loaded)
    moved +=
        (end.state.position.col(node) - end.rest.col(node)).norm() / static_cast<double>(of.loaded.size());
  table.rows.push_back(own_row(name, "end, over the closed form",
                               moved / closed_form(of, timed_steps * of.step),
                               "of an endless slender beam that bends little"));
}

AncfCantilever beam_chain(const std::string& name, int elements) {
  constexpr double length = 0.2;
  SurfaceMesh line;
  line.vertices = Vectors::Zero(3, elements + 1);
  for (int k = 0; k <= elements; ++k) line.vertices(0, k) = length * k;
  for (int k = 0; k < elements; ++k) line.edges.push_back({k, k + 1});
  AncfCantilever of{name,
                    ancf_beam_mesh(line, Vector3::UnitZ(), "chain"),
                    svk_beam_material(),
                    {0},
                    {elements},
                    {0, -5000, 0},
                    1e-3,
                    0.1};
  of.material.width = of.material.height = 0.1;
  return of;
}

AncfCantilever shell_cantilever(const std::string& name, int cells) {
  AncfCantilever of{name, ancf_plate(4, 2, cells, cells), svk_beam_material(), {}, {}, {0, -500, 0}, 5e-4, 2};
  of.material.height = 0.1;
  for (int row = 0; row <= cells; ++row) {
    of.held.push_back(row * (cells + 1));
    of.loaded.push_back(row * (cells + 1) + cells);
  }
  return of;
}

/// The numbers of elements of the published meshes.
struct AncfSize {
  const char* name;
  int elements;
};
constexpr std::array<AncfSize, 3> chain_sizes = {{{"RES0", 1000}, {"RES2", 10'000}, {"RES4", 50'000}}};
constexpr std::array<AncfSize, 4> shell_sizes = {{{"RES0", 10}, {"RES2", 20}, {"RES4", 50}, {"RES8", 100}}};

}  // namespace

void measure_ancf(BenchTable& table, int threads, int largest) {
  for (const AncfSize& size : chain_sizes) {
    if (size.elements + 1 <= largest)
      measure(table, threads, beam_chain(fmt::format("3243 chain {}", size.name), size.elements));
  }
  for (const AncfSize& size : shell_sizes) {
    if ((size.elements + 1) * (size.elements + 1) <= largest)
      measure(table, threads, shell_cantilever(fmt::format("3443 shell {}", size.name), size.elements));
  }
}

}  // namespace bulwark::app
