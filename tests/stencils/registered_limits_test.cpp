// The other kind of stencil: how much of a step keeps an element's energy finite. Each gives random samples
// of what must stay above a floor along the step; the test follows it up to the limit.
#include "stencils/sampling.hpp"

#include <bulwark/stencils/cubic_limit.hpp>
#include <bulwark/stencils/membrane.hpp>
#include <bulwark/stencils/plane_limit.hpp>
#include <bulwark/stencils/rod_stretch.hpp>

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <ostream>
#include <random>
#include <string>

namespace bulwark::test {
namespace {

struct LimitSample {
  double step = 1;                       ///< what the stencil allows
  double floor = 0;                      ///< of the room
  std::function<double(double t)> room;  ///< along the step
};

struct RegisteredLimit {
  std::string name;
  std::function<LimitSample(std::mt19937&)> sample;
  double waste = 0.5;  ///< a limit below this part of what would be allowed is a poor one

  friend std::ostream& operator<<(std::ostream& out, const RegisteredLimit& limit) {
    return out << limit.name;
  }
};

LimitSample inversion(std::mt19937& random) {
  std::array<Vector3, 4> x = {Vector3::Zero(), Vector3::UnitX(), Vector3::UnitY(), Vector3::UnitZ()}, p;
  for (int i = 0; i < 4; ++i) {
    x[i] += random_vector(random, 0.1);
    p[i] = random_vector(random, 1);
  }
  auto volume = [=](double t) {
    std::array<Vector3, 4> y;
    for (int i = 0; i < 4; ++i) y[i] = x[i] + t * p[i];
    return (y[1] - y[0]).dot((y[2] - y[0]).cross(y[3] - y[0]));
  };
  return {tetrahedron_largest_step(x.data(), p.data(), 0.2, 1), 0.2 * volume(0), volume};
}

LimitSample rod(std::mt19937& random) {
  const Vector3 e = Vector3::UnitX() + random_vector(random, 0.1), d = -2 * e + random_vector(random, 0.5);
  return {rod_largest_step(e, d, 0.2), 0.2 * e.norm(), [=](double t) { return (e + t * d).norm(); }};
}

LimitSample membrane(std::mt19937& random) {
  const std::array<Vector3, 3> X = {Vector3::Zero(), Vector3::UnitX(), Vector3(0.2, 1, 0)};
  const MembraneRest rest = membrane_rest(X.data(), 1e-3);
  std::array<Vector3, 3> x, p;
  for (int i = 0; i < 3; ++i) {
    x[i] = X[i] + random_vector(random, 0.02);
    p[i] = random_vector(random, 0.5);
  }
  const StrainLimit limit = {1.2, 1e5};
  auto room = [=](double t) {
    std::array<Vector3, 3> y;
    for (int i = 0; i < 3; ++i) y[i] = x[i] + t * p[i];
    return limit.stretch - largest_stretch(deformation_gradient(rest, y.data()));
  };
  return {membrane_largest_step(rest, limit, x.data(), p.data()), 0.1 * room(0), room};
}

LimitSample plane(std::mt19937& random) {
  const double gap = between(random, 0.01, 1), way = between(random, -2, 1);
  return {plane_largest_step(gap, way, 0.1 * gap), 0.1 * gap, [=](double t) { return gap + t * way; }};
}

LimitSample turning_plane(std::mt19937& random) {
  const double gap = between(random, 0.01, 1), way = between(random, -1, 1);
  const Vector3 normal = random_vector(random, 1).normalized(), arm = random_vector(random, 1);
  const Vector3 w = random_vector(random, between(random, 0.01, 4));
  auto height = [=](double t) {
    return gap + t * way + normal.dot(arm_displacement(t * w, rodrigues_coefficients(t * w.norm()), arm));
  };
  return {turning_plane_largest_step(gap, way, normal, arm, w, 0.1 * gap), 0.1 * gap, height};
}

std::string limit_name(const testing::TestParamInfo<RegisteredLimit>& info) {
  return info.param.name;
}

class Limits : public testing::TestWithParam<RegisteredLimit> {};

TEST_P(Limits, KeepTheRoomAlongTheStepAndAreNotWasteful) {
  std::mt19937 random(5);
  int limited = 0;
  double used = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const LimitSample s = GetParam().sample(random);
    ASSERT_TRUE(s.step >= 0 && s.step <= 1) << trial;
    constexpr int looks = 200;
    for (int k = 0; k <= looks; ++k)
      EXPECT_GE(s.room(s.step * k / looks), s.floor - 1e-12) << trial << " at " << k;
    if (s.step >= 1) continue;
    ++limited;
    double reached = 1;
    for (int k = 0; k <= looks && reached >= 1; ++k) {
      if (s.room(static_cast<double>(k) / looks) < s.floor) reached = static_cast<double>(k) / looks;
    }
    used += s.step / reached;
  }
  EXPECT_GT(limited, 50);
  EXPECT_GT(used / limited, GetParam().waste);
}

INSTANTIATE_TEST_SUITE_P(Stencils, Limits,
                         testing::Values(RegisteredLimit{"TetrahedronInversion", inversion},
                                         RegisteredLimit{"RodLength", rod},
                                         RegisteredLimit{"MembraneStretch", membrane},
                                         RegisteredLimit{"Plane", plane},
                                         RegisteredLimit{"PlaneWhileTurning", turning_plane, 0.3}),
                         limit_name);

}  // namespace
}  // namespace bulwark::test
