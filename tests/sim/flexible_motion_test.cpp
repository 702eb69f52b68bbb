// Motion of bodies of higher order and of ANCF elements: vibration, damping, energy and momentum.
#include <bulwark/geometry/hexahedral_box.hpp>
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/simulation.hpp>

#include <gtest/gtest.h>

#include <sim/jointed_world.hpp>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>
#include <numbers>

namespace bulwark {
namespace {

constexpr double pi = std::numbers::pi;

ElasticMaterial soft_material() {
  ElasticMaterial m;
  m.model = ElasticModel::svk;
  m.young = 1e6;
  m.poisson = 0;
  m.width = m.height = 0.05;
  return m;
}

AncfMesh beam_along_x(double length, int elements) {
  SurfaceMesh line;
  line.vertices = Vectors::Zero(3, elements + 1);
  for (int k = 0; k <= elements; ++k) line.vertices(0, k) = length * k / elements;
  for (int k = 0; k < elements; ++k) line.edges.push_back({k, k + 1});
  return ancf_beam_mesh(line, Vector3::UnitZ(), "beam");
}

/// A bar of 1 x 0.05 x 0.05 m from the origin on, in elements of one kind.
struct BarKind {
  const char* name;
  std::function<int(World&, const ElasticMaterial&)> add;
};

int add_solid_bar(World& world, const SolidMesh& mesh, const ElasticMaterial& m) {
  return add_deformable(world, mesh, m, named("bar", {0.5, 0, 0}), MassKind::consistent);
}

std::vector<BarKind> bar_kinds() {
  const Vector3 sides(1, 0.05, 0.05);
  return {{"Tetrahedra2",
           [=](World& world, const ElasticMaterial& m) {
             return add_solid_bar(world, raised(as_solid_mesh(solid_mesh(BoxShape{sides}, 0.05)), 2), m);
           }},
          {"Tetrahedra3",
           [=](World& world, const ElasticMaterial& m) {
             return add_solid_bar(world, raised(as_solid_mesh(solid_mesh(BoxShape{sides}, 0.1)), 3), m);
           }},
          {"Hexahedra2",
           [=](World& world, const ElasticMaterial& m) {
             return add_solid_bar(world, hexahedral_box(sides, {10, 1, 1}, 2), m);
           }},
          {"Ancf3243",
           [](World& world, const ElasticMaterial& m) {
             return add_ancf(world, beam_along_x(1, 10), m, named("bar", {0, 0, 0}));
           }},
          {"Ancf3443", [](World& world, const ElasticMaterial& m) {
             return add_ancf(world, ancf_plate(1, 0.05, 10, 1), m, named("bar", {0.5, 0, 0}));
           }}};
}

class FlexibleMotion : public testing::TestWithParam<BarKind> {};
INSTANTIATE_TEST_SUITE_P(Bars, FlexibleMotion, testing::ValuesIn(bar_kinds()),
                         [](const auto& tested) { return std::string(tested.param.name); });

/// Of the tip of a cantilever that vibrates in its first mode.
struct Vibration {
  double frequency;  ///< rad/s
  double decay;      ///< 1/s
};

Vibration vibration_of(const BarKind& kind, const ElasticMaterial& material, double expected) {
  World world;
  const int bar = kind.add(world, material);
  hold(world, bar, SelectHalfSpace{{1e-6, 0, 0}, {-1, 0, 0}});
  // Its first mode as the velocity at the start: free controls move by the mode's shape.
  const double beta = 1.8751041,
               ratio = (std::cosh(beta) + std::cos(beta)) / (std::sinh(beta) + std::sin(beta));
  const double amplitude = 1e-4;
  const auto shape = [&](double x) {
    return std::cosh(beta * x) - std::cos(beta * x) - ratio * (std::sinh(beta * x) - std::sin(beta * x));
  };
  const auto slope = [&](double x) {
    return beta *
           (std::sinh(beta * x) + std::sin(beta * x) - ratio * (std::cosh(beta * x) - std::cos(beta * x)));
  };
  const Body& body = world.bodies[bar];
  int tip = 0;
  for (int k = 0; k < body.point_count; ++k) {
    const Vector3 x = world.rest.col(k);
    // A section stays plane and at a right angle to the middle line.
    world.state.velocity.col(k) = amplitude * expected * Vector3(-x.y() * slope(x.x()), shape(x.x()), 0);
    if (x.x() > 1 - 1e-9) tip = k;
    for (int s = 0; s < body.directions_per_node; ++s) {
      const int control = body.point_count + body.directions_per_node * k + s;
      const Vector3 direction = world.rest.col(control);
      world.state.velocity.col(control) =
          amplitude * expected * slope(x.x()) * Vector3::UnitZ().cross(direction);
    }
  }
  Settings settings;
  settings.gravity.setZero();
  settings.contact.enabled = false;
  settings.time.integrator = "newmark";
  settings.time.step = 2 * pi / expected / 120;
  settings.solver.tolerance = 1e-6;
  Simulation simulation(std::move(world), settings);
  // Zeros and extremes of the tip's displacement.
  std::vector<double> zeros, extremes;
  double before = 0, two_before = 0;
  for (int step = 0; zeros.size() < 7 && step < 1000; ++step) {
    simulation.step();
    const double now = simulation.world().state.position(1, tip) - simulation.world().rest(1, tip);
    const double time = simulation.world().state.time;
    if (step > 1 && before * now < 0) zeros.push_back(time - settings.time.step * now / (now - before));
    if (step > 1 && std::abs(before) > std::abs(now) && std::abs(before) >= std::abs(two_before))
      extremes.push_back(std::abs(before));
    two_before = before;
    before = now;
  }
  if (zeros.size() < 7 || extremes.size() < 6) return {0, 0};
  const double frequency = pi * 6 / (zeros[6] - zeros[0]);
  return {frequency, std::log(extremes[0] / extremes[5]) * frequency / (5 * pi)};
}

double first_mode(const ElasticMaterial& m) {
  return std::pow(1.8751041, 2) * std::sqrt(m.young * 0.05 * 0.05 / 12 / m.density);
}

TEST_P(FlexibleMotion, ACantileverVibratesAsBeamTheorySays) {
  const ElasticMaterial m = soft_material();
  const Vibration found = vibration_of(GetParam(), m, first_mode(m));
  EXPECT_NEAR(found.frequency, first_mode(m), 1e-2 * first_mode(m));
  EXPECT_LT(std::abs(found.decay), 2e-3 * first_mode(m));
}

TEST_P(FlexibleMotion, RayleighAndKelvinVoigtDampItAtTheSameRate) {
  // The stiffness matrix times b dampens a mode by b w^2 / 2; without Poisson's ratio, so does the viscosity b E / 2 of shear.
  ElasticMaterial rayleigh = soft_material(), viscous = rayleigh;
  const double frequency = first_mode(rayleigh), ratio = 0.05, b = 2 * ratio / frequency;
  rayleigh.rayleigh_damping = b;
  viscous.shear_viscosity = b * viscous.young / 2;
  for (const ElasticMaterial& m : {rayleigh, viscous}) {
    const Vibration found = vibration_of(GetParam(), m, frequency);
    EXPECT_NEAR(found.decay, ratio * frequency, 0.05 * ratio * frequency)
        << (m.shear_viscosity > 0 ? "viscous" : "Rayleigh");
  }
}

struct Momenta {
  Vector3 linear = Vector3::Zero(), angular = Vector3::Zero();
};

Momenta momenta_of(const World& world) {
  Momenta sum;
  sum.linear = world.state.velocity * world.gravity_mass;
  for (const auto& entry : world.mass_entries)
    sum.angular +=
        entry.value() *
        Vector3(world.state.position.col(entry.row())).cross(Vector3(world.state.velocity.col(entry.col())));
  return sum;
}

TEST_P(FlexibleMotion, InFlightMomentaAndEnergyAreKept) {
  ElasticMaterial m = soft_material();
  m.poisson = 0.3;
  World world;
  GetParam().add(world, m);
  // Turning, and being bent and stretched.
  for (int c = 0; c < world.control_count(); ++c) {
    const Vector3 x = world.rest.col(c);
    world.state.velocity.col(c) = Vector3(0.2, 3, 1).cross(x);
    if (c < world.bodies[0].point_count)
      world.state.velocity.col(c) += Vector3(x.x() * x.x(), 1, x.x() * x.y());
  }
  Settings settings;
  settings.gravity.setZero();
  settings.contact.enabled = false;
  settings.time.integrator = "newmark";
  settings.time.step = 1e-3;
  settings.solver.tolerance = 1e-6;
  Simulation simulation(std::move(world), settings);
  const Momenta before = momenta_of(simulation.world());
  const double energy = simulation.step().energies.total();
  double highest = energy, lowest = energy;
  for (int step = 0; step < 150; ++step) {
    const double now = simulation.step().energies.total();
    highest = std::max(highest, now);
    lowest = std::min(lowest, now);
  }
  const Momenta after = momenta_of(simulation.world());
  EXPECT_LT((after.linear - before.linear).norm(), 1e-6 * before.linear.norm());
  EXPECT_LT((after.angular - before.angular).norm(), 1e-3 * before.angular.norm());
  EXPECT_LT(highest - lowest, 5e-3 * energy);
}

}  // namespace
}  // namespace bulwark
