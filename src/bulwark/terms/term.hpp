// A term of the energy: all physics of a scene is a sum of these. Energies are in joules, gradients in
// newtons.
//
// A term is a function of where it is evaluated. What it depends on beside the controls is set in steps with
// a name: begin_step, focus, prepare. In between, energy, gradient and Hessian are constant functions: the
// same call gives the same bits, however often and in whatever order they are asked for.
#pragma once

#include <bulwark/math/block_matrix.hpp>
#include <bulwark/math/types.hpp>
#include <bulwark/terms/control_path.hpp>
#include <bulwark/terms/hessian_model.hpp>
#include <bulwark/terms/step_limit.hpp>

#include <utility>
#include <vector>

namespace bulwark {

/// A term's Hessian: blocks of controls, and blocks that are in the unknowns of rigid bodies already (keyed
/// by the controls that stand for them: p for the center, the first column of A for the rotation).
struct HessianBlocks {
  BlockList controls, unknowns;
};

class Term {
 public:
  virtual ~Term() = default;

  /// Called when a time step begins.
  virtual void begin_step() {}
  /// Controls without a row in the map stand still until the next call: what depends on them alone is a
  /// constant, and may be left out of energies, gradients and Hessians. All of it counts again when
  /// everything that can move does. Called where the term is prepared.
  virtual void focus(const BlockMap& /*map*/, bool /*everything_moves*/) {}
  /// Called at every new iterate before gradient and Hessian are asked for: the place to update what depends
  /// on it (the set of active contacts).
  virtual void prepare(const Vectors& /*q*/) {}
  /// An iteration of Newton's method begins at q, where the term is prepared: the place to learn from the
  /// iterates what a model of the Hessian needs. The exact one does not depend on it.
  virtual void note_iterate(const Vectors& /*q*/) {}
  /// At any q, prepared or not.
  virtual double energy(const Vectors& q) const = 0;
  /// At q, where the term is prepared, as is the Hessian.
  virtual void add_gradient(const Vectors& q, Vectors& gradient) const = 0;
  /// `map` says which controls move, and how; most terms leave it to the assembler.
  virtual void hessian(const Vectors& q, const HessianModel& model, const BlockMap& map,
                       HessianBlocks& blocks) const = 0;
  /// What Rayleigh damping takes for the Hessian at q, where the term is prepared: semi-definite, and all of
  /// it in the controls. By default the projected Hessian; a term with blocks of unknowns says it in
  /// controls.
  virtual void damped_hessian(const Vectors& q, BlockList& blocks) const {
    HessianBlocks all;
    hessian(q, HessianModel::projected(Psd::clamp), BlockMap{}, all);
    blocks = std::move(all.controls);
  }
  /// The largest part of the path that keeps the term finite throughout. Afterwards the term must be able to
  /// evaluate its energy anywhere on that part.
  virtual StepLimit largest_step(const ControlPath& /*path*/) { return {}; }
  /// Looks ahead from q, where the term is prepared: what the first `part` of a path runs into, and a Hessian at q does
  /// not know of, enters the Hessian and add_foreseen_gradient() until the next iterate is noted. Both stay those
  /// of a convex function that is zero at q and nowhere negative. Returns whether they changed.
  virtual bool foresee(const ControlPath& /*path*/, double /*part*/) { return false; }
  virtual void add_foreseen_gradient(Vectors& /*gradient*/) const {}
  /// The step's size in the term's own measure, where the motion alone does not tell whether the term is
  /// resolved: a solve has converged only when this is at most 1. The controls that it is above 1 for are
  /// marked in `unresolved`, one flag per control, where it is given.
  virtual double step_measure(const Vectors& /*q*/, const Vectors& /*dq*/,
                              std::vector<char>* /*unresolved*/ = nullptr) const {
    return 0;
  }
};

}  // namespace bulwark
