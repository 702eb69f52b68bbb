// Semi-implicit Rayleigh damping of any other term P: a force -k_d H v that resists the motion as far as P
// resists the displacement. With the Hessian H of P at the beginning of the step, made semi-definite, and the
// velocity that the integrator will give to the new controls, v(q) = c (q - r), it has the potential
//   D(q) = k_d c / 2 (q - r)^T H (q - r),     grad D = k_d H v(q),     Hessian  k_d c H.
// D is convex and least where nothing moves, so it never adds energy, whatever k_d (in seconds) and the step.
// The same with any other matrix for k_d H is a viscous force: that of terms/kelvin_voigt.hpp.
//
// H is taken where the step begins: a contact that begins within a step is damped from the next one on. A
// bounce that the steps resolve takes some ten of them, and there the later choices (H at the end of the
// step, or renewed until both agree) change the energy that is left by a hundredth, but cost solves of their
// own.
#pragma once

#include <bulwark/terms/term.hpp>

#include <functional>
#include <utility>

namespace bulwark {

class RayleighDamping : public Term {
 public:
  /// Damps `term`, which must outlive this, by the coefficient k_d (s).
  RayleighDamping(Term& term, double coefficient);
  /// A force -k C v, where resistance(q, blocks) says C at the controls q.
  using Resistance = std::function<void(const Vectors& q, BlockList& blocks)>;
  explicit RayleighDamping(Resistance resistance, double coefficient = 1)
      : resistance_(std::move(resistance)), coefficient_(coefficient) {}

  using Term::begin_step;
  /// Takes over the Hessian at the controls q, where a step begins whose velocities will be
  /// rate (q' - reference).
  void begin_step(const Vectors& q, const Vectors& reference, double rate);

  /// v(q) of the step that has begun.
  Vectors velocity(const Vectors& q) const { return rate_ * (q - reference_); }

  /// No damping until the step's Hessian is known.
  void begin_step() override { blocks_.resize(0); }
  double energy(const Vectors& q) const override;
  void add_gradient(const Vectors& q, Vectors& gradient) const override;
  void hessian(const Vectors& q, const HessianModel& model, const BlockMap& map,
               HessianBlocks& blocks) const override;

 private:
  Resistance resistance_;
  double coefficient_ = 1;
  BlockList blocks_;  ///< k_d c H; each pair of controls once, by ascending key
  Vectors reference_;
  double rate_ = 0;
};

}  // namespace bulwark
