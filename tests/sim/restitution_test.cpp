// Bounces: how much energy integrators leave to a falling box, and how damping takes it.
#include <bulwark/base/parallel.hpp>
#include <bulwark/math/rotation.hpp>
#include <bulwark/stencils/barrier.hpp>
#include <bulwark/stencils/elastic_models.hpp>
#include <bulwark/terms/elasticity.hpp>
#include <sim/stiff_scene.hpp>

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <array>
#include <cmath>
#include <optional>

namespace bulwark {
namespace {

using test::add_ground;
using test::add_stiff;
using test::at;
using test::name_of;
using test::stiff_kinds;

constexpr double gravity = 8, height = 1, side = 1;

/// The study's parameters: docs/restitution.md says how they follow from the source's.
Settings study(const std::string& integrator, double h) {
  Settings settings;
  settings.gravity = {0, -gravity, 0};
  settings.time.integrator = integrator;
  settings.time.step = h;
  settings.contact.distance = {0.064, false};
  settings.contact.stiffness = 2.4e7;
  settings.solver.tolerance = 1e-4;
  return settings;
}

World falling_box(BodyKind kind) {
  World world;
  add_stiff(world, kind, surface_mesh(BoxShape{{side, side, side}}), {1000, 1e9},
            at("box", {0, height + 0.5 * side, 0}));
  add_ground(world);
  return world;
}

/// The gap at which the four corners' barriers carry the box.
double resting_gap(const Settings& settings, double mass) {
  const BarrierRange range{settings.contact.distance.value, 0};
  double low = 0, high = range.distance;
  for (int i = 0; i < 100; ++i) {
    const double d = 0.5 * (low + high);
    const double force =
        -4 * *settings.contact.stiffness * 2 * d * barrier_first_derivative(d * d, range.end());
    (force > mass * gravity ? low : high) = d;
  }
  return low;
}

/// Total energy after each bounce, once the box is out of contact, as a part of the energy at the start; zero
/// is the energy of rest on the ground.
std::vector<double> bounces(BodyKind kind, const Settings& settings, double duration) {
  Simulation simulation(falling_box(kind), settings);
  const double mass = simulation.world().stiff[0].mass;
  const double gap = resting_gap(settings, mass);
  const BarrierRange range{settings.contact.distance.value, 0};
  const double rest =
      mass * gravity * (0.5 * side + gap) + 4 * *settings.contact.stiffness * barrier(gap * gap, range.end());
  const double start = mass * gravity * (0.5 * side + height);
  std::vector<double> left;
  bool touched = false;
  for (int i = 0; i * settings.time.step < duration; ++i) {
    const StepReport report = simulation.step();
    if (touched && report.contacts == 0) left.push_back((report.energies.total() - rest) / (start - rest));
    touched = report.contacts > 0;
  }
  EXPECT_TRUE(test::free_of_intersections(simulation));
  return left;
}

double first_bounce(BodyKind kind, const Settings& settings) {
  const std::vector<double> left = bounces(kind, settings, 1.2);
  return left.empty() ? 0 : left[0];
}

TEST(FallingBox, Bdf2KeepsItsEnergyInShortSteps) {
  for (const BodyKind kind : stiff_kinds) {
    const std::vector<double> left = bounces(kind, study("bdf2", 0.001), 2.7);
    ASSERT_EQ(left.size(), 3u) << name_of(kind);
    EXPECT_GT(left[0], 0.99) << name_of(kind);
    EXPECT_LE(left[0], 1) << name_of(kind);
    for (std::size_t k = 1; k < left.size(); ++k) {
      EXPECT_GT(left[k], 0.99 * left[k - 1]) << name_of(kind);
      EXPECT_LE(left[k], left[k - 1]) << name_of(kind);
    }
  }
}

TEST(FallingBox, LongerStepsAndImplicitEulerLoseEnergy) {
  for (const BodyKind kind : stiff_kinds) {
    // A bounce at steps of 0.01 s: BDF-2 loses about 30 %, implicit Euler about 90 %.
    EXPECT_NEAR(first_bounce(kind, study("bdf2", 0.01)), 0.7, 0.08) << name_of(kind);
    EXPECT_NEAR(first_bounce(kind, study("implicit-euler", 0.01)), 0.1, 0.04) << name_of(kind);
    // Still a clear loss in short steps.
    const double euler = first_bounce(kind, study("implicit-euler", 0.001));
    EXPECT_GT(euler, 0.65) << name_of(kind);
    EXPECT_LT(euler, 0.8) << name_of(kind);
  }
}

TEST(FallingBox, TheMoreDampingTheLowerItBounces) {
  for (const BodyKind kind : stiff_kinds) {
    for (const std::string integrator : {"bdf2", "implicit-euler"}) {
      double last = 1.0;
      for (const double damping : {0.0, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2}) {
        Settings settings = study(integrator, 0.002);
        settings.contact.restitution_damping = damping;
        const double left = first_bounce(kind, settings);
        EXPECT_LT(left, last) << name_of(kind) << " " << integrator << " " << damping;
        last = left;
      }
      EXPECT_LT(last, 0.1) << name_of(kind) << " " << integrator;
    }
  }
}

TEST(FallingBox, DampingDoesNotChangeWhereItComesToRest) {
  Settings settings = study("bdf2", 0.005);
  settings.contact.restitution_damping = 0.02;
  Simulation simulation(falling_box(BodyKind::affine), settings);
  for (int i = 0; i < 500; ++i) simulation.step();
  const RigidMotion motion = rigid_motion(simulation.world(), 0);
  EXPECT_NEAR(motion.center.y() - 0.5 * side, resting_gap(settings, 1000), 1e-5);
  EXPECT_LT(motion.velocity.norm(), 1e-3);
}

TEST(FallingBox, AdaptiveStiffnessDoesNotMakeItGainEnergy) {
  for (const BodyKind kind : stiff_kinds) {
    Settings settings = study("bdf2", 0.001);
    settings.contact.stiffness.reset();
    Simulation simulation(falling_box(kind), settings);
    const double start = simulation.world().stiff[0].mass * gravity * (0.5 * side + height);
    double highest = 0;
    bool bounced = false;
    for (int i = 0; i < 1000; ++i) {
      const StepReport report = simulation.step();
      EXPECT_LT(report.energies.total(), start * (1 + 1e-9));
      bounced |= report.contacts > 0;
      if (bounced) highest = std::max(highest, rigid_motion(simulation.world(), 0).center.y());
    }
    EXPECT_GT(highest, 0.5 * side + 0.5 * height) << name_of(kind);
  }
}

TEST(FallingBox, ContactForcesHaveTheDampingInThem) {
  for (const BodyKind kind : stiff_kinds) {
    Settings settings = study("implicit-euler", 0.001);
    settings.contact.restitution_damping = 5e-3;
    Simulation simulation(falling_box(kind), settings);
    Vector3 before = Vector3::Zero();
    int damped_steps = 0;
    for (int i = 0; i < 700; ++i) {
      simulation.step();
      const Vector3 velocity = rigid_motion(simulation.world(), 0).velocity;
      const Vector3 expected = 1000 * ((velocity - before) / 0.001 + Vector3(0, gravity, 0));
      before = velocity;
      Vector3 on_vertices = Vector3::Zero(), listed = Vector3::Zero();
      const Body& box = simulation.world().bodies[0];
      const Vectors forces = simulation.vertex_contact_forces();
      for (int v = box.first_vertex; v < box.first_vertex + box.vertex_count; ++v)
        on_vertices += forces.col(v);
      for (const ContactForce& contact : simulation.contacts())
        listed += contact.body_a == 0 ? contact.normal_force : Vector3(-contact.normal_force);
      EXPECT_LT((on_vertices - expected).norm(), 1e-3 * 8000 + 1e-3 * expected.norm()) << i;
      EXPECT_LT((listed - expected).norm(), 1e-3 * 8000 + 1e-3 * expected.norm()) << i;
      damped_steps += expected.norm() > 1e4;
    }
    EXPECT_GT(damped_steps, 10);
  }
}

TEST(FallingBox, BodiesHaveDampingsOfTheirOwn) {
  // Side by side: of the scene, of the body, and less than the ground's.
  World world;
  const std::vector<std::optional<double>> own = {std::nullopt, 4e-3, 1e-4};
  for (std::size_t k = 0; k < own.size(); ++k) {
    BodyOptions options =
        at("box " + std::to_string(k), {2.0 * static_cast<double>(k), height + 0.5 * side, 0});
    options.restitution_damping = own[k];
    add_affine(world, surface_mesh(BoxShape{{side, side, side}}), {1000, 1e9}, options);
  }
  BodyOptions ground = at("ground", {0, 0, 0});
  ground.restitution_damping = 2e-3;
  add_plane(world, {0, 0, 0}, {0, 1, 0}, ground);
  Settings settings = study("bdf2", 0.002);
  settings.contact.restitution_damping = 3e-3;
  Simulation simulation(std::move(world), settings);
  std::array<double, 3> highest = {};
  for (int i = 0; i < 600; ++i) {
    simulation.step();
    if (i < 300) continue;
    for (int b = 0; b < 3; ++b)
      highest[b] = std::max(highest[b], rigid_motion(simulation.world(), b).center.y());
  }
  const std::array<double, 3> larger = {3e-3, 4e-3, 2e-3};
  for (int b = 0; b < 3; ++b) {
    Settings alone = study("bdf2", 0.002);
    alone.contact.restitution_damping = larger[b];
    Simulation single(falling_box(BodyKind::affine), alone);
    double expected = 0;
    for (int i = 0; i < 600; ++i) {
      single.step();
      if (i >= 300) expected = std::max(expected, rigid_motion(single.world(), 0).center.y());
    }
    EXPECT_NEAR(highest[b], expected, 1e-4) << b;
  }
  EXPECT_GT(highest[2], highest[0] + 0.01);
  EXPECT_GT(highest[0], highest[1] + 0.01);
}

TEST(Collisions, DampingKeepsTheMomentaOfTwoBodiesThatMeet) {
  for (const std::string integrator : {"bdf2", "implicit-euler"}) {
    for (const BodyKind kind : stiff_kinds) {
      World world;
      // One comes from the side and hits the other off its center.
      BodyOptions first = at("first", {-0.7, 0.2, 0}), second = at("second", {0.7, 0, 0.1});
      first.velocity = {3, 0, 0};
      second.velocity = {-1, 0.2, 0};
      add_stiff(world, kind, surface_mesh(BoxShape{{1, 1, 1}}), {1000}, first);
      add_stiff(world, kind, surface_mesh(BoxShape{{1, 0.6, 1}}), {500}, second);
      Settings settings = study(integrator, 0.001);
      settings.gravity.setZero();
      settings.contact.restitution_damping = 1e-3;
      settings.solver.tolerance = 1e-7;
      Simulation simulation(std::move(world), settings);
      auto momentum = [&] {
        Vector3 sum = Vector3::Zero();
        for (int b = 0; b < 2; ++b) {
          sum += simulation.world().stiff[b].mass * rigid_motion(simulation.world(), b).velocity;
        }
        return sum;
      };
      const Vector3 start = momentum();
      double energy = simulation.step().energies.total();
      bool met = false;
      for (int i = 0; i < 300; ++i) {
        const StepReport report = simulation.step();
        met |= report.contacts > 0;
      }
      EXPECT_TRUE(met);
      EXPECT_LT((momentum() - start).norm(), 1e-6 * start.norm()) << integrator << " " << name_of(kind);
      const StepReport end = simulation.step();
      EXPECT_EQ(end.contacts, 0);
      EXPECT_LT(end.energies.total(), 0.95 * energy);
      // They part: the first is slower than the second along x.
      EXPECT_LT(rigid_motion(simulation.world(), 0).velocity.x(),
                rigid_motion(simulation.world(), 1).velocity.x());
    }
  }
}

TEST(Collisions, ASpinningBoxKeepsItsEnergyThroughItsBouncesUnderBdf2) {
  for (const BodyKind kind : stiff_kinds) {
    World world;
    BodyOptions options = at("box", {0, 1.2, 0});
    options.pose.rotation = rotation_matrix(Vector3(0.2, 0.3, 0.5));
    options.angular_velocity = {2, -1, 3};
    add_stiff(world, kind, surface_mesh(BoxShape{{1, 0.6, 0.8}}), {1000}, options);
    add_ground(world);
    Settings settings = study("bdf2", 0.0005);
    settings.contact.stiffness = 1e8;
    Simulation simulation(std::move(world), settings);
    const double start = simulation.step().energies.total();
    const double rest = 480 * gravity * 0.3;
    int contacts = 0;
    double last = start;
    for (int i = 0; i < 2000; ++i) {
      const StepReport report = simulation.step();
      contacts += report.contacts;
      if (report.contacts == 0) last = report.energies.total();
    }
    EXPECT_GT(contacts, 0);
    EXPECT_GT((last - rest) / (start - rest), 0.95) << name_of(kind);
    EXPECT_LT((last - rest) / (start - rest), 1.005) << name_of(kind);
  }
}

/// The modes of a linear elastic cube: (K - w^2 M) phi = 0.
struct Modes {
  VectorX square;  ///< w^2, ascending; the first six are rigid
  MatrixX shape;   ///< columns, with phi^T M phi = 1
};

Modes modes_of(const World& world) {
  const auto elasticity_of_tetrahedra = make_elasticity(ElementType::tetrahedron, world.elements, world.rest);
  ElasticTerm& elasticity = *elasticity_of_tetrahedra;
  BlockList blocks;
  elasticity.damped_hessian(world.rest, blocks);
  MatrixX K = MatrixX::Zero(world.rest.size(), world.rest.size()), M = K;
  for (std::size_t k = 0; k < blocks.key.size(); ++k) {
    const int row = static_cast<int>(blocks.key[k] >> 32),
              column = static_cast<int>(blocks.key[k] & 0xffffffffu);
    K.block<3, 3>(3 * row, 3 * column) += blocks.value[k];
    if (row != column) K.block<3, 3>(3 * column, 3 * row) += blocks.value[k].transpose();
  }
  for (int i = 0; i < world.rest.cols(); ++i) {
    M.diagonal().segment<3>(3 * i).setConstant(world.gravity_mass[i]);
  }
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX> solver(K, M);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

struct Vibration {
  double frequency = 0;  ///< of the mode without damping: angular, 1/s
  double decay = 0;      ///< rate of its amplitude, 1/s
};

/// A soft cube that starts in its seventh mode, the first that deforms it, over three periods.
Vibration vibration(double damping, bool viscous = false) {
  World world;
  ElasticMaterial material;
  material.model = ElasticModel::linear_elastic;
  if (viscous) {
    const LameConstants lame = lame_constants(material.young, material.poisson);
    material.shear_viscosity = damping * lame.mu;
    material.bulk_viscosity = damping * lame.lambda;
  } else {
    material.rayleigh_damping = damping;
  }
  add_deformable(world, solid_mesh(BoxShape{{1, 1, 1}}, 0.5), material, at("cube", {0, 0, 0}));
  const Modes modes = modes_of(world);
  EXPECT_LT(modes.square[5], 1e-6 * modes.square[6]);
  const VectorX shape = modes.shape.col(6);
  const double frequency = std::sqrt(modes.square[6]), start = 1e-3;
  flat(world.state.position) += start * shape;
  VectorX mass(3 * world.rest.cols());
  for (int i = 0; i < world.rest.cols(); ++i) mass.segment<3>(3 * i).setConstant(world.gravity_mass[i]);

  constexpr int periods = 3, steps = 600;
  Settings settings;
  settings.gravity.setZero();
  settings.contact.enabled = false;
  settings.time.integrator = "bdf2";
  settings.time.step = periods * 2 * std::acos(-1.0) / frequency / steps;
  settings.solver.tolerance = 1e-9;
  Simulation simulation(std::move(world), settings);
  for (int i = 0; i < steps; ++i) simulation.step();
  // Amplitude and its rate give the size of the swing, whatever its phase.
  const Vectors away = simulation.world().state.position - simulation.world().rest;
  const double amplitude = shape.dot(mass.cwiseProduct(flat(away)));
  const double speed = shape.dot(mass.cwiseProduct(flat(simulation.world().state.velocity)));
  const double half_decay = 0.5 * damping * frequency * frequency;
  const double turned = speed + half_decay * amplitude;
  const double size =
      std::hypot(amplitude, turned / std::sqrt(frequency * frequency - half_decay * half_decay));
  return {frequency, std::log(start / size) / (steps * settings.time.step)};
}

TEST(MaterialDamping, KelvinVoigtsDecayIsThatOfItsLinearStiffnessAtSmallStrains) {
  const double frequency = vibration(0).frequency, damping = 0.1 * 2 / frequency;
  const double expected = 0.5 * damping * frequency * frequency;
  EXPECT_NEAR(vibration(damping, true).decay, expected, 0.02 * expected);
}

TEST(MaterialDamping, AVibrationDecaysAtTheRateOfRayleighsFormula) {
  const Vibration free = vibration(0);
  EXPECT_LT(free.decay, 1e-4 * free.frequency);
  for (const double part : {0.02, 0.1}) {
    // Of critical damping, which 2/w would be.
    const double damping = part * 2 / free.frequency;
    const double expected = 0.5 * damping * free.frequency * free.frequency;
    EXPECT_NEAR(vibration(damping).decay, expected, 0.01 * expected + free.decay) << part;
  }
}

TEST(Determinism, ADampedBounceHasTheSameBitsOnAnyNumberOfThreads) {
  std::vector<Vectors> ends;
  for (const int threads : {1, 2}) {
    World world;
    ElasticMaterial rubber;
    rubber.rayleigh_damping = 1e-3;
    add_deformable(world, solid_mesh(BoxShape{{0.5, 0.5, 0.5}}, 0.25), rubber, at("soft", {0.1, 0.4, 0}));
    add_affine(world, surface_mesh(BoxShape{{0.4, 0.4, 0.4}}), {}, at("hard", {0, 1, 0.05}));
    add_ground(world);
    Settings settings = study("bdf2", 0.01);
    settings.contact.distance = {0.02, false};
    settings.contact.stiffness.reset();
    settings.contact.restitution_damping = 1e-3;
    settings.solver.threads = threads;
    Simulation simulation(std::move(world), settings);
    for (int i = 0; i < 40; ++i) simulation.step();
    ends.push_back(simulation.world().state.position);
  }
  set_thread_count(0);
  EXPECT_EQ(ends[0], ends[1]);
}

}  // namespace
}  // namespace bulwark
