#include <bulwark/integrate/free_flight.hpp>
#include <bulwark/math/rotation.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <numbers>
#include <random>

namespace bulwark {
namespace {

/// Second moments J of a body with the given principal moments of inertia: J_1 = (I_2 + I_3 - I_1) / 2, ...
Matrix3 second_moment_of(const Vector3& inertia) {
  return Vector3(Vector3::Constant(0.5 * inertia.sum()) - inertia).asDiagonal();
}

/// I = tr(M) - M with M = A J A^T: apart from the code under test.
Matrix3 inertia_in_space(const Matrix3& a, const Matrix3& second_moment) {
  const Matrix3 m = a * second_moment * a.transpose();
  return m.trace() * Matrix3::Identity() - m;
}

double energy(const Matrix3& a, const Matrix3& second_moment, const Vector3& w) {
  return 0.5 * w.dot(inertia_in_space(a, second_moment) * w);
}

/// Complete elliptic integral of the first kind by the arithmetic-geometric mean.
double quarter_period(double k) {
  double a = 1, b = std::sqrt((1 - k) * (1 + k));
  while (std::abs(a - b) > 1e-15 * a) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return std::numbers::pi / (2 * a);
}

/// Euler's top in closed form for L^2 > 2 E I_2, started at w_2 = 0: quarter period and the angular
/// velocities (in the body) at its end.
struct EulerTop {
  Vector3 inertia;  ///< ascending
  Vector3 start, after_quarter;
  double quarter;
};

EulerTop euler_top(const Vector3& inertia, double w1, double w3) {
  const double i1 = inertia[0], i2 = inertia[1], i3 = inertia[2];
  const double twice_energy = i1 * w1 * w1 + i3 * w3 * w3;
  const double square = i1 * i1 * w1 * w1 + i3 * i3 * w3 * w3;
  EXPECT_GT(square, twice_energy * i2);
  const double rate = std::sqrt((i3 - i2) * (square - twice_energy * i1) / (i1 * i2 * i3));
  const double modulus =
      std::sqrt((i2 - i1) * (twice_energy * i3 - square) / ((i3 - i2) * (square - twice_energy * i1)));
  const double w2 = std::sqrt((twice_energy * i3 - square) / (i2 * (i3 - i2)));
  // sn K = 1, cn K = 0, dn K = k'.
  return {inertia, Vector3(w1, 0, w3), Vector3(0, w2, w3 * std::sqrt(1 - modulus * modulus)),
          quarter_period(modulus) / rate};
}

TEST(FreeFlight, MomentumIsKeptAndTheEnergyDoesNotDrift) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  auto vector = [&] { return Vector3(normal(random), normal(random), normal(random)); };
  double worst_energy = 0, worst_momentum = 0;
  for (int body = 0; body < 4; ++body) {
    const Vector3 j = vector().cwiseAbs() + Vector3::Constant(body < 2 ? 0.1 : 0);
    const Matrix3 frame = rotation_matrix(vector());
    const Matrix3 second_moment = frame * j.asDiagonal() * frame.transpose();
    Matrix3 a = rotation_matrix(vector());
    const Vector3 w = 3 * vector();
    const Vector3 momentum = inertia_in_space(a, second_moment) * w;
    const double start = energy(a, second_moment, w);
    Vector3 carried = momentum;
    for (int step = 0; step < 10000; ++step) {
      const FreeFlight flight = free_flight(a, carried, second_moment, 0.04);
      a = orthonormalized(flight.rotation * a);
      // As a solver would: the momentum goes through the velocity of the orientation.
      carried = angular_momentum(a, cross_matrix(flight.angular_velocity) * a, second_moment);
      worst_momentum = std::max(worst_momentum, (carried - momentum).norm() / momentum.norm());
      worst_energy =
          std::max(worst_energy, std::abs(energy(a, second_moment, flight.angular_velocity) - start) / start);
    }
  }
  std::printf("worst relative error over 10,000 steps: momentum %.1e, energy %.1e\n", worst_momentum,
              worst_energy);
  EXPECT_LT(worst_momentum, 1e-12);
  EXPECT_LT(worst_energy, 1e-8);
}

TEST(FreeFlight, ASymmetricTopPrecessesAsInClosedForm) {
  // Exact in one substep, whichever axis is the special one and however fast.
  for (int special = 0; special < 3; ++special) {
    for (double own : {0.7, 1.9}) {
      Vector3 inertia = Vector3::Ones();
      inertia[special] = own;
      const Vector3 w(0.8, -2, 5);
      const Matrix3 a = rotation_matrix(Vector3(0.3, 1, -0.4));
      const Vector3 momentum = a * inertia.asDiagonal() * (a.transpose() * w);
      const double h = 3;
      const Vector3 axis = Vector3::Unit(special);
      const double spin = momentum.dot(a * axis) * (1 / own - 1);
      const Matrix3 expected =
          rotation_matrix(Vector3(h * momentum)) * a * rotation_matrix(Vector3(h * spin * axis));
      const FreeFlight flight = free_flight(a, momentum, second_moment_of(inertia), h);
      EXPECT_LT((flight.rotation * a - expected).norm(), 1e-13);
    }
  }
}

TEST(FreeFlight, TheTopFollowsTheEllipticFunctions) {
  // From tumbling far from all axes to one flip of the middle axis after another (Dzhanibekov).
  for (double w1 : {1.0, 0.1, 1e-3}) {
    const Vector3 inertia(1, 2, 2.5);
    // The least w3 with L^2 > 2 E I_2, and somewhat more: close to it w_2 is nearly the whole motion.
    const double least =
        std::sqrt(inertia[0] * (inertia[1] - inertia[0]) / (inertia[2] * (inertia[2] - inertia[1])));
    const EulerTop top = euler_top(inertia, w1, w1 * least * 1.01);
    const int steps = 500;
    const double h = top.quarter / steps;
    Matrix3 a = rotation_matrix(Vector3(0.2, -1, 0.5));
    const Vector3 momentum = a * top.inertia.asDiagonal() * top.start;
    const Matrix3 second_moment = second_moment_of(inertia);
    const double scale = top.after_quarter.norm();
    for (int quarter = 1; quarter <= 12; ++quarter) {
      Vector3 w;
      for (int i = 0; i < steps; ++i) {
        const FreeFlight flight = free_flight(a, momentum, second_moment, h);
        a = flight.rotation * a;
        w = a.transpose() * flight.angular_velocity;
      }
      // sn, cn, dn at quarter periods: w_2 rises, w_1 changes its sign, w_2 falls, ...
      Vector3 expected = quarter % 2 == 0 ? top.start : top.after_quarter;
      if (quarter % 4 == 2) expected[0] = -expected[0];
      if (quarter % 4 == 3) expected[1] = -expected[1];
      EXPECT_LT((w - expected).norm(), 2e-8 * scale) << "w1 " << w1 << ", quarter " << quarter;
    }
  }
}

TEST(FreeFlight, TheMiddleAxisFlipsWithTheClosedFormPeriod) {
  const Vector3 inertia(1, 2, 3);
  const EulerTop top = euler_top(inertia, 1e-3, 1e-3 * std::sqrt(1.0 / 3) * 1.5);
  const double h = top.quarter / 400.5;
  Matrix3 a = Matrix3::Identity();
  const Vector3 momentum = inertia.asDiagonal() * top.start;
  const Matrix3 second_moment = second_moment_of(inertia);
  double last = top.start[1], time = 0;
  std::vector<double> flips;
  while (flips.size() < 4) {
    const FreeFlight flight = free_flight(a, momentum, second_moment, h);
    a = flight.rotation * a;
    time += h;
    const double now = (a.transpose() * flight.angular_velocity)[1];
    if (last * now < 0) flips.push_back(time - h * now / (now - last));
    last = now;
  }
  for (int i = 0; i + 1 < 4; ++i) EXPECT_NEAR(flips[i + 1] - flips[i], 2 * top.quarter, 1e-5 * top.quarter);
}

TEST(FreeFlight, ConvergesWithOrderSix) {
  const Vector3 inertia(1, 1.7, 2.3), w(1, 2, -1.5);
  const Matrix3 second_moment = second_moment_of(inertia);
  const Vector3 momentum = inertia.asDiagonal() * w;
  auto orientation = [&](int substeps) {
    return free_flight(Matrix3::Identity(), momentum, second_moment, 4, substeps).rotation;
  };
  const Matrix3 exact = orientation(200);
  const double coarse = (orientation(16) - exact).norm(), fine = (orientation(32) - exact).norm();
  std::printf("error with 16 substeps of 0.25 s: %.2e, with 32: %.2e\n", coarse, fine);
  EXPECT_NEAR(std::log2(coarse / fine), 6, 0.5);
}

TEST(FreeFlight, TheChosenSubstepsAreEnough) {
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  auto vector = [&] { return Vector3(normal(random), normal(random), normal(random)); };
  double worst = 0;
  for (int trial = 0; trial < 300; ++trial) {
    Vector3 j = vector().cwiseAbs();
    if (trial % 3 == 0) j[0] *= 1e-4;
    if (trial % 4 == 0) j[1] *= 1e-2;
    const Matrix3 second_moment = j.asDiagonal();
    const Matrix3 a = rotation_matrix(vector());
    const Vector3 w = std::pow(10.0, trial % 5 - 3) * vector().normalized();
    const Vector3 momentum = inertia_in_space(a, second_moment) * w;
    const Matrix3 chosen = free_flight(a, momentum, second_moment, 1).rotation;
    const Matrix3 fine = free_flight(a, momentum, second_moment, 1, 4000).rotation;
    worst = std::max(worst, (chosen - fine).norm());
  }
  std::printf("largest error of a rotation by up to 10 rad: %.1e\n", worst);
  EXPECT_LT(worst, 1e-7);
}

TEST(FreeFlight, SheetsWiresAndPointsFly) {
  const Matrix3 a = rotation_matrix(Vector3(0.5, -0.2, 1));
  const double h = 0.3;
  // A sheet has inertia about all axes.
  const Matrix3 sheet = Vector3(1, 2, 0).asDiagonal();
  Matrix3 orientation = a;
  Vector3 w(1, 2, 3);
  const Vector3 momentum = inertia_in_space(a, sheet) * w;
  const double start = energy(a, sheet, w);
  for (int i = 0; i < 100; ++i) {
    const FreeFlight flight = free_flight(orientation, momentum, sheet, h);
    orientation = flight.rotation * orientation;
    EXPECT_NEAR(energy(orientation, sheet, flight.angular_velocity), start, 1e-8 * start);
  }
  // A wire turns about its momentum, and has no spin of its own; not even one that rounding suggests.
  Matrix3 wire = Matrix3::Zero();
  wire(0, 0) = 2;
  wire(1, 1) = 1e-17;
  const Vector3 across = a * Vector3(0, 3, 4);
  const FreeFlight flight = free_flight(a, across + a * Vector3(1e-16, 0, 0), wire, h);
  EXPECT_LT((flight.rotation - rotation_matrix(Vector3(h / 2 * across))).norm(), 1e-14);
  EXPECT_LT((flight.angular_velocity - across / 2).norm(), 1e-14);
  // A point does not turn at all.
  const FreeFlight point = free_flight(a, Vector3(1, 2, 3), Matrix3::Zero(), h);
  EXPECT_EQ(point.rotation, Matrix3::Identity());
  EXPECT_EQ(point.angular_velocity, Vector3::Zero());
  // Neither does a body at rest.
  EXPECT_LT((free_flight(a, Vector3::Zero(), sheet, h).rotation - Matrix3::Identity()).norm(), 2e-16 * 10);
}

TEST(FreeFlight, ThinRodsSpinAboutTheirAxis) {
  // Slenderness 1000: the spin's inertia is 1e-6 of the other, and real.
  const Matrix3 rod = Vector3(1, 1e-6, 1e-6).asDiagonal();
  const Vector3 w(50, 0.1, 0.2);
  const FreeFlight flight =
      free_flight(Matrix3::Identity(), inertia_in_space(Matrix3::Identity(), rod) * w, rod, 0.1);
  EXPECT_NEAR(flight.angular_velocity.dot(flight.rotation.col(0)), 50, 50 * 1e-9);
}

TEST(FreeFlight, AnAffineBodyTurnsWithoutChangingItsShape) {
  Matrix3 stretched = rotation_matrix(Vector3(0.1, 0.2, 0.3));
  stretched *= Matrix3(Matrix3::Identity() + 0.01 * Matrix3::Ones());
  const Matrix3 second_moment = Vector3(1, 2, 4).asDiagonal();
  const Vector3 w(2, -1, 3);
  const Vector3 momentum = inertia_in_space(stretched, second_moment) * w;
  const double start = energy(stretched, second_moment, w);
  Matrix3 a = stretched;
  Vector3 last = w;
  for (int i = 0; i < 1000; ++i) {
    const FreeFlight flight = free_flight(a, momentum, second_moment, 0.02);
    a = flight.rotation * a;
    last = flight.angular_velocity;
  }
  EXPECT_LT((a.transpose() * a - stretched.transpose() * stretched).norm(), 1e-12);
  EXPECT_LT((inertia_in_space(a, second_moment) * last - momentum).norm(), 1e-12 * momentum.norm());
  EXPECT_NEAR(energy(a, second_moment, last), start, 1e-8 * start);
}

TEST(FreeFlight, MomentumAndVelocityAreEachOthersInverse) {
  const Matrix3 a = rotation_matrix(Vector3(1, 2, -1)), second_moment = Vector3(1, 0.5, 0.1).asDiagonal();
  const Vector3 w(0.3, -4, 2);
  const Vector3 momentum = angular_momentum(a, cross_matrix(w) * a, second_moment);
  EXPECT_LT((momentum - inertia_in_space(a, second_moment) * w).norm(), 1e-14);
  EXPECT_LT((angular_velocity(a, momentum, second_moment) - w).norm(), 1e-14);
}

TEST(FreeFlight, TimeOfOneFlight) {
  const Matrix3 second_moment = Vector3(1, 2, 4).asDiagonal();
  Matrix3 a = Matrix3::Identity();
  for (double size : {0.01, 1.0, 30.0}) {
    const Vector3 momentum = size * Vector3(6, 5, 3);
    const auto start = std::chrono::steady_clock::now();
    constexpr int count = 2000;
    for (int i = 0; i < count; ++i) a = free_flight(a, momentum, second_moment, 0.1).rotation * a;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::printf("turns of %.2g rad: %.2f us each\n", 0.1 * size, seconds / count * 1e6);
  }
  EXPECT_TRUE(a.allFinite());
}

}  // namespace
}  // namespace bulwark
