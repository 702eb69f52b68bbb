// Hydroelastic contact: the sum over all patches of equal pressure, with friction. Patches are found outside, by
// sim/hydroelastic_contact.hpp, and stay as they are while a solve runs.
#pragma once

#include <bulwark/stencils/friction.hpp>
#include <bulwark/stencils/pressure_patch.hpp>
#include <bulwark/terms/term.hpp>
#include <bulwark/terms/vertex_stencils.hpp>

#include <vector>

namespace bulwark {

class PressurePatches : public Term {
 public:
  struct Patch {
    int body_a = 0, body_b = 0;
    /// Controls and weights whose sum is the point of A at the center, less that of B. Each control once.
    std::vector<ControlShare> shares;
    Vector3 center, normal;  ///< where it was found; into A
    double area = 0;
    PressurePatch pressure;
    FrictionPair friction{};  ///< its strength is 0 where there is none
    double smooth = 0;        ///< slip below which friction is static (m)
  };

  /// The patches of the solves to come, which measure motion from the controls `start`.
  void set(std::vector<Patch> patches, Vectors start);
  const std::vector<Patch>& patches() const { return patches_; }

  /// Motion of A's point less that of B's since the start.
  Vector3 displacement(const Patch& patch, const Vectors& q) const;
  /// On A (N), the friction apart.
  Vector3 normal_force(const Patch& patch, const Vectors& q) const;
  Vector3 friction_force(const Patch& patch, const Vectors& q) const;

  double energy(const Vectors& q) const override;
  void add_gradient(const Vectors& q, Vectors& gradient) const override;
  /// Never negative: there is nothing to project.
  void hessian(const Vectors& q, const HessianModel& model, const BlockMap& map,
               HessianBlocks& blocks) const override;
  /// As Friction's: what sticks has to be resolved within the slip at which it begins to slide.
  double step_measure(const Vectors& q, const Vectors& dq, std::vector<char>* unresolved) const override;

 private:
  Vector2 slip(const Patch& patch, const Vector3& displacement) const {
    return patch.friction.tangent.transpose() * displacement;
  }

  std::vector<Patch> patches_;
  Vectors start_;
};

}  // namespace bulwark
