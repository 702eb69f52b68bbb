#include "flexible_beam.hpp"

#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/simulation.hpp>

#include <algorithm>
#include <ctime>

namespace bulwark::app {
namespace {

/// Twice what the force stretches the beam by at rest: the tip's motion has about this size.
double expected_displacement(const FlexibleBeam& beam) {
  const Vector3 sides = beam.mesh.vertices.rowwise().maxCoeff() - beam.mesh.vertices.rowwise().minCoeff();
  return 2 * beam.force.norm() * sides.x() / (beam.material.young * sides.y() * sides.z());
}

}  // namespace

double loop_seconds(int threads) {
  // Of the whole program, so that work on other threads would count too.
  timespec now{};
  clock_gettime(threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

int FlexibleBeam::corner_count() const {
  int last = 0;
  for (int c = 0; c < mesh.cell_count(); ++c) {
    for (const int node : mesh.cell(c).first(4)) last = std::max(last, node);
  }
  return last + 1;
}

SolidMesh tetrahedral_box(const Vector3& sides, const std::array<int, 3>& cells, int order) {
  const Vector3 counts(cells[0], cells[1], cells[2]);
  SolidMesh mesh = raised(as_solid_mesh(solid_mesh(BoxShape{counts}, 1)), order);
  mesh.vertices = sides.cwiseQuotient(counts).asDiagonal() * mesh.vertices;
  return mesh;
}

FlexibleBeam flexible_beam(const std::array<int, 3>& cells, const ElasticMaterial& material) {
  FlexibleBeam beam;
  beam.mesh = tetrahedral_box({3, 2, 1}, cells, 2);
  beam.material = material;
  const auto x = beam.mesh.vertices.row(0);
  const double least = x.minCoeff(), greatest = x.maxCoeff(), slack = 1e-9 * (greatest - least);
  double outermost = 0;
  for (int i = 0; i < static_cast<int>(x.size()); ++i) {
    if (x[i] < least + slack) beam.held.push_back(i);
    if (x[i] > greatest - slack) beam.loaded.push_back(i);
    if (beam.mesh.vertices.col(i).sum() <= outermost) continue;
    outermost = beam.mesh.vertices.col(i).sum();
    beam.tip = i;
  }
  return beam;
}

ElasticMaterial svk_beam_material() {
  ElasticMaterial material;
  material.model = ElasticModel::svk;
  material.young = 7e8;
  material.poisson = 0.33;
  material.density = 2700;
  return material;
}

ElasticMaterial mooney_rivlin_beam_material() {
  ElasticMaterial material = svk_beam_material();
  material.model = ElasticModel::mooney_rivlin;
  material.c10 = 7.89e7;
  material.c01 = 5.26e7;
  material.bulk = 1.03e9;
  return material;
}

World beam_world(const FlexibleBeam& beam) {
  World world;
  BodyOptions options;
  options.name = "beam";
  options.self_contact = false;
  const int body = add_deformable(world, beam.mesh, beam.material, options, MassKind::consistent);
  hold(world, body, SelectNodes{beam.held});
  const Table ramp = {{0, beam.steps * beam.step}, {Vector3::Zero(), beam.force}};
  add_force(world, body, SelectNodes{beam.loaded}, beam.ramped ? ramp : Table::constant(beam.force));
  return world;
}

Settings beam_settings(const FlexibleBeam& beam, const std::string& integrator, int threads) {
  Settings settings;
  settings.gravity.setZero();
  settings.contact.enabled = false;
  settings.time.integrator = integrator;
  settings.time.step = beam.step;
  settings.time.steps = beam.steps;
  settings.solver.threads = threads;
  return settings;
}

BeamRun run_beam(const FlexibleBeam& beam, const std::string& integrator, int threads, double tolerance) {
  World world = beam_world(beam);
  Settings settings = beam_settings(beam, integrator, threads);
  settings.solver.tolerance = tolerance * expected_displacement(beam) / (beam.step * scene_length(world));
  Simulation simulation(std::move(world), settings);
  BeamRun run;
  for (int step = 0; step < beam.steps; ++step) {
    const double start = loop_seconds(threads);
    const StepReport report = simulation.step();
    run.seconds += loop_seconds(threads) - start;
    run.solves += report.linear_solves;
    for (std::size_t p = 0; p < phase_names.size(); ++p) run.profile.seconds[p] += report.profile.seconds[p];
    run.tip.push_back(simulation.world().state.position.col(beam.tip) -
                      simulation.world().rest.col(beam.tip));
  }
  return run;
}

double largest_difference(const std::vector<Vector3>& history, const std::vector<Vector3>& reference) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < std::min(history.size(), reference.size()); ++i) {
    difference = std::max(difference, (history[i] - reference[i]).norm());
    size = std::max(size, reference[i].norm());
  }
  return difference / size;
}

}  // namespace bulwark::app
