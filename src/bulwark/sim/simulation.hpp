// The step loop. A Simulation owns a World and moves it forward, one minimisation per time step.
#pragma once

#include <bulwark/sim/joint_system.hpp>
#include <bulwark/sim/report.hpp>
#include <bulwark/sim/settings.hpp>
#include <bulwark/sim/world.hpp>

#include <memory>
#include <vector>

namespace bulwark {

class Simulation {
 public:
  /// Checks the start state exactly; throws IntersectionError naming the bodies, elements and coordinates.
  Simulation(World world, const Settings& settings);
  ~Simulation();
  Simulation(Simulation&&) noexcept;

  /// One time step. Throws StepFailure when it can't be solved, even in parts; the world then is as before.
  StepReport step();

  const World& world() const;
  const Settings& settings() const;
  const Derived& derived() const;

  /// Continues from a saved state.
  void restore(const State& state);

  /// Contacts at the current state, with the forces of the last step.
  std::vector<ContactForce> contacts() const;
  /// Contact and friction force on every control (N).
  Vectors contact_forces() const;
  /// The same on the vertices of the collision mesh.
  Vectors vertex_contact_forces() const;
  /// The world's joints at the end of the last step, with the forces that they carry; empty before the first.
  const std::vector<JointState>& joint_states() const;
  /// Von Mises stress of every tetrahedron (Pa).
  std::vector<double> von_mises_stress() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace bulwark
