// The step loop. A Simulation owns a World and moves it forward, one minimisation per time step.
#pragma once

#include <bulwark/sim/contact_pressure.hpp>
#include <bulwark/sim/joint_state.hpp>
#include <bulwark/sim/joint_steering.hpp>
#include <bulwark/sim/reactions.hpp>
#include <bulwark/sim/report.hpp>
#include <bulwark/sim/settings.hpp>
#include <bulwark/sim/world.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace bulwark {

class SteeredJoint;

class Simulation {
 public:
  /// Checks the start state exactly; throws IntersectionError naming the bodies, elements and coordinates.
  Simulation(World world, const Settings& settings);
  ~Simulation();
  Simulation(Simulation&&) noexcept;

  /// One time step. Throws StepFailure when it can't be solved, even in parts, and Interrupted when
  /// `Settings::stop` says so; the world then is as before.
  StepReport step();

  /// Changes the world between steps: `edit` adds and removes bodies, holds or loads (the functions of
  /// world.hpp and remove_body.hpp) on a copy, which is then checked exactly and taken over; returns the
  /// world as it was. Where bodies touch or pass through each other after the edit, throws IntersectionError
  /// naming them; the simulation then is as before, as after any other exception.
  ///
  /// The values that the defaults become are those of the bodies (derive). The integrator's past of bodies
  /// that were there stays; new ones get one of free motion. Motions and tables of what is added begin now.
  World change(const std::function<void(World&)>& edit);

  /// Sets the positions and velocities of all controls between steps (body_state.hpp makes them), checked
  /// like a change. Controls that follow a script can't be moved.
  void move_to(const Vectors& position, const Vectors& velocity);

  /// Lets a force and a torque act on a body from the next step on, until they are set again.
  void apply(int body, const Applied& applied);
  /// Further forces on all controls (N), to be written between steps; they act until they are changed.
  Vectors& applied_to_controls();

  /// A joint by its name, to read and to steer (steered_joint.hpp). Throws InputError when there is none.
  SteeredJoint joint(const std::string& name);
  /// Has a motor or spring follow what is set, from the next step on (joint_steering.hpp).
  void steer(const std::string& joint, const Steering& steering);
  /// Has it follow the scene again.
  void release(const std::string& joint);

  const World& world() const;
  const Settings& settings() const;
  const Derived& derived() const;

  /// Continues from a saved state; motors and springs are steered as they were in it.
  void restore(const State& state);

  /// Contacts at the current state, with the forces of the last step.
  std::vector<ContactForce> contacts() const;
  /// Contact and friction force on every control (N).
  Vectors contact_forces() const;
  /// The barrier's, with friction, on the vertices of the collision mesh.
  Vectors vertex_contact_forces() const;
  /// Pressure and friction's traction on them (contact_pressure.hpp).
  ContactPressure contact_pressure() const;
  /// The world's joints at the end of the last step, with the forces that they carry; empty before the first.
  const std::vector<JointState>& joint_states() const;
  /// What held the held parts of bodies at the end of the last step (reactions.hpp); empty before the first.
  const std::vector<Reaction>& reactions() const;
  /// Von Mises stress of every tetrahedron (Pa).
  std::vector<double> von_mises_stress() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace bulwark
