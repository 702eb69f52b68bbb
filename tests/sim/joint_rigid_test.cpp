// Joints of rigid bodies, whose points are not linear in their unknowns.
#include <gtest/gtest.h>

#include <sim/jointed_world.hpp>

#include <fmt/format.h>

#include <cmath>

namespace bulwark {
namespace {

TEST(RigidJoints, HingedRodSwingsWithItsPeriod) {
  World world;
  const double start = 0.1;
  const int rod = pendulum(world, start, BodyKind::rigid);
  add_joint(world, joint("hinge", JointKind::hinge, rod, world_body, Vector3::Zero()));
  Simulation simulation(std::move(world), without_contact(1e-3));
  const WatchedRun run = watched_run(simulation, 2300);
  EXPECT_NEAR(run.period(0, -start, 1e-3), pendulum_period(start), 2e-3 * pendulum_period(start));
  EXPECT_LT(run.error, 1.01e-8);
  EXPECT_LT(run.rigidity, 1e-12);
}

TEST(RigidJoints, HingeStaysWithinItsRangeWhichCarriesIt) {
  World world;
  const int rod = add_stiff(world, BodyKind::rigid, {1, 0.05, 0.05}, named("rod", {0.5, 0, 0}));
  JointOptions hinge = joint("hinge", JointKind::hinge, rod, world_body, {0, 0, 0});
  hinge.range = JointRange{-M_PI / 4, M_PI / 6};
  add_joint(world, hinge);
  Simulation simulation(std::move(world), without_contact(1e-2));
  const WatchedRun run = watched_run(simulation, 300);
  EXPECT_GT(run.lowest(0), -M_PI / 4);
  EXPECT_LT(run.highest(0), M_PI / 6);
  EXPECT_LT(run.error, 1.01e-8);
  EXPECT_NEAR(run.coordinates[0].back(), -M_PI / 4, 0.035);
  const JointState& state = simulation.joint_states()[0];
  EXPECT_NEAR(state.force.y(), 2.5 * 9.81, 1e-3 * 24.5);
  EXPECT_NEAR(state.torque.z(), 2.5 * 9.81 * 0.5 * std::cos(run.coordinates[0].back()), 0.02);
}

/// A chain of three rods of the given kinds, which falls from the horizontal.
WatchedRun chain_run(const std::vector<BodyKind>& kinds, JointKind kind, int steps) {
  World world;
  int last = world_body;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const double x = static_cast<double>(k);
    const int rod =
        add_stiff(world, kinds[k], {0.9, 0.05, 0.05}, named(fmt::format("rod{}", k), {0.5 + x, 0, 0}));
    add_joint(world, joint(fmt::format("j{}", k), kind, rod, last, {x, 0, 0}));
    last = rod;
  }
  Simulation simulation(std::move(world), without_contact(5e-3));
  return watched_run(simulation, steps);
}

TEST(RigidJoints, MixWithAffineBodiesAndMoveLikeThem) {
  using enum BodyKind;
  const WatchedRun all_affine = chain_run({affine, affine, affine}, JointKind::hinge, 100);
  for (const auto& kinds : {std::vector{rigid, rigid, rigid}, std::vector{rigid, affine, rigid},
                            std::vector{affine, rigid, affine}}) {
    const WatchedRun run = chain_run(kinds, JointKind::hinge, 100);
    EXPECT_LT(run.error, 1.01e-8);
    for (int j = 0; j < 3; ++j)
      EXPECT_NEAR(run.coordinates[j].back(), all_affine.coordinates[j].back(), 1e-5);
  }
}

using Momentum = Eigen::Matrix<double, 6, 1>;  ///< linear, angular

Momentum momentum_of(const World& world) {
  Momentum sum = Momentum::Zero();
  for (const StiffBody& body : world.stiff) {
    const RigidMotion m = rigid_motion(world, body.body);
    const Matrix3 S = m.rotation * body.second_moment * m.rotation.transpose();
    sum.head<3>() += body.mass * m.velocity;
    sum.tail<3>() +=
        body.mass * m.center.cross(m.velocity) + (S.trace() * Matrix3::Identity() - S) * m.angular_velocity;
  }
  return sum;
}

/// How much of their momentum two bodies on a ball joint lose in a second; one of them spins at the start.
Momentum lost_momentum(BodyKind kind, const std::string& integrator, double h) {
  World world;
  BodyOptions first = named("first", {-0.5, 0, 0}), second = named("second", {0.5, 0, 0});
  first.angular_velocity = {2, 3, -4};
  first.velocity = first.angular_velocity.cross(Vector3(-0.5, 0, 0));
  const int a = add_stiff(world, kind, {0.9, 0.2, 0.1}, first),
            b = add_stiff(world, kind, {0.9, 0.1, 0.3}, second);
  add_joint(world, joint("ball", JointKind::point, a, b, {0, 0, 0}));
  Settings s = without_contact(h);
  s.gravity.setZero();
  s.time.integrator = integrator;
  Simulation simulation(std::move(world), s);
  const Momentum before = momentum_of(simulation.world());
  const WatchedRun run = watched_run(simulation, static_cast<int>(std::lround(1 / h)));
  EXPECT_LT(run.error, 1.01e-8);
  Momentum lost = before - momentum_of(simulation.world());
  lost.head<3>() /= before.head<3>().norm();
  lost.tail<3>() /= before.tail<3>().norm();
  return lost;
}

TEST(RigidJoints, KeepMomentumAsFarAsTheIntegratorDoes) {
  for (const std::string integrator : {"implicit-euler", "bdf2"}) {
    const Momentum rigid = lost_momentum(BodyKind::rigid, integrator, 0.01),
                   affine = lost_momentum(BodyKind::affine, integrator, 0.01);
    EXPECT_LT(rigid.head<3>().norm(), 1e-11) << integrator;
    EXPECT_LT((rigid - affine).tail<3>().norm(), 1e-6) << integrator;
  }
  // What is lost of the angular momentum is the error of the integrator: of second order.
  const double lost = lost_momentum(BodyKind::rigid, "bdf2", 0.01).tail<3>().norm();
  EXPECT_LT(lost, 1e-3);
  EXPECT_LT(lost_momentum(BodyKind::rigid, "bdf2", 0.005).tail<3>().norm(), 0.3 * lost);
}

TEST(RigidJoints, MotorTurnsThemAndReactionsBalanceTheWeight) {
  World world;
  const int rod = add_stiff(world, BodyKind::rigid, {1, 0.05, 0.05}, named("rod", {0, 0, 0}));
  const int hinge = add_joint(world, joint("hinge", JointKind::hinge, rod, world_body, {0, 0, 0}));
  add_joint(world, motor(hinge, MotorLaw::speed, 10));
  const int arm = add_stiff(world, BodyKind::rigid, {1, 0.1, 0.1}, named("arm", {0.5, 0, 3}));
  const int clamp = add_joint(world, joint("clamp", JointKind::weld, arm, world_body, {0, 0, 3}));
  Simulation simulation(std::move(world), without_contact(1e-2));
  const WatchedRun run = watched_run(simulation, 200);
  EXPECT_NEAR(run.coordinates[hinge].back(), 20, 0.01);
  EXPECT_LT(run.error, 1.01e-8);
  const double weight = 9.81 * 10;
  EXPECT_NEAR(simulation.joint_states()[clamp].force.y(), weight, 1e-6 * weight);
  EXPECT_NEAR(simulation.joint_states()[clamp].torque.z(), 0.5 * weight, 1e-6 * weight);
}

TEST(RigidJoints, LightLinksCarryAHeavyLoad) {
  World world;
  int last = world_body;
  for (int k = 0; k < 5; ++k) {
    const int link = add_stiff(world, BodyKind::rigid, {0.09, 0.02, 0.02},
                               named(fmt::format("link{}", k), {0.05 + 0.1 * k, 0, 0}));
    add_joint(world, joint(fmt::format("j{}", k), JointKind::hinge, link, last, {0.1 * k, 0, 0}));
    last = link;
  }
  const int load = add_stiff(world, BodyKind::rigid, {1, 1, 1}, named("load", {1, 0, 0}));  // 27,000 links
  add_joint(world, joint("end", JointKind::hinge, load, last, {0.5, 0, 0}));
  Simulation simulation(std::move(world), without_contact(1e-2));
  const WatchedRun run = watched_run(simulation, 100);
  EXPECT_LT(run.error, 1.01e-8);
  EXPECT_LT(run.iterations, 20);
}

TEST(RigidJoints, SlidersPlanesAndAttachedCloth) {
  World world;
  BodyOptions spinning = named("bead", {0, 0, 0});
  spinning.angular_velocity = {1, 2, 3};
  const int bead = add_stiff(world, BodyKind::rigid, {0.4, 0.2, 0.3}, spinning);
  const Vector3 axis = Vector3(1, -2, 0.5).normalized();
  JointOptions slider = joint("slider", JointKind::slider, bead, world_body, {0, 0, 0}, axis);
  slider.turning = Turning::about_axis;
  slider.range = JointRange{-0.1, 0.5};
  add_joint(world, slider);
  const int disk = add_stiff(world, BodyKind::rigid, {0.2, 0.2, 0.2}, named("disk", {3, 0, 0}));
  add_joint(world, joint("plane", JointKind::plane, disk, world_body, {3, 0, 0}, Vector3(0, 1, 1)));
  const int soft = add_deformable(world, solid_mesh(BoxShape{{0.4, 0.5, 0.4}}, 0.2),
                                  {ElasticModel::neo_hookean, 1000, 1e5, 0.4}, named("soft", {6, -0.35, 0}));
  const int plate = add_stiff(world, BodyKind::rigid, {0.4, 0.1, 0.4}, named("plate", {6, 0, 0}));
  add_joint(world, joint("nail", JointKind::hinge, plate, world_body, {6, 0, 0}));
  JointOptions attach = joint("glue", JointKind::attach, soft, plate, {0, 0, 0});
  attach.selection = SelectHalfSpace{{6, -0.11, 0}, {0, 1, 0}};
  add_joint(world, attach);
  Simulation simulation(std::move(world), without_contact(1e-2));
  const WatchedRun run = watched_run(simulation, 100);
  EXPECT_LT(run.error, 1.01e-8);
  EXPECT_GT(run.lowest(0), -0.1);
  EXPECT_LT(run.highest(0), 0.5);
  EXPECT_NEAR(run.coordinates[0][20], -0.5 * 9.81 * axis.y() * 0.21 * 0.22, 1e-6);
}

}  // namespace
}  // namespace bulwark
