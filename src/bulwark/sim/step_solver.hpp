// Solves one time step: owns the terms of a world, and turns its state at the start of the step into the
// state at its end. Simulation adds the loop around it: retries in parts, reports.
#pragma once

#include <bulwark/base/profile.hpp>
#include <bulwark/integrate/integrator.hpp>
#include <bulwark/sim/barrier_stiffness.hpp>
#include <bulwark/sim/damping_terms.hpp>
#include <bulwark/sim/joint_system.hpp>
#include <bulwark/sim/reactions.hpp>
#include <bulwark/sim/report.hpp>
#include <bulwark/sim/settings.hpp>
#include <bulwark/sim/world.hpp>
#include <bulwark/solve/linear_solver.hpp>
#include <bulwark/solve/newton.hpp>
#include <bulwark/terms/barrier_contact.hpp>
#include <bulwark/terms/constant_force.hpp>
#include <bulwark/terms/elasticity.hpp>
#include <bulwark/terms/friction.hpp>
#include <bulwark/terms/orthogonality.hpp>
#include <bulwark/terms/rods.hpp>
#include <bulwark/terms/script_pull.hpp>
#include <bulwark/terms/shells.hpp>

#include <memory>
#include <vector>

namespace bulwark {

/// Values derived from the scene at the start, for the log and the summary.
Derived derive(const World& world, const Settings& settings);

/// The derived values after a change between steps. Lengths, speeds and the contact distance stay those of
/// the start, so that no contact jumps; where nothing could move before, the values are derived anew. The
/// mass that the barrier is made for stays too, unless soft bodies come to stiff ones or all soft ones leave.
Derived derive_after_change(const Derived& derived, const World& before, const World& world,
                            const Settings& settings);

class StepSolver {
 public:
  /// World, settings and derived values must outlive the solver.
  StepSolver(World& world, const Settings& settings, const Derived& derived, Profile& profile);

  /// One minimisation over a time h that ends at `time`. Moves the world's state (but for step and time) when
  /// it succeeds, and leaves it alone when it fails. Adds to the report either way.
  bool solve(double h, double time, const Integrator& integrator, StepReport& report);

  /// Accelerations of the free controls as if they began to move now.
  void set_start_acceleration();
  /// After the state was replaced.
  void restored();

  Energies energies();
  const BarrierContact* contact() const { return contact_.get(); }  ///< null when contact is off
  const Friction* friction() const { return friction_.get(); }
  std::vector<ContactDamping> contact_damping() const { return damping_.of_contacts(world_.state.position); }
  /// Contact forces on the vertices of the collision mesh (N).
  Vectors vertex_contact_forces();
  /// The joints at the end of the last step; empty before the first.
  const std::vector<JointState>& joint_states() const { return joint_states_; }
  /// What held the bodies' held parts at the end of the last step; empty before the first.
  const std::vector<Reaction>& reactions() const { return reactions_; }
  /// After a motor or spring was steered (joint_steering.hpp).
  void steered(int drive) { joints_.renew_drive(drive); }
  std::vector<double> von_mises_stress() const { return elasticity_.von_mises_stress(world_.state.position); }

 private:
  Vectors external_force(double time, const Vectors& q) const;
  std::vector<Term*> terms();
  StiffnessBounds bounds() const;
  void set_stiffness(const Vectors& q, const Integrator& integrator);
  NewtonOptions newton_options(double tolerance_speed, double h);
  bool move_scripts(Vectors& q, double time, double h, const Integrator& integrator, StepReport& report);
  bool pull_scripts(Vectors& q, const Vectors& start, const Vectors& target, double h, StepReport& report);
  void begin_at_flight(Vectors& q, const Vectors& target);
  bool solve_with_joints(Vectors& q, double h, StepReport& report);
  bool solve_with_friction(Vectors& q, double h, StepReport& report);
  void add_to(StepReport& report, const SolveRecord& record, double h) const;
  bool any_friction() const;
  void note_reactions(const Vectors& q);

  World& world_;
  const Settings& settings_;
  const Derived& derived_;
  Profile& profile_;

  Eigen::SparseMatrix<double> mass_;
  double loaded_stiffness_ = 0;  ///< what the contact forces at the start of the step ask for
  double nodal_mass_;            ///< average over the controls that have a mass
  Psd psd_;
  std::unique_ptr<LinearSolver> linear_;
  Elasticity elasticity_;
  Orthogonality orthogonality_;
  Shells shells_;
  Rods rods_;
  ConstantForce external_;
  std::unique_ptr<BarrierContact> contact_;
  std::unique_ptr<Friction> friction_;
  ScriptPull pull_;
  JointSystem joints_;
  std::vector<JointState> joint_states_;
  std::vector<Reaction> reactions_;
  DampingTerms damping_;
  Objective objective_;
};

}  // namespace bulwark
