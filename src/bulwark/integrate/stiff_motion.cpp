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

}  // namespace

SpinMomenta predict_stiff(const std::vector<StiffBody>& bodies, const State& state, double h,
                          Vectors& target) {
  SpinMomenta momenta(bodies.size());
  parallel_for(bodies.size(), [&](std::size_t b) {
    const StiffBody& body = bodies[b];
    const Matrix3 A = deformation(body, state.position);
    momenta[b] = angular_momentum(A, deformation(body, state.velocity), body.second_moment);
    const Matrix3 turn = body.turns_freely()
                             ? free_flight(A, momenta[b], body.second_moment, h).rotation
                             : rotation_matrix(h * held_angular_velocity(body, A, momenta[b]));
    target.middleCols<3>(body.first_control + 1) = turn * A;
  });
  return momenta;
}

void advance_stiff(const std::vector<StiffBody>& bodies, const SpinMomenta& momenta, const Vectors& target,
                   double h, State& state) {
  parallel_for(bodies.size(), [&](std::size_t b) {
    const StiffBody& body = bodies[b];
    const Matrix3 A = deformation(body, state.position);
    const Matrix3 away = (A - deformation(body, target)) / h;
    const Vector3 momentum = momenta[b] + angular_momentum(A, away, body.second_moment);
    state.velocity.middleCols<3>(body.first_control + 1) = cross_matrix(turning(body, A, momentum)) * A;
  });
}

}  // namespace bulwark
