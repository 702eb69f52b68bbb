// One step of a stiff body's rotation: the prediction is its free flight, and what moves it away from that is
// torque.
#include <bulwark/integrate/free_flight.hpp>
#include <bulwark/integrate/integrator.hpp>
#include <bulwark/integrate/stiff_motion.hpp>
#include <bulwark/math/rotation.hpp>

#include <gtest/gtest.h>

namespace bulwark {
namespace {

StiffBody some_body() {
  StiffBody body;
  body.rigid = true;
  body.mass = 3;
  body.second_moment << 2, 0.3, 0.1, 0.3, 1, -0.2, 0.1, -0.2, 0.7;
  return body;
}

/// Controls p and A of one body that turns with w.
State turning_state(const Matrix3& A, const Vector3& w) {
  State state;
  state.position = Vectors::Zero(3, 4);
  state.position.rightCols<3>() = A;
  state.velocity = Vectors::Zero(3, 4);
  state.velocity.rightCols<3>() = cross_matrix(w) * A;
  state.acceleration = Vectors::Zero(3, 4);
  return state;
}

TEST(StiffMotion, AFlightKeepsTheMomentumAndTheShape) {
  const StiffBody body = some_body();
  const double h = 0.1;
  State state = turning_state(rotation_matrix(Vector3(0.3, -1, 2)), {3, -2, 5});
  const Vector3 start = angular_momentum(deformation(body, state.position), deformation(body, state.velocity),
                                         body.second_moment);
  for (int i = 0; i < 100; ++i) {
    Prediction prediction{state.position, 1, state.position, 1 / h};
    const SpinMomenta momenta = predict_stiff({body}, state, h, prediction);
    EXPECT_LT((momenta[0] - start).norm(), 1e-12);
    EXPECT_LT(rigidity_error(deformation(body, prediction.target)), 1e-13);
    state.position = prediction.target;
    advance_stiff({body}, momenta, prediction, state);
  }
}

/// Where parts of a step were taken by another method (Integrator::for_part_of_step).
TEST(StiffMotion, ANewmarkStepAfterAPartByImplicitEulerFeelsNoTorque) {
  const StiffBody body = some_body();
  const std::unique_ptr<Integrator> newmark = make_integrator("newmark");
  State state = turning_state(rotation_matrix(Vector3(0.3, -1, 2)), {60, -20, 50});
  const auto momentum = [&] {
    return angular_momentum(deformation(body, state.position), deformation(body, state.velocity),
                            body.second_moment);
  };
  const Vector3 start = momentum();
  const auto fly = [&](const Integrator& integrator, double h) {
    Prediction prediction = integrator.predict(state, h);
    const SpinMomenta momenta = predict_stiff({body}, state, h, prediction);
    integrator.advance(state, prediction.target, h);
    advance_stiff({body}, momenta, prediction, state);
  };
  fly(newmark->for_part_of_step(2), 2.5e-3);
  fly(*newmark, 1e-2);
  EXPECT_LT((momentum() - start).norm(), 1e-10 * start.norm());
}

TEST(StiffMotion, WhatMovesTheBodyFromItsFlightIsTorque) {
  // A' = R(d) A~: the torque over the step is sum a'_k x (S (A' - A~))_k / h, about I d / h for small d.
  const StiffBody body = some_body();
  const double h = 0.05;
  State state = turning_state(rotation_matrix(Vector3(0.3, -1, 2)), {1, 0.5, -2});
  Prediction prediction{state.position, 1, state.position, 1 / h};
  const SpinMomenta momenta = predict_stiff({body}, state, h, prediction);
  const Vector3 d(1e-5, -2e-5, 3e-5);
  const Matrix3 flight = deformation(body, prediction.target), A = rotation_matrix(d) * flight;
  state.position.rightCols<3>() = A;
  advance_stiff({body}, momenta, prediction, state);
  const Matrix3 rate = deformation(body, state.velocity);
  const Vector3 momentum = angular_momentum(A, rate, body.second_moment);
  Vector3 torque = Vector3::Zero();
  const Matrix3 pull = (A - flight) * body.second_moment / h;
  for (int k = 0; k < 3; ++k) torque += Vector3(A.col(k)).cross(Vector3(pull.col(k)));
  EXPECT_LT((momentum - momenta[0] - torque).norm(), 1e-13);
  const Matrix3 M = A * body.second_moment * A.transpose();
  EXPECT_LT((torque - (M.trace() * Matrix3::Identity() - M) * d / h).norm(), 1e-4 * torque.norm());
  // The rate is that of a rigid motion.
  const Matrix3 spin = rate * A.transpose();
  EXPECT_LT((spin + spin.transpose()).norm(), 1e-13);
}

TEST(StiffMotion, AHeldBodyTurnsAboutItsFreeAxesAlone) {
  StiffBody body = some_body();
  body.turns_about = {false, false, true};
  const double h = 0.1;
  State state = turning_state(Matrix3::Identity(), {0, 0, 4});
  for (int i = 1; i <= 50; ++i) {
    Prediction prediction{state.position, 1, state.position, 1 / h};
    const SpinMomenta momenta = predict_stiff({body}, state, h, prediction);
    EXPECT_LT((deformation(body, prediction.target) - rotation_matrix(Vector3(0, 0, 0.4 * i))).norm(), 1e-12);
    EXPECT_EQ(prediction.target.col(3), Vector3::UnitZ());
    state.position = prediction.target;
    advance_stiff({body}, momenta, prediction, state);
    EXPECT_LT((deformation(body, state.velocity) * deformation(body, state.position).transpose() -
               cross_matrix(Vector3(0, 0, 4)))
                  .norm(),
              1e-11);
  }
}

}  // namespace
}  // namespace bulwark
