// Joints against closed forms: equations that hold to rounding, ranges that are never left, periods,
// reactions.
#include <bulwark/base/error.hpp>
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/simulation.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <cmath>
#include <numbers>

namespace bulwark {
namespace {

constexpr double pi = std::numbers::pi;

BodyOptions named(const std::string& name, const Vector3& position) {
  BodyOptions options;
  options.name = name;
  options.pose.position = position;
  return options;
}

JointOptions joint(const std::string& name, JointKind kind, int a, int b, const Vector3& point,
                   const Vector3& axis = Vector3::UnitZ()) {
  JointOptions options;
  options.name = name;
  options.kind = kind;
  options.body_a = a;
  options.body_b = b;
  options.point = point;
  options.axis = axis;
  return options;
}

Settings settings(double h) {
  Settings s;
  s.time.step = h;
  s.contact.enabled = false;
  s.solver.tolerance = 1e-6;
  return s;
}

int box(World& world, const std::string& name, const Vector3& size, const Vector3& position) {
  return add_affine(world, surface_mesh(BoxShape{size}), {}, named(name, position));
}

/// A thin rod of length 1 that hangs from the origin, turned out by `angle` about z.
int pendulum(World& world, double angle) {
  BodyOptions options = named("rod", 0.5 * Vector3(std::sin(angle), -std::cos(angle), 0));
  options.pose.rotation = Eigen::AngleAxisd(angle, Vector3::UnitZ()).toRotationMatrix();
  return add_affine(world, surface_mesh(BoxShape{{0.05, 1, 0.05}}), {}, options);
}

TEST(Joints, HingedRodSwingsWithItsPeriod) {
  World world;
  const double start = 0.1;
  const int rod = pendulum(world, start);
  add_joint(world, joint("hinge", JointKind::hinge, rod, world_body, Vector3::Zero()));
  Simulation simulation(std::move(world), settings(1e-3));
  // Physical pendulum, small swings: T = 2 pi sqrt(I / (m g d)) (1 + start^2 / 16).
  const double inertia = (1 + 0.05 * 0.05) / 12 + 0.25;
  const double period = 2 * pi * std::sqrt(inertia / (9.81 * 0.5)) * (1 + start * start / 16);
  std::vector<double> crossings;
  double before = start, worst = 0;
  int iterations = 0;
  for (int step = 1; step <= 3500; ++step) {
    iterations += simulation.step().newton_iterations;
    const JointState& state = simulation.joint_states()[0];
    worst = std::max(worst, state.error);
    const double angle = start + state.coordinate;
    if (before > 0 && angle <= 0) crossings.push_back((step - angle / (angle - before)) * 1e-3);
    before = angle;
  }
  ASSERT_GE(crossings.size(), 2u);
  EXPECT_NEAR(crossings[1] - crossings[0], period, 2e-3 * period);
  EXPECT_LT(worst, 1e-12);
  EXPECT_LT(iterations, 4 * 3500);
}

TEST(Joints, ReactionsBalanceTheWeightInStatics) {
  World world;
  const int a = box(world, "a", {1, 0.1, 0.1}, {0.5, 0, 0});
  const int b = box(world, "b", {1, 0.1, 0.1}, {1.5, 0, 0});
  // A beam of two welded halves, clamped at its left end.
  add_joint(world, joint("clamp", JointKind::weld, a, world_body, {0, 0, 0}));
  add_joint(world, joint("middle", JointKind::weld, b, a, {1, 0, 0}));
  Simulation simulation(std::move(world), settings(1e-2));
  for (int step = 0; step < 5; ++step) simulation.step();
  const double weight = 9.81 * 1000 * 0.01;
  const JointState clamp = simulation.joint_states()[0], middle = simulation.joint_states()[1];
  EXPECT_NEAR(clamp.force.y(), 2 * weight, 1e-6 * weight);
  EXPECT_NEAR(clamp.torque.z(), 2 * weight * 1.0, 1e-6 * weight);
  EXPECT_NEAR(middle.force.y(), weight, 1e-6 * weight);
  EXPECT_NEAR(middle.torque.z(), weight * 0.5, 1e-6 * weight);
  EXPECT_LT(clamp.error, 1e-12);
  EXPECT_LT(middle.error, 1e-12);
}

TEST(Joints, TriplePendulumKeepsItsPointsTogether) {
  World world;
  int last = world_body;
  for (int k = 0; k < 3; ++k) {
    const int rod = box(world, fmt::format("rod{}", k), {0.9, 0.05, 0.05}, {0.5 + k, 0, 0});
    add_joint(world, joint(fmt::format("j{}", k), JointKind::point, rod, last, {double(k), 0, 0}));
    last = rod;
  }
  Simulation simulation(std::move(world), settings(1e-2));
  double worst = 0, rigidity = 0;
  int iterations = 0;
  for (int step = 0; step < 300; ++step) {
    const StepReport report = simulation.step();
    iterations += report.newton_iterations;
    rigidity = std::max(rigidity, report.rigidity_error);
    for (const JointState& state : simulation.joint_states()) worst = std::max(worst, state.error);
  }
  EXPECT_LT(worst, 1e-12);
  EXPECT_LT(rigidity, 1e-6);
  EXPECT_LT(iterations, 12 * 300);
  std::printf("%g its a step, rigidity %g\n", iterations / 300.0, rigidity);
}

/// Runs and returns the worst error of all equations.
double worst_error(Simulation& simulation, int steps) {
  double worst = 0;
  for (int step = 0; step < steps; ++step) {
    simulation.step();
    for (const JointState& state : simulation.joint_states()) worst = std::max(worst, state.error);
  }
  return worst;
}

TEST(Joints, SpringOscillatesWithItsPeriod) {
  World world;
  const int body = box(world, "body", {0.1, 0.1, 0.1}, {0, -1, 0});
  JointOptions spring = joint("spring", JointKind::spring, body, world_body, {0, -1, 0});
  spring.second_point = Vector3::Zero();
  spring.stiffness = 100;  // mass 1 kg
  spring.rest = 1 - 9.81 / 100 + 0.05;
  add_joint(world, spring);
  Simulation simulation(std::move(world), settings(1e-3));
  // At rest it would be 5 cm lower; it starts there without speed.
  const double low = 1 + 0.05, period = 2 * pi / 10;
  std::vector<double> crossings;
  double before = 1 - low;
  for (int step = 1; step <= 1500; ++step) {
    simulation.step();
    const double now = simulation.joint_states()[0].coordinate - low;
    if (before < 0 && now >= 0) crossings.push_back((step - now / (now - before)) * 1e-3);
    before = now;
  }
  ASSERT_GE(crossings.size(), 2u);
  EXPECT_NEAR(crossings[1] - crossings[0], period, 3e-3 * period);
}

TEST(Joints, TorsionSpringAndDampingSettleWhereTorquesBalance) {
  World world;
  const int rod = box(world, "rod", {1, 0.05, 0.05}, {0.5, 0, 0});
  JointOptions hinge = joint("hinge", JointKind::hinge, rod, world_body, {0, 0, 0});
  hinge.damping = 20;
  add_joint(world, hinge);
  JointOptions spring = joint("spring", JointKind::spring, rod, world_body, {0, 0, 0});
  spring.angular = true;
  spring.stiffness = 50;
  add_joint(world, spring);
  Simulation simulation(std::move(world), settings(1e-2));
  for (int step = 0; step < 1000; ++step) simulation.step();
  const double angle = simulation.joint_states()[0].coordinate;
  EXPECT_NEAR(50 * angle, -2.5 * 9.81 * 0.5 * std::cos(angle), 1e-6);
  EXPECT_NEAR(simulation.joint_states()[1].torque.z(), -50 * angle, 1e-6);
}

TEST(Joints, HingeStaysWithinItsRange) {
  World world;
  const int rod = box(world, "rod", {1, 0.05, 0.05}, {0.5, 0, 0});
  JointOptions hinge = joint("hinge", JointKind::hinge, rod, world_body, {0, 0, 0});
  hinge.range = JointRange{-pi / 4, pi / 6};
  add_joint(world, hinge);
  Simulation simulation(std::move(world), settings(1e-2));
  for (int step = 0; step < 300; ++step) {
    simulation.step();
    const JointState state = simulation.joint_states()[0];
    EXPECT_GT(state.coordinate, -pi / 4);
    EXPECT_LT(state.coordinate, pi / 6);
    EXPECT_LT(state.error, 1e-12);
  }
  // It lies on its lower limit, which carries it.
  EXPECT_NEAR(simulation.joint_states()[0].coordinate, -pi / 4, 0.035);
  EXPECT_NEAR(simulation.joint_states()[0].torque.z(), 2.5 * 9.81 * 0.5 * std::cos(pi / 4), 0.4);
}

TEST(Joints, FastHingeDoesNotJumpOverItsRange) {
  World world;
  BodyOptions options = named("rod", {0.5, 0, 0});
  options.angular_velocity = {0, 0, 60};
  options.velocity = {0, 30, 0};
  const int rod = add_affine(world, surface_mesh(BoxShape{{1, 0.05, 0.05}}), {}, options);
  JointOptions hinge = joint("hinge", JointKind::hinge, rod, world_body, {0, 0, 0});
  hinge.range = JointRange{-0.1, 0.2};
  add_joint(world, hinge);
  Settings s = settings(0.05);
  s.gravity.setZero();
  Simulation simulation(std::move(world), s);
  for (int step = 0; step < 20; ++step) {
    simulation.step();
    EXPECT_GT(simulation.joint_states()[0].coordinate, -0.1);
    EXPECT_LT(simulation.joint_states()[0].coordinate, 0.2);
  }
}

TEST(Joints, MotorTurnsAtItsSpeedAndCountsTurns) {
  World world;
  const int rod = box(world, "rod", {1, 0.05, 0.05}, {0, 0, 0});
  const int hinge = add_joint(world, joint("hinge", JointKind::hinge, rod, world_body, {0, 0, 0}));
  JointOptions motor;
  motor.name = "motor";
  motor.kind = JointKind::motor;
  motor.driven_joint = hinge;
  motor.law = MotorLaw::speed;
  motor.value = Table::constant({10, 0, 0});
  add_joint(world, motor);
  Simulation simulation(std::move(world), settings(1e-2));
  int iterations = 0;
  for (int step = 0; step < 200; ++step) iterations += simulation.step().newton_iterations;
  EXPECT_NEAR(simulation.joint_states()[0].coordinate, 20, 0.01);
  EXPECT_LT(iterations, 200 * 6);
}

TEST(Joints, MotorWithALargestTorqueSpeedsUpNoFasterThanThat) {
  World world;
  const int rod = box(world, "rod", {1, 0.05, 0.05}, {0, 0, 0});
  const int hinge = add_joint(world, joint("hinge", JointKind::hinge, rod, world_body, {0, 0, 0}));
  JointOptions motor;
  motor.name = "motor";
  motor.kind = JointKind::motor;
  motor.driven_joint = hinge;
  motor.value = Table::constant({100, 0, 0});
  motor.largest_force = 2;
  add_joint(world, motor);
  Simulation simulation(std::move(world), settings(1e-3));
  for (int step = 0; step < 500; ++step) simulation.step();
  const double inertia = 2.5 * (1 + 0.05 * 0.05) / 12, time = 0.5;
  EXPECT_NEAR(simulation.joint_states()[0].coordinate, 0.5 * 2 / inertia * time * time, 0.02);
}

TEST(Joints, SliderKeepsToItsLineAndItsLimits) {
  for (const Turning turning : {Turning::none, Turning::about_axis, Turning::freely}) {
    World world;
    BodyOptions options = named("body", {0, 0, 0});
    options.angular_velocity = {1, 2, 3};
    const int body = add_affine(world, surface_mesh(BoxShape{{0.4, 0.2, 0.3}}), {}, options);
    const Vector3 axis = Vector3(1, -2, 0.5).normalized();
    JointOptions slider = joint("slider", JointKind::slider, body, world_body, {0, 0, 0}, axis);
    slider.turning = turning;
    slider.range = JointRange{-0.1, 0.5};
    add_joint(world, slider);
    Simulation simulation(std::move(world), settings(1e-2));
    for (int step = 0; step < 100; ++step) {
      simulation.step();
      const JointState state = simulation.joint_states()[0];
      EXPECT_LT(state.error, 1e-12);
      EXPECT_GT(state.coordinate, -0.1);
      EXPECT_LT(state.coordinate, 0.5);
      const Vector3 p = simulation.world().state.position.col(0);
      EXPECT_LT((p - axis * axis.dot(p)).norm(), 1e-12);
      // Free fall along the line until the limit is near.
      if (step == 20 && turning == Turning::none) {
        const double expected = -0.5 * 9.81 * axis.y() * 0.21 * 0.22;
        EXPECT_NEAR(state.coordinate, expected, 1e-6);
      }
    }
  }
}

TEST(Joints, RelativeSliderFollowsItsBody) {
  World world;
  BodyOptions options = named("rail", {0, 0, 0});
  options.angular_velocity = {0, 0, 3};
  const int rail = add_affine(world, surface_mesh(BoxShape{{2, 0.1, 0.1}}), {}, options);
  const int bead = box(world, "bead", {0.1, 0.1, 0.1}, {0.3, 0.5, 0});
  add_joint(world, joint("axle", JointKind::hinge, rail, world_body, {0, 0, 0}));
  JointOptions slider = joint("slider", JointKind::slider, bead, rail, {0.3, 0.5, 0}, Vector3::UnitX());
  slider.range = JointRange{-1.2, 0.6};
  add_joint(world, slider);
  Settings s = settings(5e-3);
  s.gravity.setZero();
  Simulation simulation(std::move(world), s);
  double error = 0, farthest = 0;
  for (int step = 0; step < 200; ++step) {
    simulation.step();
    error = std::max(error, simulation.joint_states()[1].error);
    farthest = std::max(farthest, simulation.joint_states()[1].coordinate);
  }
  EXPECT_LT(error, 1e-4);    // by a stiff spring
  EXPECT_GT(farthest, 0.5);  // thrown outwards
  EXPECT_LT(farthest, 0.6);
}

TEST(Joints, DistanceKeepsItsLengthAndRopeItsLimit) {
  World world;
  const int bob = box(world, "bob", {0.1, 0.1, 0.1}, {1, 0, 0});
  JointOptions rod = joint("rod", JointKind::distance, bob, world_body, {1, 0, 0});
  rod.second_point = Vector3::Zero();
  add_joint(world, rod);
  const int bob2 = box(world, "bob2", {0.1, 0.1, 0.1}, {0.3, 0, 5});
  JointOptions rope = joint("rope", JointKind::distance, bob2, world_body, {0.3, 0, 5});
  rope.second_point = Vector3(0, 0, 5);
  rope.range = JointRange{0, 1};
  add_joint(world, rope);
  Simulation simulation(std::move(world), settings(5e-3));
  double longest = 0;
  for (int step = 0; step < 400; ++step) {
    simulation.step();
    EXPECT_LT(simulation.joint_states()[0].error, 1e-4);
    longest = std::max(longest, simulation.joint_states()[1].coordinate);
  }
  EXPECT_LT(longest, 1);
  EXPECT_GT(longest, 0.9);
}

TEST(Joints, UniversalJointKeepsItsRightAngle) {
  World world;
  const int a = box(world, "a", {1, 0.1, 0.1}, {-0.6, 0, 0});
  const int b = box(world, "b", {1, 0.1, 0.1}, {0.6, 0, 0});
  add_joint(world, joint("axle", JointKind::hinge, a, world_body, {-1.1, 0, 0}, Vector3::UnitX()));
  JointOptions universal = joint("universal", JointKind::universal, a, b, {0, 0, 0}, Vector3::UnitY());
  universal.second_axis = Vector3::UnitZ();
  add_joint(world, universal);
  Simulation simulation(std::move(world), settings(5e-3));
  EXPECT_LT(worst_error(simulation, 200), 1e-4);
}

TEST(Joints, ConeTwistKeepsItsThreeRanges) {
  World world;
  BodyOptions options = named("arm", {0.5, 0, 0});
  options.angular_velocity = {9, 5, -7};
  options.velocity = options.angular_velocity.cross(Vector3(0.5, 0, 0));
  const int arm = add_affine(world, surface_mesh(BoxShape{{0.9, 0.1, 0.1}}), {}, options);
  JointOptions cone = joint("shoulder", JointKind::cone_twist, arm, world_body, {0, 0, 0}, Vector3::UnitX());
  cone.second_axis = Vector3::UnitY();
  cone.twist = JointRange{-0.2, 0.3};
  cone.bend_y = JointRange{-0.5, 0.6};
  cone.bend_z = JointRange{-2, 0.4};
  add_joint(world, cone);
  Simulation simulation(std::move(world), settings(5e-3));
  Vector3 low = Vector3::Zero(), high = Vector3::Zero();
  for (int step = 0; step < 400; ++step) {
    simulation.step();
    const Vector3 now = simulation.world().state.joint_coordinates.head<3>();
    low = low.cwiseMin(now);
    high = high.cwiseMax(now);
    // Independently: the angles of the rotation Rz Ry Rx.
    const Matrix3 R = simulation.world().state.position.middleCols<3>(1);
    EXPECT_NEAR(now[0], std::atan2(R(2, 1), R(2, 2)), 1e-6);
    EXPECT_NEAR(now[1], std::asin(-R(2, 0)), 1e-6);
    EXPECT_NEAR(now[2], std::atan2(R(1, 0), R(0, 0)), 1e-6);
  }
  EXPECT_TRUE((low.array() > Eigen::Array3d(-0.2, -0.5, -2)).all()) << low.transpose();
  EXPECT_TRUE((high.array() < Eigen::Array3d(0.3, 0.6, 0.4)).all()) << high.transpose();
}

/// A planar linkage in x and y: the angle of the rocker of a four-bar linkage with given crank angle.
double rocker_angle(double crank, double a, double b, double c, double d) {
  // Crank a at the origin, rocker c at (d, 0), coupler b: circle intersection with y > 0.
  const Vector2 p(a * std::cos(crank), a * std::sin(crank)), q(d, 0);
  const Vector2 r = q - p;
  const double l = r.norm(), x = (b * b - c * c + l * l) / (2 * l), y = std::sqrt(b * b - x * x);
  const Vector2 n(-r.y() / l, r.x() / l);
  const Vector2 m = p + x / l * r + y * n;
  return std::atan2(m.y(), m.x() - d);
}

TEST(Joints, FourBarLinkageFollowsItsClosedForm) {
  const double a = 0.4, b = 1.1, c = 0.9, d = 1.2;
  const double start = 1.0, rocker = rocker_angle(start, a, b, c, d);
  const Vector3 A(a * std::cos(start), a * std::sin(start), 0),
      B(d + c * std::cos(rocker), c * std::sin(rocker), 0), D(d, 0, 0);
  World world;
  auto bar = [&](const std::string& name, const Vector3& from, const Vector3& to, double z) {
    BodyOptions options = named(name, 0.5 * (from + to) + Vector3(0, 0, z));
    options.pose.rotation =
        Eigen::AngleAxisd(std::atan2(to.y() - from.y(), to.x() - from.x()), Vector3::UnitZ())
            .toRotationMatrix();
    return add_affine(world, surface_mesh(BoxShape{{(to - from).norm(), 0.05, 0.02}}), {}, options);
  };
  const int crank_bar = bar("crank", Vector3::Zero(), A, 0), coupler = bar("coupler", A, B, 0.05),
            rocker_bar = bar("rocker", B, D, 0);
  const int driven =
      add_joint(world, joint("crank", JointKind::hinge, crank_bar, world_body, Vector3::Zero()));
  add_joint(world, joint("a", JointKind::hinge, coupler, crank_bar, A));
  add_joint(world, joint("b", JointKind::hinge, rocker_bar, coupler, B));
  const int out = add_joint(world, joint("rocker", JointKind::hinge, rocker_bar, world_body, D));
  JointOptions motor;
  motor.name = "motor";
  motor.kind = JointKind::motor;
  motor.driven_joint = driven;
  motor.value = Table::constant({4, 0, 0});
  add_joint(world, motor);
  Simulation simulation(std::move(world), settings(5e-3));
  double worst = 0, error = 0;
  int iterations = 0;
  for (int step = 0; step < 400; ++step) {
    iterations += simulation.step().newton_iterations;
    const auto& joints = simulation.joint_states();
    const double expected = rocker_angle(start + joints[driven].coordinate, a, b, c, d) - rocker;
    worst = std::max(worst, std::abs(joints[out].coordinate - expected));
    for (const JointState& state : joints) error = std::max(error, state.error);
  }
  EXPECT_LT(worst, 1e-5);
  EXPECT_LT(error, 1e-12);
  std::printf("four-bar: %g its a step, angle off by %g\n", iterations / 400.0, worst);
}

TEST(Joints, SliderCrankFollowsItsClosedForm) {
  const double r = 0.3, l = 1;
  World world;
  const int crank = box(world, "crank", {r, 0.05, 0.05}, {r / 2, 0, 0});
  const int rod = box(world, "rod", {l, 0.05, 0.05}, {r + l / 2, 0, 0.1});
  const int piston = box(world, "piston", {0.2, 0.2, 0.2}, {r + l, 0, 0});
  const int driven = add_joint(world, joint("axle", JointKind::hinge, crank, world_body, {0, 0, 0}));
  add_joint(world, joint("pin", JointKind::hinge, rod, crank, {r, 0, 0}));
  add_joint(world, joint("wrist", JointKind::hinge, piston, rod, {r + l, 0, 0}));
  const int slide =
      add_joint(world, joint("bore", JointKind::slider, piston, world_body, {r + l, 0, 0}, Vector3::UnitX()));
  JointOptions motor;
  motor.name = "motor";
  motor.kind = JointKind::motor;
  motor.driven_joint = driven;
  motor.value = Table::constant({6, 0, 0});
  add_joint(world, motor);
  Simulation simulation(std::move(world), settings(5e-3));
  double worst = 0;
  for (int step = 0; step < 400; ++step) {
    simulation.step();
    const double t = simulation.joint_states()[driven].coordinate;
    const double x = r * std::cos(t) + std::sqrt(l * l - r * r * std::sin(t) * std::sin(t)) - r - l;
    worst = std::max(worst, std::abs(simulation.joint_states()[slide].coordinate - x));
    for (const JointState& state : simulation.joint_states()) EXPECT_LT(state.error, 1e-12);
  }
  EXPECT_LT(worst, 1e-6);
}

TEST(Joints, LongChainStaysSparseAndTogether) {
  World world;
  int last = world_body;
  const int links = 60;
  for (int k = 0; k < links; ++k) {
    const int link = box(world, fmt::format("link{}", k), {0.09, 0.02, 0.02}, {0.05 + 0.1 * k, 0, 0});
    add_joint(world, joint(fmt::format("j{}", k), JointKind::point, link, last, {0.1 * k, 0, 0}));
    last = link;
  }
  const Elimination elimination = eliminate_joints(world);
  std::size_t longest = 0;
  for (const Follower& f : elimination.followers) longest = std::max(longest, f.on.size());
  EXPECT_LE(longest, 30u);
  Simulation simulation(std::move(world), settings(1e-2));
  double rigidity = 0, error = 0;
  int iterations = 0;
  for (int step = 0; step < 100; ++step) {
    const StepReport report = simulation.step();
    iterations += report.newton_iterations;
    rigidity = std::max(rigidity, report.rigidity_error);
    for (const JointState& state : simulation.joint_states()) error = std::max(error, state.error);
  }
  EXPECT_LT(error, 1e-11);
  EXPECT_LT(rigidity, 1e-4);
  std::printf("chain of %d: %g its a step, rigidity %g, followers on at most %zu\n", links,
              iterations / 100.0, rigidity, longest);
}

TEST(Joints, SoftBodyAttachedToAStiffOneMovesWithIt) {
  World world;
  const int plate = box(world, "plate", {0.4, 0.1, 0.4}, {0, 0.35, 0});
  const int soft = add_deformable(world, solid_mesh(BoxShape{{0.4, 0.5, 0.4}}, 0.2),
                                  {ElasticModel::neo_hookean, 1000, 1e5, 0.4}, named("soft", {0, 0.05, 0}));
  add_joint(world, joint("hinge", JointKind::hinge, plate, world_body, {0, 0.35, 0}));
  JointOptions attach = joint("glue", JointKind::attach, soft, plate, {0, 0, 0});
  attach.selection = SelectHalfSpace{{0, 0.3, 0}, {0, 1, 0}};
  add_joint(world, attach);
  Simulation simulation(std::move(world), settings(1e-2));
  EXPECT_LT(worst_error(simulation, 50), 1e-12);
  // The hinge carries both.
  const double weight = 9.81 * (16 + 80);
  double total = 0;
  for (int step = 0; step < 400; ++step) {
    simulation.step();
    if (step >= 200) total += simulation.joint_states()[0].force.y() / 200;
  }
  EXPECT_NEAR(total, weight, 0.02 * weight);
}

TEST(Joints, BodyFollowsAScriptedOneThroughAJoint) {
  World world;
  const int handle = box(world, "handle", {0.1, 0.1, 0.1}, {0, 0, 0});
  const int rod = box(world, "rod", {0.1, 0.8, 0.1}, {0, -0.5, 0});
  Motion motion;
  motion.linear_velocity = {1, 0, 0};
  motion.angular_velocity = {0, 0, 2};
  hold(world, handle, SelectAll{}, motion);
  add_joint(world, joint("hinge", JointKind::hinge, rod, handle, {0, -0.1, 0}));
  Simulation simulation(std::move(world), settings(1e-2));
  EXPECT_LT(worst_error(simulation, 200), 1e-11);
  EXPECT_NEAR(simulation.world().state.position(0, 0), 2, 1e-9);
  EXPECT_GT(simulation.world().state.position(0, 4), 1.2);
}

TEST(Joints, SameBitsOnAnyNumberOfThreads) {
  auto run = [](int threads) {
    World world;
    int last = world_body;
    for (int k = 0; k < 8; ++k) {
      const int link = box(world, fmt::format("link{}", k), {0.09, 0.02, 0.02}, {0.05 + 0.1 * k, 0, 0});
      JointOptions hinge = joint(fmt::format("j{}", k), JointKind::hinge, link, last, {0.1 * k, 0, 0});
      hinge.range = JointRange{-0.6, 0.5};
      add_joint(world, hinge);
      last = link;
    }
    add_plane(world, {0, -0.3, 0}, {0, 1, 0}, named("ground", {0, 0, 0}));
    Settings s = settings(1e-2);
    s.contact.enabled = true;
    s.contact.friction = 0.3;
    s.solver.threads = threads;
    Simulation simulation(std::move(world), s);
    for (int step = 0; step < 60; ++step) simulation.step();
    return simulation.world().state.position;
  };
  const Vectors one = run(1);
  EXPECT_EQ(one, run(2));
  EXPECT_EQ(one, run(5));
}

TEST(Joints, RedundantEquationsAreDroppedAndContradictionsNamed) {
  World world;
  const int a = box(world, "a", {0.2, 0.2, 0.2}, {0, 0, 0});
  add_joint(world, joint("first", JointKind::weld, a, world_body, {0, 0, 0}));
  add_joint(world, joint("second", JointKind::hinge, a, world_body, {0.1, 0, 0}));
  EXPECT_EQ(eliminate_joints(world).redundant.size(), 6u);
  // A scripted body pulls on what is welded to the world.
  const int b = box(world, "b", {0.2, 0.2, 0.2}, {1, 0, 0});
  Motion motion;
  motion.linear_velocity = {1, 0, 0};
  hold(world, b, SelectAll{}, motion);
  add_joint(world, joint("third", JointKind::point, a, b, {0.5, 0, 0}));
  try {
    eliminate_joints(world);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("third"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("first"), std::string::npos);
  }
}

TEST(Joints, BadOnesAreRefused) {
  World world;
  const int a = box(world, "a", {0.2, 0.2, 0.2}, {0, 0, 0});
  auto message = [&](const JointOptions& options) -> std::string {
    try {
      add_joint(world, options);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message(joint("j", JointKind::point, a, a, {0, 0, 0})).find("to itself"), std::string::npos);
  EXPECT_NE(
      message(joint("j", JointKind::hinge, a, world_body, {0, 0, 0}, Vector3::Zero())).find("no length"),
      std::string::npos);
  JointOptions outside = joint("j", JointKind::hinge, a, world_body, {0, 0, 0});
  outside.range = JointRange{0.1, 0.2};
  EXPECT_NE(message(outside).find("outside its range"), std::string::npos);
  JointOptions empty = outside;
  empty.range = JointRange{0.2, -0.2};
  EXPECT_NE(message(empty).find("empty"), std::string::npos);
  const int rigid = add_rigid(world, surface_mesh(BoxShape{}), {}, named("rigid", {5, 0, 0}));
  EXPECT_NE(message(joint("j", JointKind::point, rigid, a, {5, 0, 0})).find("affine"), std::string::npos);
}

}  // namespace
}  // namespace bulwark
