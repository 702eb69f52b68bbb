#include "collision/interval.hpp"

#include <bulwark/collision/body_path.hpp>

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace bulwark {
namespace {

using Real = long double;
using Point = Eigen::Matrix<Real, 3, 1>;
using Intervals = std::array<Interval, 3>;

Point exact_position(const BodyPath& path, const Vector3& x, Real t) {
  const Point w = path.rotation.cast<Real>(), arm = x.cast<Real>() - path.center.cast<Real>();
  const Point moved = path.center.cast<Real>() + t * path.displacement.cast<Real>();
  const Real angle = w.norm();
  if (angle == 0) return moved + arm;
  const Point axis = w / angle;
  return moved + std::cos(t * angle) * arm + std::sin(t * angle) * axis.cross(arm) +
         (1 - std::cos(t * angle)) * axis.dot(arm) * axis;
}

struct Sample {
  BodyPath path;
  Vector3 x;
};

Sample random_sample(std::mt19937& random, double largest_angle) {
  std::normal_distribution<double> normal;
  auto vector = [&](double size) -> Vector3 {
    return size * Vector3(normal(random), normal(random), normal(random));
  };
  const double angle = largest_angle * std::pow(10.0, -std::uniform_real_distribution<>(0, 3)(random));
  return {{vector(2), vector(1), angle * vector(1).normalized()}, vector(2)};
}

/// The bound of the distance from the chord on an interval of length h.
double chord_bound(const Sample& s, double h) {
  return h * h / 8 * s.path.rotation.norm() * s.path.rotation.cross(s.x - s.path.center).norm();
}

/// x(t) on an interval of times, by Rodrigues' formula with intervals for all that depends on time.
Intervals interval_position(const Sample& s, const Interval& t) {
  const Vector3 &w = s.path.rotation, &c = s.path.center;
  const Interval angle = root(square(w[0]) + square(w[1]) + square(w[2])) * t;
  const Interval a = sinc(angle) * t, b = Interval(0.5) * square(sinc(Interval(0.5) * angle)) * square(t);
  Intervals arm, first, second, x;
  for (int i = 0; i < 3; ++i) arm[i] = Interval(s.x[i]) - c[i];
  auto cross = [&](const Intervals& v, Intervals& result) {
    for (int i = 0; i < 3; ++i) {
      result[i] = Interval(w[(i + 1) % 3]) * v[(i + 2) % 3] - Interval(w[(i + 2) % 3]) * v[(i + 1) % 3];
    }
  };
  cross(arm, first);
  cross(first, second);
  for (int i = 0; i < 3; ++i) {
    x[i] = Interval(s.x[i]) + t * s.path.displacement[i] + a * first[i] + b * second[i];
  }
  return x;
}

/// Distance between the path and its chord over [t0, t1], for the part [from, to] of it.
Interval interval_error(const Sample& s, double t0, double t1, double from, double to) {
  const Intervals start = interval_position(s, t0), end = interval_position(s, t1),
                  x = interval_position(s, Interval(from, to));
  const Interval weight = (Interval(from, to) - t0) * widened(1 / (t1 - t0), 1 / (t1 - t0));
  Interval sum = 0;
  for (int i = 0; i < 3; ++i) sum = sum + square(x[i] - start[i] - weight * (end[i] - start[i]));
  return root(sum);
}

TEST(Interval, OperationsEncloseTheirResults) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-9, 9), inside(0, 1);
  for (int trial = 0; trial < 20000; ++trial) {
    const double ends[4] = {uniform(random), uniform(random), uniform(random), uniform(random)};
    const Interval a(std::min(ends[0], ends[1]), std::max(ends[0], ends[1])),
        b(std::min(ends[2], ends[3]), std::max(ends[2], ends[3]));
    const Real x = a.lower + Real(inside(random)) * (Real(a.upper) - a.lower),
               y = b.lower + Real(inside(random)) * (Real(b.upper) - b.lower);
    auto expect_in = [](Real value, const Interval& interval) {
      EXPECT_GE(value, interval.lower);
      EXPECT_LE(value, interval.upper);
    };
    expect_in(x + y, a + b);
    expect_in(x - y, a - b);
    expect_in(x * y, a * b);
    expect_in(x * x, square(a));
    expect_in(std::abs(x), root(square(a)));
    expect_in(x == 0 ? 1 : std::sin(x) / x, sinc(a));
  }
}

TEST(BodyPath, PositionsAreAsPreciseAsTheStep) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 20000; ++trial) {
    Sample s = random_sample(random, trial % 3 == 0 ? 30 : 1);
    if (trial % 4 == 0) s.path.rotation *= 1e-9;
    const double t = std::uniform_real_distribution<>(0, 1)(random);
    const Real error = (path_position(s.path, s.x, t).cast<Real>() - exact_position(s.path, s.x, t)).norm();
    const double bound = 32 * t * s.path.rotation.norm() * (s.x - s.path.center).norm() +
                         2 * (s.x.norm() + s.path.displacement.norm());
    EXPECT_LE(error, bound * DBL_EPSILON);
  }
}

TEST(BodyPath, TheChordBoundHoldsAndIsReached) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 2000; ++trial) {
    const Sample s = random_sample(random, trial % 2 == 0 ? 20 : 0.5);
    const double t0 = std::uniform_real_distribution<>(0, 0.5)(random), h = 0.5;
    const Point start = exact_position(s.path, s.x, t0), end = exact_position(s.path, s.x, t0 + h);
    Real most = 0;
    for (int i = 1; i < 100; ++i) {
      const Real part = i / 100.0L;
      most =
          std::max(most, (exact_position(s.path, s.x, t0 + part * h) - start - part * (end - start)).norm());
    }
    const double bound = chord_bound(s, h);
    EXPECT_LE(most, bound * (1 + 1e-12) + 1e-17);
    if (h * s.path.rotation.norm() < 0.25) {
      EXPECT_GE(most, 0.99 * bound);
    }
  }
}

TEST(BodyPath, IntervalsCertifyTheChordBoundAndGiveNoBetterOne) {
  std::mt19937 random(4);
  double best_ratio = 1e300;
  for (int trial = 0; trial < 40; ++trial) {
    Sample s = random_sample(random, 1);
    s.path.rotation *= std::uniform_real_distribution<>(0.6, 5.9)(random) / s.path.rotation.norm();
    const double t0 = 0.25, t1 = 0.75;
    const double bound = chord_bound(s, t1 - t0);
    // At one go, as a linearisation error bounded by interval arithmetic.
    const double at_once = interval_error(s, t0, t1, t0, t1).upper;
    best_ratio = std::min(best_ratio, at_once / bound);
    EXPECT_GE(at_once, bound);
    // In many parts, as a proof.
    constexpr int parts = 4000;
    double certified = 0;
    for (int i = 0; i < parts; ++i) {
      const double from = t0 + (t1 - t0) * i / parts, to = t0 + (t1 - t0) * (i + 1) / parts;
      certified = std::max(certified, interval_error(s, t0, t1, from, to).upper);
    }
    EXPECT_LE(certified, 1.03 * bound);
  }
  std::printf("the interval bound is at least %.1f times the closed one\n", best_ratio);
}

TEST(BodyPath, TheGrownBoxOfTheEndsHoldsThePath) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 3000; ++trial) {
    const Sample s = random_sample(random, trial % 2 == 0 ? 40 : 2);
    const Vector3 end = path_position(s.path, s.x, 1), bulge = path_bulge(s.path, s.x);
    const Vector3 lower = s.x.cwiseMin(end) - bulge, upper = s.x.cwiseMax(end) + bulge;
    for (int i = 0; i <= 200; ++i) {
      const Point x = exact_position(s.path, s.x, i / 200.0L);
      for (int c = 0; c < 3; ++c) {
        ASSERT_GE(x[c], lower[c]) << trial;
        ASSERT_LE(x[c], upper[c]) << trial;
      }
    }
  }
}

TEST(BodyPath, WithoutRotationTheBoxIsThatOfTheEnds) {
  const BodyPath path = {Vector3(1, 2, 3), Vector3(1, 1, 1), Vector3::Zero()};
  EXPECT_LT(path_bulge(path, Vector3(4, 5, 6)).maxCoeff(), 1e-13);
  // Nor does the box grow along the axis.
  const BodyPath about_z = {Vector3(1, 2, 3), Vector3(1, 1, 1), Vector3(0, 0, 1)};
  EXPECT_LT(path_bulge(about_z, Vector3(4, 5, 6))[2], 1e-13);
}

}  // namespace
}  // namespace bulwark
