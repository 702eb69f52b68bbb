#include <bulwark/base/parallel.hpp>
#include <bulwark/terms/pressure_patches.hpp>

#include <algorithm>
#include <utility>

namespace bulwark {
namespace {

/// Part of the slip at which friction begins to slide that a Newton step of a patch that sticks may have.
constexpr double resolved_slip = 0.05;

}  // namespace

void PressurePatches::set(std::vector<Patch> patches, Vectors start) {
  patches_ = std::move(patches);
  start_ = std::move(start);
}

Vector3 PressurePatches::displacement(const Patch& patch, const Vectors& q) const {
  Vector3 sum = Vector3::Zero();
  for (const auto& [control, weight] : patch.shares) sum += weight * (q.col(control) - start_.col(control));
  return sum;
}

Vector3 PressurePatches::normal_force(const Patch& patch, const Vectors& q) const {
  return pressure_patch_force(patch.pressure, patch.normal.dot(displacement(patch, q))) * patch.normal;
}

Vector3 PressurePatches::friction_force(const Patch& patch, const Vectors& q) const {
  if (!(patch.friction.strength > 0)) return Vector3::Zero();
  return -friction_gradient(patch.friction, slip(patch, displacement(patch, q)), patch.smooth);
}

double PressurePatches::energy(const Vectors& q) const {
  return parallel_sum(patches_.size(), [&](std::size_t k) {
    const Patch& patch = patches_[k];
    const Vector3 d = displacement(patch, q);
    double energy = pressure_patch_energy(patch.pressure, patch.normal.dot(d));
    if (patch.friction.strength > 0) energy += friction_energy(patch.friction, slip(patch, d), patch.smooth);
    return energy;
  });
}

void PressurePatches::add_gradient(const Vectors& q, Vectors& gradient) const {
  std::vector<Vector3> force(patches_.size());
  parallel_for(patches_.size(), [&](std::size_t k) {
    force[k] = normal_force(patches_[k], q) + friction_force(patches_[k], q);
  });
  for (std::size_t k = 0; k < patches_.size(); ++k) {
    for (const auto& [control, weight] : patches_[k].shares) gradient.col(control) -= weight * force[k];
  }
}

void PressurePatches::hessian(const Vectors& q, const HessianModel&, const BlockMap&,
                              HessianBlocks& blocks) const {
  fill_combination_blocks(
      patches_.size(), [&](std::size_t k, std::vector<ControlShare>& shares) { shares = patches_[k].shares; },
      [&](std::size_t k) -> Matrix3 {
        const Patch& patch = patches_[k];
        const Vector3 d = displacement(patch, q);
        Matrix3 hessian = pressure_patch_curvature(patch.pressure, patch.normal.dot(d)) * patch.normal *
                          patch.normal.transpose();
        if (patch.friction.strength > 0)
          hessian += friction_hessian(patch.friction, slip(patch, d), patch.smooth);
        return hessian;
      },
      blocks.controls);
}

double PressurePatches::step_measure(const Vectors& q, const Vectors& dq,
                                     std::vector<char>* unresolved) const {
  double largest = 0;
  for (const Patch& patch : patches_) {
    if (!(patch.friction.strength > 0)) continue;
    const Vector2 now = slip(patch, displacement(patch, q));
    if (now.norm() >= patch.smooth) continue;
    Vector3 change = Vector3::Zero();
    for (const auto& [control, weight] : patch.shares) change += weight * dq.col(control);
    const double measure = slip(patch, change).norm() / (resolved_slip * patch.smooth);
    largest = std::max(largest, measure);
    if (unresolved == nullptr || !(measure > 1)) continue;
    for (const auto& share : patch.shares) (*unresolved)[share.control] = 1;
  }
  return largest;
}

}  // namespace bulwark
