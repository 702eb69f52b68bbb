#include <bulwark/base/error.hpp>
#include <bulwark/integrate/integrator.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace bulwark {
namespace {

/// A harmonic oscillator x'' = -x from x = 1, v = 0: error of the position at t = 1 with n steps.
double oscillator_error(const std::string& name, int n) {
  const auto integrator = make_integrator(name);
  const double h = 1.0 / n;
  State state;
  state.position = Vectors::Ones(3, 1);
  state.velocity = Vectors::Zero(3, 1);
  state.acceleration = -Vectors::Ones(3, 1);
  for (int i = 0; i < n; ++i) {
    const Prediction prediction = integrator->predict(state, h);
    // argmin 1/2 (x - target)^2 + beta h^2 x^2/2
    integrator->advance(state, prediction.target / (1 + prediction.beta * h * h), h);
  }
  return std::abs(state.position(0, 0) - std::cos(1.0));
}

TEST(Integrators, ConvergeWithTheirOrder) {
  auto order = [](const std::string& name) {
    return std::log2(oscillator_error(name, 200) / oscillator_error(name, 400));
  };
  EXPECT_NEAR(order("implicit-euler"), 1, 0.05);
  EXPECT_NEAR(order("bdf2"), 2, 0.1);
  EXPECT_NEAR(order("newmark"), 2, 0.05);
}

TEST(Integrators, NewmarkKeepsTheEnergyOfAnOscillator) {
  const auto integrator = make_integrator("newmark");
  State state;
  state.position = Vectors::Ones(3, 1);
  state.velocity = Vectors::Zero(3, 1);
  state.acceleration = -Vectors::Ones(3, 1);
  for (int i = 0; i < 1000; ++i) {
    const Prediction prediction = integrator->predict(state, 0.1);
    integrator->advance(state, prediction.target / (1 + prediction.beta * 0.01), 0.1);
  }
  EXPECT_NEAR(state.position.squaredNorm() + state.velocity.squaredNorm(), 3, 1e-10);
}

TEST(Integrators, AnUnknownNameIsAnError) {
  EXPECT_THROW(make_integrator("leapfrog"), InputError);
}

}  // namespace
}  // namespace bulwark
