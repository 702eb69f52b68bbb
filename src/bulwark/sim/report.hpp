// What a simulation says of itself: the record that every step leaves, contacts, energies, derived values.
#pragma once

#include <bulwark/base/error.hpp>
#include <bulwark/base/profile.hpp>
#include <bulwark/math/types.hpp>
#include <bulwark/solve/newton.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace bulwark {

/// One contact at the end of a step.
struct ContactForce {
  int body_a = 0, body_b = 0;
  Vector3 position;      ///< midpoint of the closest points
  Vector3 normal_force;  ///< on body_a; body_b gets the opposite (N)
  Vector3 friction_force;
  double distance = 0;  ///< m
};

struct Energies {
  double kinetic = 0, elastic = 0, gravity = 0, contact = 0;
  double total() const { return kinetic + elastic + gravity + contact; }
};

/// The record that every step leaves.
struct StepReport {
  std::int64_t step = 0;
  double time = 0;
  Outcome outcome = Outcome::converged;
  int newton_iterations = 0, linear_solves = 0;
  int friction_updates = 0;        ///< solves with updated normal forces and tangents
  bool friction_converged = true;  ///< false when friction_iterations ended before the lagged forces settled
  int substeps = 1;                ///< more than 1 when the step had to be tried again in parts
  int contacts = 0;
  double min_distance = 0;    ///< of any pair in contact range; infinity when there is none
  double newton_speed = 0;    ///< the last Newton step over h, m/s: what is compared with the tolerance
  std::string worst_point;    ///< "body 'ball', node 12": where that was measured
  std::string limiting_pair;  ///< the pair that allowed the smallest step in a line search; "" when none did
  double smallest_step = 1;   ///< and the step it allowed
  Energies energies;
  double rigidity_error = 0;  ///< largest deviation of a stiff body from a rigid motion, as a strain
  double barrier_stiffness = 0;
  double seconds = 0;
  Profile profile;
};

/// A step that could not be solved, with the record that it leaves.
class StepFailure : public SolveError {
 public:
  StepFailure(const std::string& message, const std::string& remedy, StepReport report)
      : SolveError(message, remedy), report_(std::move(report)) {}
  const StepReport& report() const { return report_; }

 private:
  StepReport report_;
};

/// Values derived from the scene at the start, for the log and the summary.
struct Derived {
  double length = 0;                                    ///< the scene's length, m
  double contact_distance = 0;                          ///< d-hat, m
  bool distance_capped = false;                         ///< because bodies would push on themselves at rest
  double static_speed = 0;                              ///< m/s
  double tolerance_speed = 0;                           ///< m/s
  double nodal_mass = 0;                                ///< kg: the mass that the barrier is made for
  double minimum_stiffness = 0, maximum_stiffness = 0;  ///< bounds of the adaptive barrier stiffness, J/m^4
};

}  // namespace bulwark
