#include <bulwark/stencils/friction.hpp>

#include <gtest/gtest.h>

#include <random>

namespace bulwark {
namespace {

TEST(FrictionBound, TouchesTheEnergyAndLiesAboveItEverywhere) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  const double eps = 1e-3;
  FrictionPair pair{2.5, {1, -0.2, -0.3, -0.5}, tangent_plane({0.1, 1, -0.4})};
  for (int trial = 0; trial < 2000; ++trial) {
    // From well inside of the static range to far into sliding.
    const double scale = eps * std::pow(10.0, normal(random));
    const Vector2 u(scale * normal(random), scale * normal(random));
    const Vector2 other(scale * normal(random), scale * normal(random));
    const Vector3 step = pair.tangent * (other - u);
    const double model = friction_energy(pair, u, eps) + friction_gradient(pair, u, eps).dot(step) +
                         0.5 * step.dot(friction_bound_hessian(pair, u, eps) * step);
    EXPECT_GE(model, friction_energy(pair, other, eps) * (1 - 1e-12));
  }
}

}  // namespace
}  // namespace bulwark
