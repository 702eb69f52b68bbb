#include <bulwark/base/parallel.hpp>
#include <bulwark/integrate/free_flight.hpp>
#include <bulwark/integrate/stiff_motion.hpp>
#include <bulwark/math/rotation.hpp>

#include <Eigen/LU>

namespace bulwark {
namespace {

/// Angular velocity of a body that can only turn about some of the world's axes: momentum about those alone.
Vector3 held_angular_velocity(const StiffBody& body, const Matrix3& A, const Vector3& momentum) {
  const Matrix3 world = A * body.second_moment * A.transpose();
  Matrix3 inertia = world.trace() * Matrix3::Identity() - world;
  Vector3 rest = momentum;
  for (int axis = 0; axis < 3; ++axis) {
    if (!body.turns_about[axis]) {
      inertia.row(axis).setZero();
      inertia.col(axis).setZero();
      inertia(axis, axis) = 1;
      rest[axis] = 0;
    }
  }
  return inertia.inverse() * rest;
}

Vector3 turning(const StiffBody& body, const Matrix3& A, const Vector3& momentum) {
  return body.turns_freely() ? angular_velocity(A, momentum, body.second_moment)
                             : held_angular_velocity(body, A, momentum);
}

/// The rotation of a body's free flight over h, forth or back.
Matrix3 flight(const StiffBody& body, const Matrix3& A, const Vector3& momentum, double h) {
  return body.turns_freely() ? free_flight(A, momentum, body.second_moment, h).rotation
                             : rotation_matrix(h * held_angular_velocity(body, A, momentum));
}

Vector3 momentum_of(const StiffBody& body, const Vectors& position, const Vectors& velocity) {
  return angular_momentum(deformation(body, position), deformation(body, velocity), body.second_moment);
}

}  // namespace

Matrix3 spin_under(const StiffBody& body, const Matrix3& A, const Vector3& momentum) {
  return cross_matrix(turning(body, A, momentum)) * A;
}

SpinMomenta predict_stiff(const std::vector<StiffBody>& bodies, const State& state, double h,
                          Prediction& prediction) {
  SpinMomenta momenta(bodies.size());
  parallel_for(bodies.size(), [&](std::size_t b) {
    const StiffBody& body = bodies[b];
    const Matrix3 A = deformation(body, state.position);
    const Vector3 momentum = momentum_of(body, state.position, state.velocity);
    const Matrix3 forth = flight(body, A, momentum, h);
    Matrix3 target = forth * A;
    momenta[b] = momentum;
    if (prediction.from_history) {
      const Vector3 before = momentum_of(body, state.previous_position, state.previous_velocity);
      const Matrix3 back = flight(body, A, momentum, -h);
      const Matrix3 off = deformation(body, state.previous_position) * (back * A).inverse();
      const Vector3 position = rotation_vector(orthonormalized(off));  // y0
      const Vector3 velocity = turning(body, target, before - momentum);
      target = rotation_matrix(forth * back.transpose() * position / -3 - (2 * h / 9) * velocity) * target;
      momenta[b] += (momentum - before) / 3;
    }
    if (prediction.from_acceleration) {
      const Vector3 torque = momentum_of(body, state.position, state.acceleration);
      target = rotation_matrix(turning(body, target, torque) / (prediction.rate * prediction.rate)) * target;
      momenta[b] += torque / prediction.rate;
    }
    prediction.target.middleCols<3>(body.first_control + 1) = target;
  });
  return momenta;
}

void advance_stiff(const std::vector<StiffBody>& bodies, const SpinMomenta& momenta,
                   const Prediction& prediction, State& state) {
  parallel_for(bodies.size(), [&](std::size_t b) {
    const StiffBody& body = bodies[b];
    const Matrix3 A = deformation(body, state.position);
    const Matrix3 away = prediction.rate * (A - deformation(body, prediction.target));
    const Vector3 momentum = momenta[b] + angular_momentum(A, away, body.second_moment);
    state.velocity.middleCols<3>(body.first_control + 1) = spin_under(body, A, momentum);
    // Of every method: Newmark's next step may begin where another one ended.
    state.acceleration.middleCols<3>(body.first_control + 1) =
        spin_under(body, A, angular_momentum(A, prediction.rate * away, body.second_moment));
  });
}

}  // namespace bulwark
