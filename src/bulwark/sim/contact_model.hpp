// Contact that is no barrier: bodies overlap, and are pushed apart by a force that grows with the overlap
// (hydroelastic, patch-penalty). StepSolver has one object of each model that a pair of bodies is under; the
// barrier, its filter and the exact checks leave these pairs alone (CollisionMesh::unguarded_pairs).
//
// In a step, StepSolver calls
//   begin_step     once, at the state at its start: detect, freeze the geometry of patches
//   terms          their energies, gradients and Hessians enter the minimisation, at the same weight as the
//                  barrier; all forces go through them
//   lag            before each further solve of the step (contact.friction_iterations; every round of
//                  statics): take geometry and normal forces over from where the solve ended
//   end_step       once the solve was accepted, at the positions where it ended: leave the history in the state
//   contacts, add_control_forces, work   what acted in the step that ended last
//
// The terms stay as end_step found them until the next step begins.
//
// A step may be taken back and tried again in parts, from the state that it began with; a run may be resumed, and
// bodies removed or added between steps. So all that a model knows from step to step is in
// State::contact_history: begin_step must be a function of the state and of its arguments alone, to the last bit.
#pragma once

#include <bulwark/collision/contact_model_kind.hpp>
#include <bulwark/integrate/state.hpp>
#include <bulwark/sim/derive.hpp>
#include <bulwark/sim/report.hpp>
#include <bulwark/sim/settings.hpp>
#include <bulwark/sim/world.hpp>
#include <bulwark/terms/term.hpp>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace bulwark {

/// The step that begins.
struct ContactStep {
  double h = 0;     ///< s; of a static step static_time, by which friction measures its slip
  double time = 0;  ///< at its end, s
  /// No inertia and no velocities: nothing is damped.
  bool statics = false;
  /// By the integrator of this step: the part of a spring's change in it that neither damps nor drives, and the factor of
  /// h^2 by which forces move.
  double neutral = 0, force_scale = 1;
};

class ContactModel {
 public:
  virtual ~ContactModel() = default;
  virtual ContactModelKind kind() const = 0;

  /// A step, or a part of one, begins at the world's state.
  virtual void begin_step(const ContactStep& step) = 0;
  /// The same step is solved again from q: renew what was frozen. Displacements count from the step's start.
  virtual void lag(const Vectors& q) = 0;
  /// The model's terms; the pointers stay the same as long as the model lives.
  virtual std::vector<Term*> terms() = 0;
  /// The solve ended at q. `state` is the new one; the model replaces its own items of
  /// state.contact_history (put_history), and keeps what contacts() and add_control_forces() say.
  virtual void end_step(const Vectors& q, State& state) = 0;
  /// The state was replaced from outside: nothing of the step before counts any more.
  virtual void restored() = 0;

  /// What acted at the end of the last step: one item for each patch. `distance` is minus the depth.
  virtual std::vector<ContactForce> contacts() const = 0;
  /// Adds the forces of the last step on the controls (N), normal ones and friction.
  virtual void add_control_forces(Vectors& forces) const = 0;
};

/// Why a body can't touch by a model, for people; empty where it can.
std::string model_refusal(const World& world, int body, ContactModelKind kind);

/// The model of two bodies: that of `contact.pairs`, else the scene's where it can be had for both of them, else
/// the barrier.
ContactModelKind contact_model_between(const World& world, int body_a, int body_b);

/// Derives CollisionMesh::unguarded_pairs from the models and from what else the bodies collide by. To be called after
/// any of them was changed, or bodies were added.
void update_contact_models(World& world);

/// The pairs of bodies (smaller index first, sorted) under a model.
std::vector<std::array<int, 2>> pairs_under(const World& world, ContactModelKind kind);

/// Removes what the state remembers of contacts of pairs that have another model by now.
void forget_other_models(World& world);

/// Replaces the items of a model in the state's history. They are sorted by bodies, stably.
void put_history(State& state, ContactModelKind kind, std::vector<ContactHistory> items);

/// Which bodies nothing keeps apart, in a sentence without its stop; empty where all that collides is kept apart.
std::string missing_promise(const World& world, const ContactSettings& settings);

/// The models that the world's pairs are under, in the order of their kinds; no barrier, no `none`. All arguments
/// must outlive them.
std::vector<std::unique_ptr<ContactModel>> make_contact_models(const World& world, const Settings& settings,
                                                               const Derived& derived);

}  // namespace bulwark
