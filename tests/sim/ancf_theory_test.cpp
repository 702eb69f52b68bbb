// ANCF beams and shells against beam and plate theory where a section warps, bends far or has few elements.
#include <bulwark/bodies/elastic_law.hpp>
#include <bulwark/math/rotation.hpp>
#include <bulwark/sim/simulation.hpp>

#include <gtest/gtest.h>

#include <sim/at_rest.hpp>
#include <sim/jointed_world.hpp>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>
#include <numbers>

namespace bulwark {
namespace {

constexpr double pi = std::numbers::pi;

/// A beam along x: its width along z, its height along -y.
struct BeamCase {
  double length, width, height, young, poisson;
  int elements;

  double shear_modulus() const { return young / (2 * (1 + poisson)); }
  /// Of bending that moves the beam along its height, and along its width.
  double stiffness_along_height() const { return young * width * std::pow(height, 3) / 12; }
  double stiffness_along_width() const { return young * height * std::pow(width, 3) / 12; }
  double stiffness_in_shear() const { return 5.0 / 6 * shear_modulus() * width * height; }

  ElasticMaterial material() const {
    ElasticMaterial m;
    m.model = ElasticModel::svk;
    m.young = young;
    m.poisson = poisson;
    m.width = width;
    m.height = height;
    return m;
  }
  int add_to(World& world) const {
    SurfaceMesh line;
    line.vertices = Vectors::Zero(3, elements + 1);
    for (int k = 0; k <= elements; ++k) line.vertices(0, k) = length * k / elements;
    for (int k = 0; k < elements; ++k) line.edges.push_back({k, k + 1});
    return add_ancf(world, ancf_beam_mesh(line, Vector3::UnitZ(), "beam"), material(),
                    named("beam", {0, 0, 0}));
  }
  SelectNodes tip() const { return {{elements}}; }
};

TEST(AncfTheory, TorsionConstantsAreThoseOfTables) {
  EXPECT_NEAR(torsion_constant(1, 1), 0.140577, 1e-6);
  EXPECT_NEAR(torsion_constant(1, 2), 2 * 0.228682, 2e-6);
  EXPECT_NEAR(torsion_constant(4, 1), 4 * 0.280813, 4e-6);
  EXPECT_NEAR(torsion_constant(1000, 1), 1000.0 / 3, 0.3);
}

TEST(AncfTheory, ABeamIsTwistedAsSaintVenantSays) {
  for (const double width : {0.02, 0.04, 0.1}) {
    const BeamCase beam = {1, width, 0.02, 1e9, 0.3, 4};
    World world;
    const int body = beam.add_to(world);
    hold(world, body, SelectNodes{{0}});
    Motion turn;
    const double angle = 0.05;
    turn.angular_velocity = {angle, 0, 0};
    hold(world, body, beam.tip(), turn);
    Simulation simulation(std::move(world), test::at_rest());
    simulation.step();
    const double expected = beam.shear_modulus() * torsion_constant(width, 0.02) * angle / beam.length;
    EXPECT_NEAR(simulation.reactions().at(1).wrench.torque.x(), expected, 1e-2 * expected) << width;
  }
}

TEST(AncfTheory, ABeamOfFewElementsBendsAndShearsAsTimoshenkoSays) {
  for (const double length : {0.5, 2.0, 10.0}) {
    for (const int elements : {1, 2, 4}) {
      const BeamCase beam = {length, 0.1, 0.1, 1e9, 0.3, elements};
      const double force = 1e-3 * beam.stiffness_along_height() / (length * length);
      World world;
      const int body = beam.add_to(world);
      hold(world, body, SelectNodes{{0}});
      add_force(world, body, beam.tip(), Table::constant({0, force, 0}));
      Settings settings = test::at_rest();
      settings.solver.tolerance = 1e-4;
      Simulation simulation(std::move(world), settings);
      simulation.step();
      const double expected = force * std::pow(length, 3) / (3 * beam.stiffness_along_height()) +
                              force * length / beam.stiffness_in_shear();
      std::printf("[ length %g, %d elements: %.4f ]\n", length, elements,
                  simulation.world().state.position(1, elements) / expected);
      EXPECT_NEAR(simulation.world().state.position(1, elements), expected,
                  (elements == 1 ? 3.5e-2 : 1e-2) * expected)
          << length << ", " << elements << " elements";
    }
  }
}

/// A cantilever along x by the theory of beams that bend, twist, stretch and shear as far as they like: with a force at
/// its tip that keeps its direction, the moment at its root is found by shooting.
struct ExactBeam {
  BeamCase beam;
  Vector3 force;

  struct End {
    Vector3 place, moment;
    Matrix3 turn;
  };
  End end_of(const Vector3& root_moment) const {
    const Vector3 turning(beam.shear_modulus() * torsion_constant(beam.width, beam.height),
                          beam.stiffness_along_width(), beam.stiffness_along_height());
    const Vector3 moving(beam.young * beam.width * beam.height, beam.stiffness_in_shear(),
                         beam.stiffness_in_shear());
    End at = {Vector3::Zero(), root_moment, Matrix3::Identity()};
    constexpr int steps = 2000;
    const double h = beam.length / steps;
    // The middle of each step: the error is of second order. Axes: along the beam, -y... z are principal.
    for (int step = 0; step < steps; ++step) {
      const auto slope = [&](const End& e) -> Vector3 {
        return e.turn * (Vector3::UnitX() + (e.turn.transpose() * force).cwiseQuotient(moving));
      };
      const auto turned = [&](const End& e, const End& by, double length) -> Matrix3 {
        const Vector3 curvature = (by.turn.transpose() * by.moment).cwiseQuotient(turning);
        return e.turn * rotation_matrix(length * curvature);
      };
      const End half = {at.place + h / 2 * slope(at), at.moment - h / 2 * slope(at).cross(force),
                        turned(at, at, h / 2)};
      at = {at.place + h * slope(half), at.moment - h * slope(half).cross(force), turned(at, half, h)};
    }
    return at;
  }
  End solve() const {
    Vector3 root = Vector3(beam.length, 0, 0).cross(force);
    for (int iteration = 0; iteration < 30; ++iteration) {
      const Vector3 left = end_of(root).moment;
      if (left.norm() < 1e-10 * force.norm() * beam.length) break;
      Matrix3 slope;
      const double shift = 1e-6 * force.norm() * beam.length;
      for (int k = 0; k < 3; ++k)
        slope.col(k) = (end_of(root + shift * Vector3::Unit(k)).moment - left) / shift;
      root -= slope.inverse() * left;
    }
    return end_of(root);
  }
};

TEST(AncfTheory, ThePrincetonBeamBendsAndTwistsAsBeamTheorySays) {
  // Aluminium, 508 x 12.377 x 3.2024 mm, clamped at an angle to the weight at its tip.
  const BeamCase beam = {0.508, 12.377e-3, 3.2024e-3, 71.7e9, 0.31, 12};
  for (const double weight : {4.448, 13.345}) {
    for (const double degrees : {0.0, 30.0, 60.0, 90.0}) {
      const double angle = degrees * pi / 180;
      // 0 degrees: along the width.
      const Vector3 force = weight * Vector3(0, -std::sin(angle), -std::cos(angle));
      const ExactBeam::End expected = ExactBeam{beam, force}.solve();
      World world;
      const int body = beam.add_to(world);
      hold(world, body, SelectNodes{{0}});
      add_force(world, body, beam.tip(), Table::constant(force));
      Simulation simulation(std::move(world), test::at_rest());
      simulation.step();
      const Vectors& q = simulation.world().state.position;
      const Vector3 tip = q.col(beam.elements), rest(beam.length, 0, 0);
      const Vector3 moved = expected.place - rest;
      std::printf("[ %g N, %g degrees: tip (%.5f, %.5f, %.5f), theory (%.5f, %.5f, %.5f) ]\n", weight,
                  degrees, tip[0], tip[1], tip[2], expected.place[0], expected.place[1], expected.place[2]);
      EXPECT_LT((tip - expected.place).norm(), 1e-2 * moved.norm());
      // How far the width has turned: v is along z at rest.
      const Vector3 width = q.col(beam.elements + 1 + 3 * beam.elements + 1).normalized();
      EXPECT_LT((width - expected.turn.col(2)).norm(),
                1e-2 * std::max(0.1, (expected.turn.col(2) - Vector3::UnitZ()).norm()));
    }
  }
}

/// Slopes of the far end turned by a whole turn, its place free; the start is a circle that is a fifth too large.
void roll_up(Vectors& q, int first, int nodes, int per_row, double length, double angle_of_row_step) {
  const double radius = 1.2 * length / (2 * pi);
  for (int k = 0; k < nodes; ++k) {
    const double angle = angle_of_row_step * (k % per_row);
    const Matrix3 turn = Eigen::AngleAxisd(angle, Vector3::UnitZ()).toRotationMatrix();
    q.col(first + k) << radius * std::sin(angle), radius * (1 - std::cos(angle)), q(2, first + k);
    for (int s = 0; s < 3; ++s) {
      Eigen::Ref<Vectors> slope = q.middleCols(first + nodes + 3 * k + s, 1);
      slope = turn * Vector3(slope);
    }
  }
}

TEST(AncfTheory, ACantileverRollsUpIntoACircle) {
  // The moment at its root is 2 pi EI / L, and its free end comes back to the root.
  const BeamCase beam = {1, 0.02, 0.01, 1e9, 0.3, 40};
  World world;
  const int body = beam.add_to(world);
  roll_up(world.state.position, 0, beam.elements + 1, beam.elements + 1, beam.length, 2 * pi / beam.elements);
  hold(world, body, SelectNodes{{0}});
  const int tip_slopes = beam.elements + 1 + 3 * beam.elements;
  for (int s = 0; s < 3; ++s) world.held[tip_slopes + s] = all_axes;
  Settings settings = test::at_rest();
  settings.contact.enabled = false;
  Simulation simulation(std::move(world), settings);
  simulation.step();
  const double expected = 2 * pi * beam.stiffness_along_height() / beam.length;
  const Vector3 torque = simulation.reactions().at(0).wrench.torque;
  const Vector3 tip = simulation.world().state.position.col(beam.elements);
  std::printf("[ torque %.5f of %.5f, tip (%.5f, %.5f, %.5f) ]\n", torque.z(), expected, tip[0], tip[1],
              tip[2]);
  EXPECT_NEAR(torque.norm(), expected, 1e-2 * expected);
  EXPECT_LT(tip.norm(), 1e-2 * beam.length);
}

TEST(AncfTheory, AStripOfShellRollsUpIntoACircle) {
  const double length = 1, width = 0.1, thickness = 0.01;
  const int cells = 48;
  World world;
  ElasticMaterial m;
  m.model = ElasticModel::svk;
  m.young = 1e9;
  m.poisson = 0;
  m.height = thickness;
  const int body = add_ancf(world, ancf_plate(length, width, cells, 1), m, named("strip", {0, 0, 0}));
  const int nodes = world.bodies[body].point_count;
  roll_up(world.state.position, 0, nodes, cells + 1, length, 2 * pi / cells);
  hold(world, body, SelectNodes{{0, cells + 1}});
  for (const int tip : {cells, 2 * cells + 1}) {
    for (int s = 0; s < 3; ++s) world.held[nodes + 3 * tip + s] = all_axes;
  }
  Settings settings = test::at_rest();
  settings.contact.enabled = false;
  Simulation simulation(std::move(world), settings);
  simulation.step();
  const double expected = 2 * pi * m.young * width * std::pow(thickness, 3) / 12 / length;
  const Vectors& q = simulation.world().state.position;
  EXPECT_NEAR(simulation.reactions().at(0).wrench.torque.norm(), expected, 1e-2 * expected);
  for (const int row : {0, 1})
    EXPECT_LT((q.col(row * (cells + 1) + cells) - q.col(row * (cells + 1))).norm(), 1e-2 * length);
}

}  // namespace
}  // namespace bulwark
