// Forces that do not depend on the positions: gravity and loads. Energy -f . (q - reference).
#pragma once

#include <bulwark/terms/term.hpp>

namespace bulwark {

class ConstantForce : public Term {
 public:
  /// One force per control (N), constant during a step. The reference only shifts the energy; taking it at
  /// the start of the step keeps small changes of the energy clear of rounding.
  void set_force(Vectors force, const Vectors& reference) {
    force_ = std::move(force);
    reference_ = reference;
  }

  const Vectors& force() const { return force_; }

  double energy(const Vectors& q) const override { return -force_.cwiseProduct(q - reference_).sum(); }
  void add_gradient(const Vectors&, Vectors& gradient) const override { gradient -= force_; }
  void hessian(const Vectors&, const HessianModel&, const BlockMap&, HessianBlocks& blocks) const override {
    blocks.controls.resize(0);
  }

 private:
  Vectors force_, reference_;
};

}  // namespace bulwark
