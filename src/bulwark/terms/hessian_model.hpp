// What stands for the Hessian of a term. `exact` is the derivative of the gradient; the others help Newton's
// method along, and the solver asks for them by name (Objective::begin_iteration).
#pragma once

#include <bulwark/math/psd.hpp>

namespace bulwark {

struct HessianModel {
  /// Contacts between stiff bodies: the whole Hessian, or the barrier's curvature along the normal alone.
  /// That costs a fraction and does for most solves, but leaves out how the normal bends, and stalls in hard
  /// impacts.
  enum class Contact { whole, normal };
  /// Friction: its derivative, or with the stiffness of a secant where the slip has jumped over the stick
  /// zone (Friction::note_iterate).
  enum class Friction { tangent, secant };

  Psd psd = Psd::none;  ///< what becomes of negative eigenvalues
  Contact contact = Contact::whole;
  Friction friction = Friction::tangent;

  /// The derivative of the gradient.
  static constexpr HessianModel exact() { return {Psd::none, Contact::whole, Friction::tangent}; }
  /// The same made semi-definite part by part.
  static constexpr HessianModel projected(Psd psd) { return {psd, Contact::whole, Friction::tangent}; }
  /// For the first iterations of a step.
  static constexpr HessianModel quick(Psd psd) { return {psd, Contact::normal, Friction::secant}; }
  /// For those that follow when the first were not enough.
  static constexpr HessianModel thorough(Psd psd) { return {psd, Contact::whole, Friction::secant}; }
};

}  // namespace bulwark
