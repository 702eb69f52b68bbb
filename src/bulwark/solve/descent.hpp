// Whether a line search has found a lower place: what every minimiser accepts steps by.
#pragma once

#include <bulwark/solve/objective.hpp>

#include <cmath>

namespace bulwark {

/// The descent of a line search, from q along `direction`. By a step of the size d the energy changes by d^2,
/// so that it is lost in the energy's rounding long before the gradient loses d; there the slopes s0 and s1 at
/// both ends tell, by which it changes as s0 + s1.
class Descent {
 public:
  /// `energy`: that at the line's start.
  Descent(Objective& objective, const VectorX& direction, double slope, Objective::EnergySum energy)
      : objective_(objective), direction_(direction), slope_(slope), before_(energy) {}

  bool is_finite() const { return std::isfinite(before_.value); }
  /// Comparisons fail for NaN, so that a trial that is not a number is never accepted. May leave the objective
  /// prepared at the trial.
  bool leads_to(const Vectors& trial) {
    reached_ = objective_.energy_sum(trial);
    const double after = reached_.value;
    if (after <= before_.value) return true;
    return after - before_.value <= energy_rounding * before_.size && slope_at(trial) <= steepest * -slope_;
  }
  /// The energy at the last trial.
  const Objective::EnergySum& reached() const { return reached_; }

 private:
  /// Part of the sizes of its summands by which an energy may be wrong. A strain e is a difference of positions, whose
  /// rounding is some 1e-16 / e of it, and so of the elastic energy: this is that of strains of a millionth.
  static constexpr double energy_rounding = 1e-10;
  /// Of the slope at the start; with 1, the sum of both would be zero.
  static constexpr double steepest = 0.8;

  double slope_at(const Vectors& trial) {
    objective_.prepare(trial);
    return objective_.gradient(trial).dot(direction_);
  }

  Objective& objective_;
  const VectorX& direction_;
  double slope_;
  Objective::EnergySum before_, reached_;
};

}  // namespace bulwark
