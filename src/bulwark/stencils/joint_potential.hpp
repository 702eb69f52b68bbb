// Energies of one joint coordinate c:
//   spring    1/2 k (c - c0)^2, with a largest force F:  F |c - c0| - F^2 / (2 k)  beyond  |c - c0| = F / k
//   force     -F c
//   damping   1/2 (d / h) (c - c_n)^2, c_n at the start of the step: the force -d c' of implicit Euler
//   range     k [ b((c - low) / width) + b((high - c) / width) ],   b(y) = -(y - 1)^2 ln y  for y < 1:
//             without bound towards the ends of the range, zero farther than `width` from them
// and their derivatives in c. Host and device.
#pragma once

#include <bulwark/base/host_device.hpp>

#include <cmath>
#include <limits>

namespace bulwark {

enum class JointPotentialKind { spring, force, damping, range };

struct JointPotential {
  JointPotentialKind kind = JointPotentialKind::spring;
  double stiffness = 0;  ///< k; of damping: d / h
  double target = 0;     ///< c0; of damping: c_n; of force: F
  double largest_force = std::numeric_limits<double>::infinity();
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  double width = 0;
};

struct JointPotentialDerivatives {
  double value = 0, first = 0, second = 0;
};

/// b(y) for y < 1, and its derivatives.
BULWARK_HD inline JointPotentialDerivatives range_barrier(double y) {
  if (!(y > 0)) return {std::numeric_limits<double>::infinity(), 0, 0};
  if (y >= 1) return {};
  const double l = std::log(y), m = y - 1;
  return {-m * m * l, -2 * m * l - m * m / y, -2 * l - 4 * m / y + m * m / (y * y)};
}

BULWARK_HD inline JointPotentialDerivatives joint_potential(const JointPotential& p, double c) {
  JointPotentialDerivatives d;
  switch (p.kind) {
    case JointPotentialKind::force:
      return {-p.target * c, -p.target, 0};
    case JointPotentialKind::spring:
    case JointPotentialKind::damping: {
      const double away = c - p.target;
      if (p.stiffness * std::abs(away) <= p.largest_force)
        return {0.5 * p.stiffness * away * away, p.stiffness * away, p.stiffness};
      const double f = p.largest_force;
      return {f * std::abs(away) - 0.5 * f * f / p.stiffness, away > 0 ? f : -f, 0};
    }
    case JointPotentialKind::range: {
      const JointPotentialDerivatives low = range_barrier((c - p.low) / p.width),
                                      high = range_barrier((p.high - c) / p.width);
      d.value = p.stiffness * (low.value + high.value);
      d.first = p.stiffness * (low.first - high.first) / p.width;
      d.second = p.stiffness * (low.second + high.second) / (p.width * p.width);
      return d;
    }
  }
  return d;
}

}  // namespace bulwark
