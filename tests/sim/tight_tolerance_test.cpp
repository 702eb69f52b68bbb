// Solves to small tolerances, where a Newton step changes the energy by less than its rounding.
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/simulation.hpp>

#include <gtest/gtest.h>

namespace bulwark {
namespace {

/// Newton iterations of the worst of four steps in which a soft box is thrown onto the floor, spinning.
int most_iterations(double speed, double tolerance, double friction) {
  World world;
  BodyOptions floor, box;
  floor.name = "floor";
  add_plane(world, {0, 0, 0}, {0, 1, 0}, floor);
  box.name = "box";
  box.pose.position = {0, 0.505, 0};
  box.velocity = {0, -speed, 0};
  box.angular_velocity = {0, 2, 0};
  ElasticMaterial rubber;
  rubber.density = 1000;
  rubber.young = 1e5;
  rubber.poisson = 0.4;
  add_deformable(world, solid_mesh(BoxShape{{1, 1, 1}}, 0.25), rubber, box);
  Settings settings;
  settings.time.step = 0.02;
  settings.contact.friction = friction;
  settings.solver.tolerance = tolerance;
  settings.solver.max_iterations = 200;
  settings.solver.max_halvings = 0;
  Simulation simulation(std::move(world), settings);
  int most = 0;
  for (int step = 0; step < 4; ++step) most = std::max(most, simulation.step().newton_iterations);
  return most;
}

TEST(TightTolerance, OfFrictionIsReachedInFewIterationsAtAnySpeed) {
  for (const double tolerance : {1e-7, 1e-8, 1e-9, 1e-10}) {
    for (const double speed : {5.9, 5.95, 5.98, 5.99, 6.0, 6.001, 6.05, 6.1})
      EXPECT_LE(most_iterations(speed, tolerance, 0.3), 30) << speed << " m/s, tolerance " << tolerance;
  }
}

TEST(TightTolerance, WithoutFrictionIsReachedInFewIterationsAtAnySpeed) {
  for (const double speed : {5.9, 5.98, 6.0, 6.1}) EXPECT_LE(most_iterations(speed, 1e-9, 0), 30) << speed;
}

/// Small strains: the energy's rounding, by that of the positions, is larger than what the last steps change.
TEST(TightTolerance, OfAStiffBeamIsReachedInFewIterations) {
  for (const double tolerance : {1e-6, 1e-9, 1e-12, 1e-15}) {
    World world;
    BodyOptions options;
    options.name = "beam";
    options.collides = false;
    ElasticMaterial metal;
    metal.model = ElasticModel::svk;
    metal.young = 7e8;
    metal.poisson = 0.33;
    metal.density = 2700;
    const SolidMesh mesh = raised(as_solid_mesh(solid_mesh(BoxShape{{3, 2, 1}}, 1)), 2);
    const int beam = add_deformable(world, mesh, metal, options, MassKind::consistent);
    hold(world, beam, SelectHalfSpace{{-1.4999, 0, 0}, {-1, 0, 0}});
    add_force(world, beam, SelectHalfSpace{{1.4999, 0, 0}, {1, 0, 0}}, Table::constant({5000, 0, 0}));
    Settings settings;
    settings.time.step = 1e-3;
    settings.solver.tolerance = tolerance;
    settings.solver.max_halvings = 0;
    Simulation simulation(std::move(world), settings);
    for (int step = 0; step < 4; ++step) {
      const StepReport report = simulation.step();
      EXPECT_LE(report.newton_iterations, 6) << tolerance;
      EXPECT_LT(report.residual, 1e-4 * 5000) << tolerance;
    }
  }
}

}  // namespace
}  // namespace bulwark
