// Solves one time step: owns the terms of a world, and turns its state at the start of the step into the
// state at its end. Simulation adds the loop around it: retries in parts, reports.
#pragma once

#include <bulwark/base/profile.hpp>
#include <bulwark/integrate/integrator.hpp>
#include <bulwark/sim/adaptive_contact.hpp>
#include <bulwark/sim/contact_model.hpp>
#include <bulwark/sim/contact_pressure.hpp>
#include <bulwark/sim/damping_terms.hpp>
#include <bulwark/sim/derive.hpp>
#include <bulwark/sim/energy_keeping.hpp>
#include <bulwark/sim/joint_system.hpp>
#include <bulwark/sim/reactions.hpp>
#include <bulwark/sim/report.hpp>
#include <bulwark/sim/settings.hpp>
#include <bulwark/sim/world.hpp>
#include <bulwark/solve/adamw.hpp>
#include <bulwark/solve/linear_solver.hpp>
#include <bulwark/solve/newton.hpp>
#include <bulwark/terms/barrier_contact.hpp>
#include <bulwark/terms/constant_force.hpp>
#include <bulwark/terms/elastic_term.hpp>
#include <bulwark/terms/friction.hpp>
#include <bulwark/terms/orthogonality.hpp>
#include <bulwark/terms/rolling_resistance.hpp>
#include <bulwark/terms/script_pull.hpp>

#include <array>
#include <limits>
#include <memory>
#include <vector>

namespace bulwark {

/// Whether a step that was solved kept the promises of a step.
struct StepVerdict {
  /// Energy that the step ended with beyond what it began with, the work done on it and the solver's
  /// tolerance (J); infinite where an energy is not finite.
  double energy_gain = 0;
  std::vector<std::array<int, 2>> passed;  ///< bodies that got past each other
  bool kept() const { return !(energy_gain > 0) && passed.empty(); }
};

class StepSolver {
 public:
  /// World, settings and derived values must outlive the solver.
  StepSolver(World& world, const Settings& settings, const Derived& derived, Profile& profile);

  /// One minimisation over a time h that ends at `time`. Moves the world's state (but for step and time) when
  /// it succeeds, and leaves it alone when it fails. Adds to the report either way.
  bool solve(double h, double time, const Integrator& integrator, StepReport& report);
  /// Of the last solve that succeeded; what is not to be checked (settings) counts as kept.
  const StepVerdict& verdict() const { return verdict_; }

  /// Accelerations of the free controls as if they began to move now.
  void set_start_acceleration();
  /// After the state was replaced.
  void restored();
  /// Looks which of the flagged bodies (all, where there are no flags) are closer to others than their
  /// contact distance, for the state to remember. To be called where bodies were put somewhere.
  void find_close_bodies(const std::vector<char>& placed = {}) {
    if (adaptive_) adaptive_->find_close_bodies(placed);
  }

  /// What the last step minimised, with the terms as it left them.
  Objective& objective() { return objective_; }

  Energies energies();
  const BarrierContact* contact() const { return contact_.get(); }  ///< null when contact is off
  const Friction* friction() const { return friction_.get(); }
  /// Those of pairs that are not under the barrier.
  const std::vector<std::unique_ptr<ContactModel>>& contact_models() const { return models_; }
  std::vector<ContactDamping> contact_damping() const { return damping_.of_contacts(world_.state.position); }
  /// Contact forces on the vertices of the collision mesh (N).
  VertexForces vertex_contact_forces();
  /// The joints, and what held the bodies' held parts, at the end of the last step; empty before the first.
  struct Carried {
    std::vector<JointState> joints;
    std::vector<Reaction> reactions;
  };
  const Carried& carried() const { return carried_; }
  /// After a step that failed: those of the last one that did not.
  void set_carried(Carried carried) { carried_ = std::move(carried); }
  /// After a motor or spring was steered (joint_steering.hpp).
  void steered(int drive) { joints_.renew_drive(drive); }
  /// Von Mises stress of the world's solid elements, Pa.
  std::vector<double> von_mises_stress() const;

 private:
  Vectors external_force(double time, const Vectors& q) const;
  std::vector<WeightedTerm> terms();
  ContactMoment contact_moment(const Vectors& q, const Vectors& before);
  Vectors gradient_of_contacts(const Vectors& q);
  void add_model_gradients(const Vectors& q, Vectors& gradient) const;
  double work_of_models(const State& before) const;
  void leave_out_contact_forces();
  void keep_energy_of(EnergyStep& step, const State& before);
  StepVerdict judge(const State& before, const Energies& energies_before, const Integrator& integrator,
                    const Prediction& prediction, const Vectors& gradient);
  double work_done(const State& before, const Vectors& gradient);
  NewtonOptions newton_options(double times_tolerance, double h, const StepReport& report);
  SolveRecord minimise_objective(Vectors& q, double h, const NewtonOptions& options, StepReport& report);
  bool move_scripts(Vectors& q, double time, double h, const Integrator& integrator, StepReport& report);
  bool pull_scripts(Vectors& q, const Vectors& start, const Vectors& target, const LimitCause& blocker,
                    double h, StepReport& report);
  void note_pull(const std::vector<int>& moving, const Vectors& q);
  void begin_at_flight(Vectors& q, const Vectors& target, const Vector3& gravity);
  struct NewtonLimits {
    double times_tolerance = 1;
    int iterations = std::numeric_limits<int>::max();
  };
  bool solve_with_joints(Vectors& q, double h, StepReport& report, const NewtonLimits& limits);
  bool solve_with_friction(Vectors& q, double h, StepReport& report);
  bool come_to_rest(Vectors& q, double time, StepReport& report);
  bool by_adamw() const { return settings_.solver.minimiser == "adamw"; }
  void add_to(StepReport& report, const SolveRecord& record, double h) const;
  bool any_friction() const;
  void lag_friction();
  void lag_contacts(const Vectors& q);
  void note_reactions(const Vectors& q, const Vectors& gradient);

  World& world_;
  const Settings& settings_;
  const Derived& derived_;
  Profile& profile_;

  Eigen::SparseMatrix<double> mass_;
  std::vector<int> control_body_;
  VectorX tolerance_speed_;  ///< per control, m/s
  ContactScales scales_;
  bool accelerations_count_ = false;         ///< whether the scene's integrator goes by them
  double contact_weight_ = 1;                ///< of this step, see Prediction
  std::unique_ptr<ForceResponse> response_;  ///< where contact is implicit
  Psd psd_;
  std::unique_ptr<LinearSolver> linear_;
  std::vector<std::unique_ptr<ElasticTerm>> elastic_;
  Orthogonality orthogonality_;
  ConstantForce external_;
  std::unique_ptr<BarrierContact> contact_;
  std::unique_ptr<AdaptiveContact> adaptive_;
  std::unique_ptr<RollingResistance> resistance_;  ///< where any body has some
  std::unique_ptr<Friction> friction_;
  std::vector<std::unique_ptr<ContactModel>> models_;
  ScriptPull pull_;
  VectorX pull_force_;  ///< per control, N
  JointSystem joints_;
  Carried carried_;
  StepVerdict verdict_;
  DampingTerms damping_;
  Objective objective_;
};

}  // namespace bulwark
