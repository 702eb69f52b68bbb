// What a simulation says of itself: the record that every step leaves, contacts, energies, derived values.
#pragma once

#include <bulwark/base/error.hpp>
#include <bulwark/base/profile.hpp>
#include <bulwark/math/types.hpp>
#include <bulwark/sim/body_part.hpp>
#include <bulwark/solve/outcome.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bulwark {

/// One contact at the end of a step.
struct ContactForce {
  int body_a = 0, body_b = 0;
  Vector3 position;      ///< midpoint of the closest points
  Vector3 normal_force;  ///< on body_a; body_b gets the opposite (N)
  Vector3 friction_force;
  double distance = 0;  ///< m; minus the depth where bodies overlap
  double area = 0;      ///< of a patch, m^2
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
  int adamw_iterations = 0;
  int linear_iterations = 0;       ///< of conjugate gradients in those solves
  int friction_updates = 0;        ///< solves with updated normal forces and tangents
  bool friction_converged = true;  ///< false when friction_iterations ended before the lagged forces settled
  int substeps = 1;                ///< more than 1 when the step had to be tried again in parts
  int energy_retries = 0;          ///< parts taken again because they gained energy from nothing
  int passing_retries = 0;         ///< and because bodies got past each other in them
  double energy_gain = 0;          ///< gained all the same, in parts too short to be cut again (J)
  int passed_bodies = 0;           ///< and pairs of bodies that passed each other in such
  int contacts = 0;
  double min_distance = 0;  ///< of any pair in contact range; infinity when there is none
  /// What is compared with the tolerance, m/s: the last Newton step over h; of AdamW, the motion that the residual would make.
  double newton_speed = 0;
  double tolerance_speed = 0;  ///< the tolerance at that point, m/s
  /// The norm of the forces that the last solve left over, N (Objective::residual).
  double residual = 0;
  BodyPart worst_point;      ///< where that was measured
  StepCulprit limited_by;    ///< what allowed the smallest step in a line search
  double smallest_step = 1;  ///< and the step it allowed
  Energies energies;
  double rigidity_error = 0;     ///< largest deviation of a stiff body from a rigid motion, as a strain
  double barrier_stiffness = 0;  ///< the largest of any contact, J/m^4, or Pa where area-weighted
  double seconds = 0;
  Profile profile;

  int iterations() const { return newton_iterations + adamw_iterations; }
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

/// What the defaults became for one body, from its own size.
struct BodyDerived {
  double length = 0;             ///< diagonal of its box at rest, m
  double contact_distance = 0;   ///< d-hat, m; of two bodies the smaller one counts
  bool distance_capped = false;  ///< because the body would push on itself at rest
  double static_speed = 0;       ///< m/s; of two bodies the smaller one counts
  double tolerance_speed = 0;    ///< m/s
  bool operator==(const BodyDerived&) const = default;
};

/// Values derived from the scene, for the log and the summary. The single ones are the smallest of all bodies
/// that are not obstacles.
struct Derived {
  std::vector<BodyDerived> bodies;  ///< infinite for obstacles, which take the values of what they meet
  double length = 0, contact_distance = 0, static_speed = 0, tolerance_speed = 0;
};

}  // namespace bulwark
