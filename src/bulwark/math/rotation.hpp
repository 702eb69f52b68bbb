// Rotations as vectors: the exponential map, its inverse and its derivatives. Host and device.
//
// A rotation by the angle |w| about the axis w is R(w) = exp [w], with [w] v = w x v, and by Rodrigues
//
//   R(w) = I + a [w] + b [w]^2,   a = sinc |w| = sin|w| / |w|,   b = 1/2 sinc^2(|w|/2) = (1 - cos|w|) / |w|^2.
//
// As functions of s = |w|^2 both are smooth everywhere, and so are
//
//   g = 2 da/ds,  h = 2 dg/ds,  k = 2 db/ds,  l = 2 dk/ds,   by which
//   grad a = g w,   grad grad a = h w w^T + g I,   grad b = k w,   grad grad b = l w w^T + k I.
//
// Away from zero they follow from each other,
//
//   g = (cos|w| - a) / s,   h = -(a + 3 g) / s,   k = (a - 2 b) / s,   l = (g - 4 k) / s,
//
// which cancels for small angles: there the series  a = sum_n (-s)^n / (2n+1)!,  b = sum_n (-s)^n / (2n+2)!
// and their derivatives serve.
#pragma once

#include <bulwark/base/host_device.hpp>
#include <bulwark/math/types.hpp>

#include <Eigen/Geometry>
#include <cmath>

namespace bulwark {

/// [v]: the matrix of the cross product, [v] u = v x u.
BULWARK_HD inline Matrix3 cross_matrix(const Vector3& v) {
  Matrix3 m;
  m << 0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0;
  return m;
}

/// sin(x) / x.
BULWARK_HD inline double sinc(double x) {
  const double s = x * x;
  // The next term, x^6 / 5040, is below rounding.
  return s < 1e-6 ? 1 - s / 6 * (1 - s / 20) : std::sin(x) / x;
}

/// a and b of Rodrigues' formula.
struct RodriguesCoefficients {
  double a, b;
};
BULWARK_HD inline RodriguesCoefficients rodrigues_coefficients(double angle) {
  // sin x = 2 sin(x/2) cos(x/2): one sine and one cosine give both.
  const double half = sinc(0.5 * angle);
  return {half * std::cos(0.5 * angle), 0.5 * half * half};
}

/// R(w) r - r: how far a turn by w moves the end of the arm r, given the coefficients at |w|. Off by at most
/// 32 DBL_EPSILON |w| |r|.
BULWARK_HD inline Vector3 arm_displacement(const Vector3& w, const RodriguesCoefficients& coefficients,
                                           const Vector3& arm) {
  const Vector3 first = w.cross(arm);
  return coefficients.a * first + coefficients.b * w.cross(first);
}

/// R(w). Each entry is right to a few roundings times 1 + |w|.
BULWARK_HD inline Matrix3 rotation_matrix(const Vector3& w) {
  const auto [a, b] = rodrigues_coefficients(w.norm());
  // a [w] + b [w]^2, with [w]^2 = w w^T - |w|^2 I written out: its diagonal has no cancellation.
  const double x = w[0], y = w[1], z = w[2];
  Matrix3 r;
  r << 1 - b * (y * y + z * z), b * x * y - a * z, b * x * z + a * y,  //
      b * x * y + a * z, 1 - b * (x * x + z * z), b * y * z - a * x,   //
      b * x * z - a * y, b * y * z + a * x, 1 - b * (x * x + y * y);
  return r;
}

/// The shortest w with R(w) = r: its length is at most pi. Right to a few roundings at all angles: it goes
/// through the quaternion, whose largest part is divided by.
BULWARK_HD inline Vector3 rotation_vector(const Matrix3& r) {
  const Eigen::Quaterniond q(r);
  const double sign = q.w() < 0 ? -1 : 1;
  const double sine = q.vec().norm(), cosine = sign * q.w();
  const double angle_over_sine = sine > 0 ? 2 * std::atan2(sine, cosine) / sine : 2;
  return sign * angle_over_sine * q.vec();
}

/// The w with R(w) = r that is nearest to `guess`: by whole turns longer than the shortest one where that is
/// so long.
BULWARK_HD inline Vector3 nearest_turn(const Matrix3& r, const Vector3& guess) {
  constexpr double half_turn = 3.14159265358979323846;
  Vector3 shortest = rotation_vector(r);
  const double angle = shortest.norm();
  if (guess.norm() < 0.5 * half_turn || !(angle > 0)) return shortest;
  const Vector3 axis = shortest / angle;
  const double turns = std::round((guess.dot(axis) - angle) / (2 * half_turn));
  return (angle + 2 * half_turn * turns) * axis;
}

/// The w of a matrix A that changes at the rate dA/dt = [w] A; the mean one where it stretches too.
BULWARK_HD inline Vector3 mean_spin(const Matrix3& a, const Matrix3& rate) {
  const Matrix3 w = rate * a.transpose();
  return 0.5 * Vector3(w(2, 1) - w(1, 2), w(0, 2) - w(2, 0), w(1, 0) - w(0, 1));
}

/// The turn by the smallest angle that takes the direction `from` to that of `to`; between opposite ones some
/// half turn.
inline Eigen::Quaterniond turn_between(const Vector3& from, const Vector3& to) {
  const double lengths = from.norm() * to.norm(), w = lengths + from.dot(to);
  const bool opposite = !(w > 1e-10 * lengths);
  const Vector3 axis = opposite ? from.unitOrthogonal() : Vector3(from.cross(to));
  return Eigen::Quaterniond(opposite ? 0 : w, axis.x(), axis.y(), axis.z()).normalized();
}

/// The rotation next to a matrix that is one up to errors far below 1 (quadratically: an error of 1e-8 leaves
/// none): a step of Newton's method for the polar decomposition, (3 I - A A^T) A / 2.
BULWARK_HD inline Matrix3 orthonormalized(const Matrix3& a) {
  const Matrix3 product = a * a.transpose();
  return 0.5 * (3 * a - product * a);
}

/// The derivatives of R(w) with respect to w, at any w.
class RotationDerivatives {
 public:
  BULWARK_HD explicit RotationDerivatives(const Vector3& w) : w_(w), cross_(cross_matrix(w)) {
    square_ = cross_ * cross_;
    const double s = w.squaredNorm();
    if (s < 1) {
      // Coefficients of s^n, n = 0, 1, ...: those of a and b, and of their derivatives.
      double term_a = 1, term_b = 0.5;
      double power = 1, power1 = 0, power2 = 0;  // s^n, s^(n-1), s^(n-2)
      for (int n = 0; n < 13; ++n) {
        a_ += term_a * power;
        b_ += term_b * power;
        g_ += 2 * n * term_a * power1;
        k_ += 2 * n * term_b * power1;
        h_ += 4 * n * (n - 1) * term_a * power2;
        l_ += 4 * n * (n - 1) * term_b * power2;
        power2 = power1;
        power1 = power;
        power *= s;
        term_a /= -(2 * n + 2) * (2 * n + 3);
        term_b /= -(2 * n + 3) * (2 * n + 4);
      }
    } else {
      const double angle = std::sqrt(s);
      const RodriguesCoefficients coefficients = rodrigues_coefficients(angle);
      a_ = coefficients.a;
      b_ = coefficients.b;
      g_ = (std::cos(angle) - a_) / s;
      h_ = -(a_ + 3 * g_) / s;
      k_ = (a_ - 2 * b_) / s;
      l_ = (g_ - 4 * k_) / s;
    }
  }

  /// dR / dw_i.
  BULWARK_HD Matrix3 first(int i) const {
    return g_ * w_[i] * cross_ + a_ * axis(i) + k_ * w_[i] * square_ + b_ * square_derivative(i);
  }
  /// d^2 R / dw_i dw_j.
  BULWARK_HD Matrix3 second(int i, int j) const {
    const double same = i == j ? 1 : 0;
    const Matrix3 both = axis(i) * axis(j);
    return (h_ * w_[i] * w_[j] + g_ * same) * cross_ + g_ * (w_[i] * axis(j) + w_[j] * axis(i)) +
           (l_ * w_[i] * w_[j] + k_ * same) * square_ +
           k_ * (w_[i] * square_derivative(j) + w_[j] * square_derivative(i)) +
           b_ * (both + both.transpose());
  }

 private:
  BULWARK_HD static Matrix3 axis(int i) { return cross_matrix(Vector3::Unit(i)); }
  /// d [w]^2 / dw_i.
  BULWARK_HD Matrix3 square_derivative(int i) const {
    const Matrix3 m = axis(i) * cross_;
    return m + m.transpose();
  }

  Vector3 w_;
  Matrix3 cross_, square_;
  double a_ = 0, b_ = 0, g_ = 0, h_ = 0, k_ = 0, l_ = 0;
};

}  // namespace bulwark
