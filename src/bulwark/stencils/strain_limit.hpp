// A barrier that keeps a principal stretch s of a shell below its limit m:
//   f(s) = -Y (s - a)^2 ln(1 - g),   g = (s - a) / (m - a),   for a < s < m;   0 below a;   infinite from m on.
// C2 at the activation stretch a = (1 + m)/2. With Y, the material's Young's modulus, it begins as a gentle
// stiffening: its second derivative reaches about 3 Y halfway between a and m.
#pragma once

#include <bulwark/base/host_device.hpp>

#include <cmath>
#include <limits>

namespace bulwark {

struct StrainLimit {
  double stretch = std::numeric_limits<double>::infinity();  ///< m; infinite for none
  double stiffness = 0;                                      ///< Y, Pa

  BULWARK_HD bool active() const { return stretch < std::numeric_limits<double>::infinity(); }
  BULWARK_HD double activation() const { return 0.5 * (1 + stretch); }
};

BULWARK_HD inline double strain_limit_energy(const StrainLimit& limit, double s) {
  if (!limit.active() || s <= limit.activation()) return 0;
  if (!(s < limit.stretch)) return std::numeric_limits<double>::infinity();
  const double x = s - limit.activation(), width = limit.stretch - limit.activation();
  return -limit.stiffness * x * x * std::log1p(-x / width);
}

BULWARK_HD inline double strain_limit_first_derivative(const StrainLimit& limit, double s) {
  if (!limit.active() || s <= limit.activation()) return 0;
  const double x = s - limit.activation(), width = limit.stretch - limit.activation();
  return limit.stiffness * (-2 * x * std::log1p(-x / width) + x * x / (width - x));
}

BULWARK_HD inline double strain_limit_second_derivative(const StrainLimit& limit, double s) {
  if (!limit.active() || s <= limit.activation()) return 0;
  const double x = s - limit.activation(), width = limit.stretch - limit.activation();
  const double left = width - x;
  return limit.stiffness * (-2 * std::log1p(-x / width) + 4 * x / left + x * x / (left * left));
}

}  // namespace bulwark
