// The source's second study of restitution: a board on a shaft turns at 1.25 rad/s against the limit of its
// hinge, and bounces back. docs/restitution.md has its tables.
#include <gtest/gtest.h>

#include <sim/jointed_world.hpp>

#include <cmath>
#include <string>

namespace bulwark {
namespace {

constexpr double degree = M_PI / 180, speed = 1.25;
constexpr double limit = 30 * degree, width = 4 * degree;

/// Energy after the first bounce, when the limit has let the board go, as a part of the first.
double first_bounce(BodyKind kind, const std::string& integrator, double h, double damping) {
  World world;
  BodyOptions options = named("board", {0.5, 0, 0});
  options.velocity = {0, 0, -0.5 * speed};
  options.angular_velocity = {0, speed, 0};
  const int board = add_stiff(world, kind, {1, 0.5, 0.02}, options);
  JointOptions shaft = joint("shaft", JointKind::hinge, board, world_body, {0, 0, 0}, Vector3::UnitY());
  shaft.range = JointRange{-limit, limit};
  shaft.range_width = width;
  shaft.range_stiffness = 5;
  shaft.restitution_damping = damping;
  add_joint(world, shaft);
  Settings s = without_contact(h);
  s.gravity.setZero();
  s.time.integrator = integrator;
  s.solver.tolerance = 1e-4;
  Simulation simulation(std::move(world), s);
  const double start = 0.5 * 10 * (1 + 0.02 * 0.02 / 4) / 3 * speed * speed;
  bool pushed = false;
  double left = 1;
  for (int step = 0; step * h < 1; ++step) {
    left = simulation.step().energies.total() / start;
    const double angle = simulation.joint_states()[0].coordinate;
    EXPECT_LT(angle, limit);
    if (pushed && angle < limit - width) return left;
    pushed = pushed || angle > limit - width;
  }
  return pushed ? left : -1;
}

TEST(RotatingBoard, Bdf2KeepsItsEnergyInShortSteps) {
  for (const BodyKind kind : {BodyKind::affine, BodyKind::rigid}) {
    const double left = first_bounce(kind, "bdf2", 0.001, 0);
    EXPECT_GT(left, 0.99);
    EXPECT_LE(left, 1 + 1e-6);
    EXPECT_LT(first_bounce(kind, "implicit-euler", 0.01, 0), 0.8 * left);
  }
}

TEST(RotatingBoard, TheMoreDampingTheLessItBounces) {
  for (const BodyKind kind : {BodyKind::affine, BodyKind::rigid}) {
    for (const std::string integrator : {"bdf2", "implicit-euler"}) {
      double last = 1.0 + 1e-6;
      for (const double damping : {0.0, 1e-3, 3e-3, 1e-2, 3e-2, 1e-1}) {
        const double left = first_bounce(kind, integrator, 0.002, damping);
        EXPECT_LT(left, last) << integrator << " " << damping;
        EXPECT_GT(left, 0) << integrator << " " << damping;
        last = left;
      }
      EXPECT_LT(last, 0.2) << integrator;
    }
  }
}

}  // namespace
}  // namespace bulwark
