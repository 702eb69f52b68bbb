// Time integration. A step minimises  1/2 |q - target|^2_M + beta h^2 * (energies); the integrator gives
// target and beta, and turns the minimiser into new velocities.
//
//   implicit Euler   beta 1     target = q + h v                        v' = (q' - q)/h
//   BDF-2            beta 4/9   target = (4q - q0)/3 + 2h/9 (4v - v0)   v' = (4v - v0)/3 + 3/(2h)(q' - target)
//   Newmark          beta 1/4   target = q + h v + h^2/4 a              v' = 2/h (q' - q) - v,  a' = 2/h (v' - v) - a
//   static           beta 1     target = q                              v' = 0
//
// (q0, v0: one step earlier.) A static step repeats this with a growing scale, until inertia has no part in
// it (sim/static_rest.cpp).
#pragma once

#include <bulwark/integrate/state.hpp>

#include <memory>
#include <string>

namespace bulwark {

struct Prediction {
  Vectors target;
  double beta = 1;
  /// The new velocity is v' = rate (q' - reference); damping needs it while q' is sought.
  Vectors reference;
  double rate = 0;            ///< 1/s
  bool from_history = false;  ///< the step before the last enters, as in BDF-2
  /// The accelerations at the step's beginning enter, as in Newmark's method: those of all forces but
  /// contact. A contact acts by its force at the end alone, for the whole step, and so counts twice in the
  /// energies.
  bool from_acceleration = false;
  double contact_weight() const { return from_acceleration ? 2 : 1; }
};

class Integrator {
 public:
  virtual ~Integrator() = default;
  virtual Prediction predict(const State& state, double h) const = 0;
  /// Moves the state to the new positions: positions, velocities, accelerations and history. Not step or
  /// time.
  virtual void advance(State& state, const Vectors& position, double h) const = 0;
  /// Of a regular step.
  virtual double beta() const = 0;
  /// Whether it loses energy fast enough to swallow what a change of stiffness between steps may add.
  virtual bool dissipates() const { return false; }
  /// Whether steps end at rest: their time is that of loads and scripts alone.
  virtual bool is_static() const { return false; }
  /// Whether the first step needs the accelerations of the start.
  virtual bool needs_acceleration() const { return false; }
  /// What integrates a part of a step that was halved so often because it could not be solved: itself, or implicit Euler
  /// where the history belongs to whole steps, or the method keeps what makes a step hard to solve.
  virtual const Integrator& for_part_of_step(int /*failures*/) const { return *this; }
};

/// By the scene file's name: "implicit-euler", "bdf2", "newmark", "static".
std::unique_ptr<Integrator> make_integrator(const std::string& name);

}  // namespace bulwark
