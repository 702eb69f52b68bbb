// Numbers that carry their first and second derivatives in N variables, for stencils whose energy is long to
// differentiate by hand: the energy is written once as a template and evaluated with double or with Jet2<N>.
//   f(a):  f' da,   f' dda + f'' da da^T.       Host and device.
#pragma once

#include <bulwark/base/host_device.hpp>
#include <bulwark/math/types.hpp>

#include <cmath>

namespace bulwark {

template <int N>
struct Jet2 {
  double value = 0;
  Eigen::Matrix<double, N, 1> gradient = Eigen::Matrix<double, N, 1>::Zero();
  Eigen::Matrix<double, N, N> hessian = Eigen::Matrix<double, N, N>::Zero();

  Jet2() = default;
  BULWARK_HD Jet2(double constant) : value(constant) {}  // NOLINT: constants mix freely
  /// The k-th variable.
  BULWARK_HD static Jet2 variable(double at, int k) {
    Jet2 jet(at);
    jet.gradient[k] = 1;
    return jet;
  }

  /// f(a), given f, f' and f'' at a's value.
  BULWARK_HD Jet2 chain(double f, double first, double second) const {
    Jet2 r;
    r.value = f;
    r.gradient = first * gradient;
    r.hessian = first * hessian;
    r.hessian.noalias() += second * gradient * gradient.transpose();
    return r;
  }
};

template <int N>
BULWARK_HD Jet2<N> operator+(Jet2<N> a, const Jet2<N>& b) {
  a.value += b.value;
  a.gradient += b.gradient;
  a.hessian += b.hessian;
  return a;
}
template <int N>
BULWARK_HD Jet2<N> operator-(Jet2<N> a, const Jet2<N>& b) {
  a.value -= b.value;
  a.gradient -= b.gradient;
  a.hessian -= b.hessian;
  return a;
}
template <int N>
BULWARK_HD Jet2<N> operator*(const Jet2<N>& a, const Jet2<N>& b) {
  Jet2<N> r;
  r.value = a.value * b.value;
  r.gradient = a.value * b.gradient + b.value * a.gradient;
  r.hessian = a.value * b.hessian + b.value * a.hessian;
  r.hessian.noalias() += a.gradient * b.gradient.transpose();
  r.hessian.noalias() += b.gradient * a.gradient.transpose();
  return r;
}
template <int N>
BULWARK_HD Jet2<N> operator*(double a, const Jet2<N>& b) {
  return b.chain(a * b.value, a, 0);
}
template <int N>
BULWARK_HD Jet2<N> operator+(double a, Jet2<N> b) {
  b.value += a;
  return b;
}
template <int N>
BULWARK_HD Jet2<N> operator-(Jet2<N> a, double b) {
  a.value -= b;
  return a;
}

/// 1 / a.
BULWARK_HD inline double reciprocal(double a) {
  return 1 / a;
}
template <int N>
BULWARK_HD Jet2<N> reciprocal(const Jet2<N>& a) {
  const double r = 1 / a.value;
  return a.chain(r, -r * r, 2 * r * r * r);
}

/// 1 / sqrt(a).
BULWARK_HD inline double inverse_root(double a) {
  return 1 / std::sqrt(a);
}
template <int N>
BULWARK_HD Jet2<N> inverse_root(const Jet2<N>& a) {
  const double r = 1 / std::sqrt(a.value);
  return a.chain(r, -0.5 * r / a.value, 0.75 * r / (a.value * a.value));
}

template <int N>
BULWARK_HD Jet2<N> sin(const Jet2<N>& a) {
  const double s = std::sin(a.value), c = std::cos(a.value);
  return a.chain(s, c, -s);
}
template <int N>
BULWARK_HD Jet2<N> cos(const Jet2<N>& a) {
  const double s = std::sin(a.value), c = std::cos(a.value);
  return a.chain(c, -s, -c);
}

/// The angle of the point (x, y), of any length but zero: d angle = (x dy - y dx) / (x^2 + y^2).
template <int N>
BULWARK_HD Jet2<N> atan2(const Jet2<N>& y, const Jet2<N>& x) {
  const double square = x.value * x.value + y.value * y.value;
  const double a = x.value / square, b = y.value / square;
  Jet2<N> r;
  r.value = std::atan2(y.value, x.value);
  r.gradient = a * y.gradient - b * x.gradient;
  r.hessian = a * y.hessian - b * x.hessian;
  // The second derivatives of the angle in (x, y): xx 2ab, yy -2ab, xy b^2 - a^2.
  const Eigen::Matrix<double, N, N> xx = x.gradient * x.gradient.transpose(),
                                    yy = y.gradient * y.gradient.transpose(),
                                    xy = x.gradient * y.gradient.transpose();
  r.hessian += 2 * a * b * (xx - yy) + (b * b - a * a) * (xy + xy.transpose());
  return r;
}

}  // namespace bulwark
