#include <bulwark/integrate/free_flight.hpp>
#include <bulwark/math/jacobi_eigen.hpp>
#include <bulwark/math/rotation.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace bulwark {
namespace {

struct PrincipalAxes {
  Matrix3 axes;             ///< columns, in space
  Vector3 inverse_inertia;  ///< zero about an axis that has none
};

PrincipalAxes principal_axes(const Matrix3& a, const Matrix3& second_moment) {
  const SymmetricEigen<3> moments = jacobi_eigen<3>(a * second_moment * a.transpose());
  const Vector3 m = moments.values.cwiseMax(0.0);
  // As sums: tr(M) - m would lose the small inertia of a wire to rounding.
  const Vector3 inertia(m[1] + m[2], m[2] + m[0], m[0] + m[1]);
  PrincipalAxes result{moments.vectors, Vector3::Zero()};
  const double none = 1e-12 * inertia.maxCoeff();
  for (int i = 0; i < 3; ++i) {
    if (inertia[i] > none) result.inverse_inertia[i] = 1 / inertia[i];
  }
  return result;
}

/// The order-6 scheme: parts 1 and 2 in turn, weights palindromic.
constexpr int stages = 10;
using Weights1 = std::array<double, stages + 1>;
using Weights2 = std::array<double, stages>;

constexpr std::pair<Weights1, Weights2> scheme_weights() {
  constexpr std::array<double, 5> a = {0.0502627644003922, 0.413514300428344, 0.0450798897943977,
                                       -0.188054853819569, 0.541960678450780};
  constexpr std::array<double, 4> b = {0.148816447901042, -0.132385865767784, 0.067307604692185,
                                       0.432666402578175};
  Weights1 first{};
  Weights2 second{};
  double middle_a = 1, middle_b = 0.5;
  for (int i = 0; i < 5; ++i) {
    first[i] = first[stages - i] = a[i];
    middle_a -= 2 * a[i];
  }
  for (int i = 0; i < 4; ++i) {
    second[i] = second[stages - 1 - i] = b[i];
    middle_b -= b[i];
  }
  first[5] = middle_a;
  second[4] = second[5] = middle_b;
  return {first, second};
}

/// A body's frame and its momentum in it.
struct Rotor {
  Matrix3 frame;
  Vector3 momentum;

  /// Turns the body about its axis i, by an angle: B <- B R_i, pi <- R_i^T pi.
  void turn(int i, double angle) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double c = std::cos(angle), s = std::sin(angle);
    const Vector3 column = frame.col(j);
    frame.col(j) = c * column + s * frame.col(k);
    frame.col(k) = c * frame.col(k) - s * column;
    const double p = momentum[j];
    momentum[j] = c * p + s * momentum[k];
    momentum[k] = c * momentum[k] - s * p;
  }
};

/// The two parts of the energy beside the reference's.
struct Parts {
  int reference, axis1, axis2;
  double rate1, rate2;  ///< 1/I_i - 1/I_reference
};

Parts choose_parts(const Vector3& inverse_inertia) {
  Parts best{};
  double least = 0;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const Parts parts{k, i, j, inverse_inertia[i] - inverse_inertia[k],
                      inverse_inertia[j] - inverse_inertia[k]};
    const double disturbance = std::abs(parts.rate1 * parts.rate2);
    if (k > 0 && !(disturbance < least)) continue;
    best = parts;
    least = disturbance;
  }
  return best;
}

constexpr int max_substeps = 64;

int needed_substeps(const Parts& parts, const Vector3& inverse_inertia, const Vector3& momentum, double h) {
  // |pi_i| never exceeds |L|, nor what the whole energy about that axis would give.
  const double length = momentum.norm();
  const double twice_energy = momentum.cwiseAbs2().dot(inverse_inertia);
  auto largest_turn = [&](int axis, double rate) {
    double largest = length;
    if (inverse_inertia[axis] > 0)
      largest = std::min(largest, std::sqrt(twice_energy / inverse_inertia[axis]));
    return std::abs(rate * largest * h);
  };
  const double turn1 = largest_turn(parts.axis1, parts.rate1), turn2 = largest_turn(parts.axis2, parts.rate2);
  const double larger = std::max(turn1, turn2), smaller = std::min(turn1, turn2);
  // One substep's error is of degree 7 in the turns, and vanishes with either of them.
  constexpr double turn_of_a_substep = 0.25;
  const double wanted = larger * std::pow(smaller / std::max(larger, 1e-300), 1.0 / 7) / turn_of_a_substep;
  if (!(wanted > 1)) return 1;
  return wanted < max_substeps ? static_cast<int>(std::ceil(wanted)) : max_substeps;
}

FreeFlight fly(const PrincipalAxes& start, const Parts& parts, const Vector3& momentum, double h,
               int substeps) {
  static constexpr std::pair<Weights1, Weights2> weights = scheme_weights();
  Rotor rotor{start.axes, start.axes.transpose() * momentum};
  // Axes of a left-handed frame turn the other way.
  const double hand = start.axes.determinant() < 0 ? -1 : 1;
  const double h1 = hand * parts.rate1 * h / substeps, h2 = hand * parts.rate2 * h / substeps;
  for (int step = 0; step < substeps; ++step) {
    for (int stage = 0; stage <= stages; ++stage) {
      rotor.turn(parts.axis1, weights.first[stage] * h1 * rotor.momentum[parts.axis1]);
      if (stage < stages) rotor.turn(parts.axis2, weights.second[stage] * h2 * rotor.momentum[parts.axis2]);
    }
  }
  const Matrix3 about_momentum =
      rotation_matrix(Vector3(h * start.inverse_inertia[parts.reference] * momentum));
  FreeFlight flight;
  flight.rotation = orthonormalized(about_momentum * rotor.frame * start.axes.transpose());
  const Matrix3 end = flight.rotation * start.axes;
  flight.angular_velocity = end * start.inverse_inertia.asDiagonal() * (end.transpose() * momentum);
  return flight;
}

}  // namespace

Vector3 angular_momentum(const Matrix3& a, const Matrix3& a_rate, const Matrix3& second_moment) {
  const Matrix3 m = a * second_moment * a_rate.transpose();
  return {m(1, 2) - m(2, 1), m(2, 0) - m(0, 2), m(0, 1) - m(1, 0)};
}

Vector3 angular_velocity(const Matrix3& a, const Vector3& angular_momentum, const Matrix3& second_moment) {
  const PrincipalAxes body = principal_axes(a, second_moment);
  return body.axes * body.inverse_inertia.asDiagonal() * (body.axes.transpose() * angular_momentum);
}

FreeFlight free_flight(const Matrix3& a, const Vector3& angular_momentum, const Matrix3& second_moment,
                       double h) {
  const PrincipalAxes start = principal_axes(a, second_moment);
  const Parts parts = choose_parts(start.inverse_inertia);
  const Vector3 momentum_in_body = start.axes.transpose() * angular_momentum;
  return fly(start, parts, angular_momentum, h,
             needed_substeps(parts, start.inverse_inertia, momentum_in_body, h));
}

FreeFlight free_flight(const Matrix3& a, const Vector3& angular_momentum, const Matrix3& second_moment,
                       double h, int substeps) {
  const PrincipalAxes start = principal_axes(a, second_moment);
  return fly(start, choose_parts(start.inverse_inertia), angular_momentum, h, substeps);
}

}  // namespace bulwark
