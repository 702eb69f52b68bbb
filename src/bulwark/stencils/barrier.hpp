// The barrier function of incremental potential contact, on squared distances:
//   b(D) = -(D - Dh)^2 ln(D / Dh)   for 0 < D < Dh,   0 beyond,   infinite at D <= 0.
// C2 at Dh; b' <= 0 <= b''. D and Dh are squared lengths, so b has the unit m^4.
#pragma once

#include <bulwark/base/host_device.hpp>

#include <cmath>
#include <limits>

namespace bulwark {

BULWARK_HD inline double barrier(double D, double Dh) {
  if (D >= Dh) return 0;
  if (!(D > 0)) return std::numeric_limits<double>::infinity();
  const double gap = D - Dh;
  return -gap * gap * std::log(D / Dh);
}

BULWARK_HD inline double barrier_first_derivative(double D, double Dh) {
  if (D >= Dh) return 0;
  return (Dh - D) * (2 * std::log(D / Dh) - Dh / D + 1);
}

BULWARK_HD inline double barrier_second_derivative(double D, double Dh) {
  if (D >= Dh) return 0;
  return -2 * std::log(D / Dh) + (Dh - D) * (Dh + 3 * D) / (D * D);
}

/// The barrier with its first and second derivatives.
struct BarrierJet {
  double value, first, second;
};

BULWARK_HD inline BarrierJet barrier_jet(double D, double Dh) {
  if (D >= Dh) return {0, 0, 0};
  if (!(D > 0)) return {std::numeric_limits<double>::infinity(), 0, 0};
  const double gap = Dh - D, log = std::log(D / Dh), inverse = 1 / D;
  return {-gap * gap * log, gap * (2 * log - Dh * inverse + 1),
          -2 * log + gap * (Dh + 3 * D) * inverse * inverse};
}

/// Where the barrier acts: it begins at `distance` beyond the smallest allowed one, and is infinite there.
struct BarrierRange {
  double distance = 0;          ///< d-hat
  double minimum_distance = 0;  ///< xi

  /// The barrier's argument D - xi^2 and its end, (xi + dh)^2 - xi^2.
  BULWARK_HD double argument(double squared_distance) const {
    return squared_distance - minimum_distance * minimum_distance;
  }
  BULWARK_HD double end() const { return distance * (distance + 2 * minimum_distance); }
  /// That of two solids whose points, edges or triangles have to stay this much farther apart.
  BULWARK_HD BarrierRange beyond(double offset) const { return {distance, minimum_distance + offset}; }
  /// Pairs at or beyond this distance do not touch.
  BULWARK_HD double reach() const { return distance + minimum_distance; }
};

/// Magnitude of the normal force of a pair per unit of stiffness: -2 d b'.
BULWARK_HD inline double barrier_force(double squared_distance, const BarrierRange& range) {
  return -2 * std::sqrt(squared_distance) *
         barrier_first_derivative(range.argument(squared_distance), range.end());
}

/// The barrier energy in the difference r of the two closest points, with its gradient  slope r  and a
/// Hessian curvature r r^T  that is never negative: the barrier's curvature along the normal alone. What is
/// left out bends the normal, with a force over a distance of the bodies' size, where this has the force over
/// a part of the contact distance.
struct NormalBarrier {
  double energy, slope, curvature;
};

BULWARK_HD inline NormalBarrier normal_barrier(double squared_distance, const BarrierRange& range) {
  const BarrierJet b = barrier_jet(range.argument(squared_distance), range.end());
  const double curvature = 4 * b.second * squared_distance + 2 * b.first;
  return {b.value, 2 * b.first, (curvature > 0 ? curvature : 0.0) / squared_distance};
}

}  // namespace bulwark
