// Augmented Lagrangian that pulls scripted controls to their targets when the straight path is blocked:
//   sum_k  kappa_k/2 m_k |q_k - target_k|^2 - sqrt(m_k) lambda_k . (q_k - target_k)
#pragma once

#include <bulwark/terms/term.hpp>

#include <vector>

namespace bulwark {

class ScriptPull : public Term {
 public:
  /// Pulls `controls` with masses `mass` from `start` to the same columns of `target`. stiffness: of each entry
  /// of `controls`, 1/s^2.
  void begin(std::vector<int> controls, const VectorX& mass, const Vectors& start, const Vectors& target,
             VectorX stiffness);

  /// 1 - sqrt( sum |target - q|^2 / sum |target - start|^2 ): 1 when all have arrived.
  double progress(const Vectors& q) const;
  /// Doubles what is below `stiffest`; false where nothing is.
  bool stiffen(double stiffest);
  void update_multipliers(const Vectors& q);

  double energy(const Vectors& q) const override;
  void add_gradient(const Vectors& q, Vectors& gradient) const override;
  void hessian(const Vectors& q, const HessianModel& model, const BlockMap& map,
               HessianBlocks& blocks) const override;

 private:
  std::vector<int> controls_;
  VectorX mass_, stiffness_;  ///< per entry of controls_
  Vectors start_, target_, multiplier_;
};

}  // namespace bulwark
