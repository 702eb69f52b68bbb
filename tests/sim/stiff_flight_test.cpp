// Stiff bodies in free flight and under loads, against closed forms.
#include <bulwark/geometry/mass_moments.hpp>
#include <bulwark/math/rotation.hpp>
#include <sim/stiff_scene.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace bulwark {
namespace {

using test::add_stiff;
using test::at;
using test::name_of;
using test::spin_momentum;
using test::stiff_body;
using test::stiff_kinds;
using test::WatchedRun;

Settings weightless(double h) {
  Settings settings;
  settings.gravity.setZero();
  settings.time.step = h;
  return settings;
}

/// A box that spins freely; sides decide the inertia.
World spinning_box(BodyKind kind, const Vector3& sides, const Vector3& spin,
                   const Vector3& velocity = Vector3::Zero()) {
  World world;
  BodyOptions options = at("box", {0.3, -0.2, 0.5});
  options.velocity = velocity;
  options.angular_velocity = spin;
  add_stiff(world, kind, surface_mesh(BoxShape{sides}), {}, options);
  return world;
}

Vector3 box_inertia(const Vector3& sides, double density = 1000) {
  const Vector3 s = sides.cwiseAbs2();
  return density * sides.prod() / 12 * Vector3(s[1] + s[2], s[2] + s[0], s[0] + s[1]);
}

double kinetic_energy(const World& world, int body) {
  const StiffBody& stiff = stiff_body(world, body);
  const RigidMotion motion = rigid_motion(world, body);
  return 0.5 * stiff.mass * motion.velocity.squaredNorm() +
         0.5 * motion.angular_velocity.dot(spin_momentum(world, body));
}

TEST(StiffFreeFall, IsThatOfImplicitEuler) {
  for (const BodyKind kind : stiff_kinds) {
    World world = spinning_box(kind, {1, 0.5, 0.3}, {3, 2, -4});
    Settings settings;
    WatchedRun run(std::move(world), settings);
    const int n = 50;
    run.steps(n);
    EXPECT_NEAR(run.motion(0).center.y(), -0.2 - 9.81 * 0.01 * 0.01 * n * (n + 1) / 2, 1e-12)
        << name_of(kind);
    EXPECT_NEAR(run.motion(0).velocity.y(), -9.81 * n * 0.01, 1e-12) << name_of(kind);
  }
}

TEST(StiffFreeFlight, KeepsLinearAndAngularMomentumAndEnergyOverAThousandSteps) {
  for (const BodyKind kind : stiff_kinds) {
    WatchedRun run(spinning_box(kind, {1, 0.5, 0.3}, {7, 11, -5}, {1, 2, 3}), weightless(0.01));
    const RigidMotion start = run.motion(0);
    const Vector3 momentum = spin_momentum(run.world(), 0);
    const double energy = kinetic_energy(run.world(), 0);
    double linear_error = 0, angular_error = 0, energy_error = 0;
    for (int i = 1; i <= 1000; ++i) {
      run.step();
      linear_error =
          std::max(linear_error, (run.motion(0).velocity - start.velocity).norm() / start.velocity.norm());
      angular_error =
          std::max(angular_error, (spin_momentum(run.world(), 0) - momentum).norm() / momentum.norm());
      energy_error = std::max(energy_error, std::abs(kinetic_energy(run.world(), 0) / energy - 1));
      EXPECT_LT((run.motion(0).center - start.center - 0.01 * i * start.velocity).norm(), 1e-10);
    }
    EXPECT_LT(linear_error, 1e-10) << name_of(kind);
    EXPECT_LT(angular_error, 1e-10) << name_of(kind);
    EXPECT_LT(energy_error, 1e-7) << name_of(kind);
  }
}

TEST(StiffFreeFlight, ASymmetricTopPrecessesAsInClosedForm) {
  // Inertia (I, J, I): R(t) = exp(t [L / I]) exp(t (1/J - 1/I) L_y [y]), the second turn about the body's own
  // axis.
  const Vector3 sides(0.4, 1, 0.4), spin(2, 9, -1);
  const Vector3 inertia = box_inertia(sides);
  for (const BodyKind kind : stiff_kinds) {
    WatchedRun run(spinning_box(kind, sides, spin), weightless(0.02));
    const Vector3 momentum = inertia.cwiseProduct(spin);
    double worst = 0;
    for (int i = 1; i <= 500; ++i) {
      run.step();
      const double t = 0.02 * i;
      const Vector3 own = t * (1 / inertia[1] - 1 / inertia[0]) * momentum[1] * Vector3::UnitY();
      const Matrix3 expected = rotation_matrix(Vector3(t / inertia[0] * momentum)) * rotation_matrix(own);
      worst = std::max(worst, (run.motion(0).rotation - expected).norm());
    }
    // 10 s, some 15 turns.
    EXPECT_LT(worst, 1e-9) << name_of(kind);
  }
}

/// Complete elliptic integral of the first kind by the arithmetic-geometric mean.
double quarter_period(double modulus) {
  double a = 1, b = std::sqrt((1 - modulus) * (1 + modulus));
  while (std::abs(a - b) > 1e-15 * a) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return std::numbers::pi / (2 * a);
}

/// The period of the angular velocities of an asymmetric top in its own frame, for ascending inertia:
/// 4 K(k) / rate (Landau and Lifshitz, Mechanics, section 37).
double tumbling_period(const Vector3& inertia, const Vector3& spin) {
  const double twice_energy = inertia.dot(spin.cwiseAbs2());
  const double square = inertia.cwiseProduct(spin).squaredNorm();
  double i1 = inertia[0], i3 = inertia[2];
  const double i2 = inertia[1];
  if (square < twice_energy * i2) std::swap(i1, i3);
  const double rate = std::sqrt((i3 - i2) * (square - twice_energy * i1) / (i1 * i2 * i3));
  const double modulus =
      std::sqrt((i2 - i1) * (twice_energy * i3 - square) / ((i3 - i2) * (square - twice_energy * i1)));
  return 4 * quarter_period(modulus) / rate;
}

TEST(StiffFreeFlight, AnAsymmetricTopReturnsToItsAngularVelocityAfterThePeriodInClosedForm) {
  const Vector3 sides(1, 0.6, 0.3), spin(2, 3, 5);  // inertia ascends from x to z
  const Vector3 inertia = box_inertia(sides);
  ASSERT_LT(inertia[0], inertia[1]);
  ASSERT_LT(inertia[1], inertia[2]);
  const double period = tumbling_period(inertia, spin);
  const int steps = 200;
  for (const BodyKind kind : stiff_kinds) {
    WatchedRun run(spinning_box(kind, sides, spin), weightless(period / steps));
    double furthest = 0;
    for (int i = 0; i < 3 * steps; ++i) {
      run.step();
      const RigidMotion motion = run.motion(0);
      const Vector3 in_body = motion.rotation.transpose() * motion.angular_velocity;
      furthest = std::max(furthest, (in_body - spin).norm());
      if ((i + 1) % steps == 0) {
        EXPECT_LT((in_body - spin).norm(), 1e-5) << name_of(kind);
      }
    }
    EXPECT_GT(furthest, 1);
  }
}

TEST(StiffFreeFlight, DzhanibekovsNutFlipsAtItsPeriod) {
  // Spin about the middle axis, hardly disturbed: it turns over every half period.
  const Vector3 sides(1, 0.6, 0.3), spin(1e-3, 8, 1e-3);
  const double half_period = 0.5 * tumbling_period(box_inertia(sides), spin);
  const double h = 0.01;
  ASSERT_GT(half_period, 1);
  for (const BodyKind kind : stiff_kinds) {
    WatchedRun run(spinning_box(kind, sides, spin), weightless(h));
    std::vector<double> flips;
    double last = spin[1], deepest = 0;
    for (int i = 1; flips.size() < 4 && i < 2000; ++i) {
      run.step();
      const RigidMotion motion = run.motion(0);
      const double own = motion.rotation.col(1).dot(motion.angular_velocity);
      if (own * last < 0) flips.push_back(h * (i - own / (own - last)));
      last = own;
      deepest = std::min(deepest, own);
    }
    ASSERT_EQ(flips.size(), 4u) << name_of(kind);
    EXPECT_LT(deepest, -7.99) << "it turns over whole";
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(flips[i + 1] - flips[i], half_period, 2e-3 * half_period) << name_of(kind) << " " << i;
    }
  }
}

TEST(StiffFreeFlight, SheetsWiresAndPointsFlyToo) {
  const StiffMaterial material = {1000, 1e11, 0.01};
  const std::vector<SurfaceMesh> bodies = {surface_mesh(GridShape{{1, 0.5}, {2, 1}}),
                                           surface_mesh(LineShape{{0, 0, 0}, {1, 0, 0}, 3}),
                                           surface_mesh(PointsShape{{{0, 0, 0}, {0.5, 0, 0}, {0, 0.3, 0}}}),
                                           surface_mesh(PointsShape{{{0, 0, 0}}})};
  for (const BodyKind kind : stiff_kinds) {
    World world;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      BodyOptions options = at("body " + std::to_string(b), {3.0 * static_cast<double>(b), 0, 0});
      options.angular_velocity = {1, 2, 3};
      add_stiff(world, kind, bodies[b], material, options);
    }
    WatchedRun run(std::move(world), weightless(0.01));
    std::vector<Vector3> start;
    for (int b = 0; b < 4; ++b) start.push_back(spin_momentum(run.world(), b));
    run.steps(200);
    for (int b = 0; b < 4; ++b) {
      EXPECT_LT((spin_momentum(run.world(), b) - start[b]).norm(), 1e-10 * start[b].norm())
          << name_of(kind) << " " << b;
    }
  }
}

/// Largest errors of momentum, energy and orientation of an affine body that spins for a second at 5 rad/s,
/// under an integrator that does not follow rotations.
struct FlightErrors {
  double momentum = 0, energy = 0, angle = 0, rigidity = 0;
};

FlightErrors flight_errors(const std::string& integrator, double h) {
  Settings settings = weightless(h);
  settings.time.integrator = integrator;
  settings.solver.tolerance = 1e-6;
  const Vector3 sides(1, 0.6, 0.3), spin(0, 5, 0);
  Simulation simulation(spinning_box(BodyKind::affine, sides, spin), settings);
  const Vector3 momentum = spin_momentum(simulation.world(), 0);
  const double energy = kinetic_energy(simulation.world(), 0);
  FlightErrors errors;
  const int steps = static_cast<int>(std::lround(1 / h));
  for (int i = 0; i < steps; ++i) {
    const StepReport report = simulation.step();
    errors.rigidity = std::max(errors.rigidity, report.rigidity_error);
    errors.momentum =
        std::max(errors.momentum, (spin_momentum(simulation.world(), 0) - momentum).norm() / momentum.norm());
    errors.energy = std::max(errors.energy, std::abs(kinetic_energy(simulation.world(), 0) / energy - 1));
  }
  const Matrix3 expected = rotation_matrix(spin);
  errors.angle = rotation_vector(rigid_motion(simulation.world(), 0).rotation * expected.transpose()).norm();
  return errors;
}

TEST(StiffFreeFlight, AllIntegratorsHaveTheSpinToRounding) {
  for (const std::string integrator : {"implicit-euler", "bdf2", "newmark"}) {
    const FlightErrors errors = flight_errors(integrator, 0.01);
    EXPECT_LT(errors.momentum, 1e-12) << integrator;
    EXPECT_LT(errors.energy, 1e-11) << integrator;
    EXPECT_LT(errors.angle, 1e-9) << integrator;
  }
}

/// Angular velocity after half a second of a box that tumbles while forces at one of its ends pull along z.
Vector3 pulled_tumble(BodyKind kind, const std::string& integrator, int steps) {
  World world = spinning_box(kind, {1, 0.6, 0.3}, {3, 5, 2});
  add_force(world, 0, SelectHalfSpace{{0.4, 0, 0}, {1, 0, 0}}, Table::constant({0, 0, 2000}));
  Settings settings = weightless(0.5 / steps);
  settings.time.integrator = integrator;
  settings.solver.tolerance = 1e-6;
  Simulation simulation(std::move(world), settings);
  for (int i = 0; i < steps; ++i) simulation.step();
  return rigid_motion(simulation.world(), 0).angular_velocity;
}

TEST(StiffLoads, TheSpinOfAPulledBodyConvergesWithTheIntegratorsOrder) {
  const Vector3 exact = pulled_tumble(BodyKind::rigid, "bdf2", 3200);
  for (const BodyKind kind : stiff_kinds) {
    auto order = [&](const std::string& integrator) {
      return std::log2((pulled_tumble(kind, integrator, 50) - exact).norm() /
                       (pulled_tumble(kind, integrator, 100) - exact).norm());
    };
    EXPECT_NEAR(order("bdf2"), 2, 0.25) << name_of(kind);
    EXPECT_NEAR(order("newmark"), 2, 0.25) << name_of(kind);
    EXPECT_NEAR(order("implicit-euler"), 1, 0.25) << name_of(kind);
    EXPECT_LT((pulled_tumble(kind, "bdf2", 100) - exact).norm(),
              0.1 * (pulled_tumble(kind, "implicit-euler", 100) - exact).norm());
  }
}

TEST(StiffLoads, ATorqueOnAHeldAxisTurnsTheBodyByHalfTauOverITimesTheSquareOfTime) {
  const double torque = 700, h = 0.01;
  const int steps = 100;
  for (const BodyKind kind : stiff_kinds) {
    for (int axis = 0; axis < 3; ++axis) {
      World world = spinning_box(kind, {1, 0.6, 0.3}, Vector3::Zero());
      std::array<bool, 3> held = {true, true, true};
      held[axis] = false;
      hold_axes(world, 0, {true, true, true}, held);
      add_torque(world, 0, Table::constant(torque * Vector3::Unit(axis)));
      const Vector3 center = world.rest.col(0);
      const double acceleration = torque / box_inertia({1, 0.6, 0.3})[axis];
      Settings settings;  // with gravity, which the held center carries
      settings.time.step = h;
      settings.solver.tolerance = 1e-6;
      WatchedRun run(std::move(world), settings);
      double angle = 0, last = 0;
      for (int i = 0; i < steps; ++i) {
        run.step();
        // About one axis alone, so that angles add up.
        const Vector3 turn = rotation_vector(run.motion(0).rotation);
        double now = turn[axis];
        EXPECT_NEAR(turn.norm(), std::abs(now), 1e-12);
        while (now < last - std::numbers::pi) now += 2 * std::numbers::pi;
        angle += now - last;
        last = turn[axis];
        EXPECT_EQ(run.motion(0).center, center);
      }
      // Of implicit Euler: h^2 n (n + 1) / 2 for t^2 / 2. A step turns the body by d = h^2 tau / I more than
      // its free flight, and the torque of fixed forces on it is off by the cosine of that.
      const double expected = acceleration * h * h * steps * (steps + 1) / 2;
      const double d = h * h * acceleration, relative = 0.6 * d * d + 1e-7;
      EXPECT_NEAR(angle, expected, relative * expected) << name_of(kind) << " axis " << axis;
      EXPECT_NEAR(run.motion(0).angular_velocity[axis], acceleration * steps * h,
                  relative * acceleration * steps * h);
    }
  }
}

TEST(StiffLoads, ATorqueOnAFreeBodyChangesItsMomentumByThatMuch) {
  for (const BodyKind kind : stiff_kinds) {
    World world = spinning_box(kind, {1, 0.6, 0.3}, {2, -3, 1});
    const Vector3 torque(30, -50, 80);
    add_torque(world, 0, Table::constant(torque));
    Settings settings = weightless(0.01);
    settings.solver.tolerance = 1e-6;
    WatchedRun run(std::move(world), settings);
    const Vector3 start = spin_momentum(run.world(), 0);
    run.steps(100);
    EXPECT_LT((spin_momentum(run.world(), 0) - start - torque).norm(), 1e-4 * torque.norm()) << name_of(kind);
  }
}

TEST(StiffLoads, AForceOffTheCenterMovesAndTurns) {
  // On the corner at +++ of the box: p'' = f / m, w' = I^-1 (r x f).
  const Vector3 sides(1, 0.6, 0.3), force(5, 70, -30);
  for (const BodyKind kind : stiff_kinds) {
    World world = spinning_box(kind, sides, Vector3::Zero());
    const Vector3 corner = Vector3(world.rest.col(0)) + 0.5 * sides;
    ASSERT_EQ(add_force(world, 0, SelectSphere{corner, 0.01}, Table::constant(force)), 1);
    Settings settings = weightless(1e-3);
    settings.solver.tolerance = 1e-8;
    WatchedRun run(std::move(world), settings);
    run.steps(10);
    const RigidMotion motion = run.motion(0);
    const double mass = 1000 * sides.prod(), t = 0.01;
    const Vector3 spin = t * (0.5 * sides).cross(force).cwiseQuotient(box_inertia(sides));
    EXPECT_LT((motion.velocity - t / mass * force).norm(), 1e-9 * force.norm()) << name_of(kind);
    EXPECT_LT((motion.angular_velocity - spin).norm(), 1e-3 * spin.norm()) << name_of(kind);
  }
}

TEST(StiffLoads, AForceOnTheWholeBodyDoesNotTurnIt) {
  for (const BodyKind kind : stiff_kinds) {
    World world = spinning_box(kind, {1, 0.6, 0.3}, Vector3::Zero());
    add_force(world, 0, SelectAll{}, Table::constant({10, 20, 30}));
    WatchedRun run(std::move(world), weightless(0.01));
    run.steps(10);
    EXPECT_LT(run.motion(0).angular_velocity.norm(), 1e-12);
    EXPECT_LT((run.motion(0).velocity - 0.1 / 180 * Vector3(10, 20, 30)).norm(), 1e-12);
  }
}

TEST(StiffHeld, AxesThatAreHeldStayExactly) {
  for (const BodyKind kind : stiff_kinds) {
    World world = spinning_box(kind, {1, 0.6, 0.3}, {4, 5, 6}, {1, 2, 3});
    hold_axes(world, 0, {false, true, true}, {true, true, false});
    const Vector3 start = world.rest.col(0);
    WatchedRun run(std::move(world), {});
    for (int i = 1; i <= 300; ++i) {
      run.step();
      const Vectors& q = run.world().state.position;
      ASSERT_EQ(q(1, 0), start[1]);
      ASSERT_EQ(q(2, 0), start[2]);
      ASSERT_EQ(q.col(3), Vector3::UnitZ());
      ASSERT_EQ(q(2, 1), 0);
      ASSERT_EQ(q(2, 2), 0);
      ASSERT_NEAR(q(0, 0), start[0] + 0.01 * i, 1e-12);
    }
    // Its spin about z goes on at the same rate.
    EXPECT_NEAR(run.motion(0).angular_velocity.z(), 6, 1e-10) << name_of(kind);
    const Vector3 turn = rotation_vector(run.motion(0).rotation);
    EXPECT_NEAR(std::remainder(turn.z() - 18, 2 * std::numbers::pi), 0, 1e-9) << name_of(kind);
  }
}

TEST(StiffHeld, ABodyThatMayNotTurnAboutOneAxisKeepsItsMomentumAboutTheOthers) {
  World world = spinning_box(BodyKind::rigid, {1, 0.6, 0.3}, {4, 5, 6});
  hold_axes(world, 0, {false, false, false}, {false, true, false});
  WatchedRun run(std::move(world), weightless(0.002));
  const Vector3 start = spin_momentum(run.world(), 0);
  for (int i = 0; i < 500; ++i) {
    run.step();
    ASSERT_NEAR(run.motion(0).angular_velocity.y(), 0, 1e-10);
  }
  const Vector3 end = spin_momentum(run.world(), 0);
  EXPECT_NEAR(end.x(), start.x(), 1e-10 * start.norm());
  EXPECT_NEAR(end.z(), start.z(), 1e-10 * start.norm());
}

TEST(StiffScripts, AHeldBodyFollowsItsMotion) {
  for (const BodyKind kind : stiff_kinds) {
    World world = spinning_box(kind, {1, 0.6, 0.3}, {9, 9, 9}, {9, 9, 9});
    const Vector3 start = world.rest.col(0);
    Motion motion;
    motion.linear_velocity = {0.5, 0, -1};
    motion.angular_velocity = {0, 2, 1};
    motion.pivot = {1, 0, 0};
    hold(world, 0, SelectAll{}, motion);
    WatchedRun run(std::move(world), {});
    for (int i = 1; i <= 150; ++i) {
      run.step();
      const double t = 0.01 * i;
      const Matrix3 turn = rotation_matrix(Vector3(t * motion.angular_velocity));
      EXPECT_LT((run.motion(0).rotation - turn).norm(), 1e-12);
      EXPECT_LT((run.motion(0).center - motion.at(t, start)).norm(), 1e-12);
      // The velocity that contacts and files see.
      EXPECT_LT((run.motion(0).angular_velocity - motion.angular_velocity).norm(), 2e-2) << i;
    }
  }
}

TEST(StiffScripts, ABodyCannotBeHeldTwice) {
  World world = spinning_box(BodyKind::affine, {1, 1, 1}, Vector3::Zero());
  hold(world, 0, SelectAll{});
  EXPECT_THROW(hold(world, 0, SelectAll{}), std::exception);
}

}  // namespace
}  // namespace bulwark
