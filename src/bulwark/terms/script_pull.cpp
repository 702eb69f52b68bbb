#include <bulwark/terms/script_pull.hpp>

#include <cmath>

namespace bulwark {

void ScriptPull::begin(std::vector<int> controls, const VectorX& mass, const Vectors& start,
                       const Vectors& target, VectorX stiffness) {
  controls_ = std::move(controls);
  const auto count = static_cast<Eigen::Index>(controls_.size());
  mass_.resize(count);
  start_.resize(3, count);
  target_.resize(3, count);
  multiplier_ = Vectors::Zero(3, count);
  stiffness_ = std::move(stiffness);
  for (Eigen::Index k = 0; k < count; ++k) {
    mass_[k] = mass[controls_[k]];
    start_.col(k) = start.col(controls_[k]);
    target_.col(k) = target.col(controls_[k]);
  }
}

double ScriptPull::progress(const Vectors& q) const {
  double left = 0;
  for (std::size_t k = 0; k < controls_.size(); ++k)
    left += (target_.col(k) - q.col(controls_[k])).squaredNorm();
  const double whole = (target_ - start_).squaredNorm();
  return whole > 0 ? 1 - std::sqrt(left / whole) : 1;
}

bool ScriptPull::stiffen(double stiffest) {
  bool any = false;
  for (double& own : stiffness_) {
    if (!(own < stiffest)) continue;
    own *= 2;
    any = true;
  }
  return any;
}

void ScriptPull::update_multipliers(const Vectors& q) {
  for (std::size_t k = 0; k < controls_.size(); ++k) {
    multiplier_.col(k) -= stiffness_[k] * std::sqrt(mass_[k]) * (q.col(controls_[k]) - target_.col(k));
  }
}

double ScriptPull::energy(const Vectors& q) const {
  double sum = 0;
  for (std::size_t k = 0; k < controls_.size(); ++k) {
    const Vector3 away = q.col(controls_[k]) - target_.col(k);
    sum += stiffness_[k] / 2 * mass_[k] * away.squaredNorm() -
           std::sqrt(mass_[k]) * multiplier_.col(k).dot(away);
  }
  return sum;
}

void ScriptPull::add_gradient(const Vectors& q, Vectors& gradient) const {
  for (std::size_t k = 0; k < controls_.size(); ++k) {
    const Vector3 away = q.col(controls_[k]) - target_.col(k);
    gradient.col(controls_[k]) += stiffness_[k] * mass_[k] * away - std::sqrt(mass_[k]) * multiplier_.col(k);
  }
}

void ScriptPull::hessian(const Vectors&, const HessianModel&, const BlockMap&, HessianBlocks& blocks) const {
  blocks.controls.resize(controls_.size());
  for (std::size_t k = 0; k < controls_.size(); ++k) {
    blocks.controls.set(k, controls_[k], controls_[k], stiffness_[k] * mass_[k] * Matrix3::Identity());
  }
}

}  // namespace bulwark
