// Interval arithmetic with outward rounding, as much of it as certifying the bounds of curved paths takes.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace bulwark {

struct Interval {
  double lower = 0, upper = 0;

  Interval() = default;
  Interval(double value) : lower(value), upper(value) {}  // NOLINT: numbers are intervals
  Interval(double from, double to) : lower(from), upper(to) {}
};

/// The next numbers outside.
inline Interval widened(double lower, double upper) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {std::nextafter(lower, -infinity), std::nextafter(upper, infinity)};
}

inline Interval operator+(const Interval& a, const Interval& b) {
  return widened(a.lower + b.lower, a.upper + b.upper);
}
inline Interval operator-(const Interval& a, const Interval& b) {
  return widened(a.lower - b.upper, a.upper - b.lower);
}
inline Interval operator*(const Interval& a, const Interval& b) {
  const auto [least, most] =
      std::minmax({a.lower * b.lower, a.lower * b.upper, a.upper * b.lower, a.upper * b.upper});
  return widened(least, most);
}
inline Interval square(const Interval& a) {
  const double x = std::abs(a.lower), y = std::abs(a.upper);
  const double least = a.lower <= 0 && a.upper >= 0 ? 0 : std::min(x, y);
  return {std::max(0.0, std::nextafter(least * least, -1)),
          widened(0, std::max(x, y) * std::max(x, y)).upper};
}
inline Interval root(const Interval& a) {
  return {std::max(0.0, widened(std::sqrt(std::max(0.0, a.lower)), 0).lower),
          widened(0, std::sqrt(std::max(0.0, a.upper))).upper};
}
inline Interval hull(const Interval& a, const Interval& b) {
  return {std::min(a.lower, b.lower), std::max(a.upper, b.upper)};
}

/// sin(x) / x of a number: the library's sine is right to less than an ulp, which division and another ulp
/// each way cover.
inline Interval enclosed_sinc(double x) {
  if (x == 0) return 1;
  const double value = std::sin(x) / x;
  const Interval once = widened(value, value), twice = widened(once.lower, once.upper);
  return widened(twice.lower, twice.upper);
}

/// sin(x) / x. Even; falls from 0 to its first minimum, just beyond 4.4934094579; further out, sin / x.
inline Interval sinc(const Interval& x) {
  constexpr double falling_to = 4.4934094579;
  const double from = x.lower <= 0 && x.upper >= 0 ? 0 : std::min(std::abs(x.lower), std::abs(x.upper));
  const double to = std::max(std::abs(x.lower), std::abs(x.upper));
  if (to <= falling_to) return {enclosed_sinc(to).lower, enclosed_sinc(from).upper};
  const Interval far =
      Interval(-1, 1) * widened(1 / std::max(from, falling_to), 1 / std::max(from, falling_to));
  if (from >= falling_to) return far;
  return hull(Interval(enclosed_sinc(falling_to).lower, enclosed_sinc(from).upper), far);
}

}  // namespace bulwark
