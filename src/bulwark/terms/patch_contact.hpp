// Contact patches within one step: springs and sliders (stencils/patch_spring.hpp) at the points of each patch, each
// with its share of the patch's force. Patches, forces and stiffnesses are those of the step's start.
#pragma once

#include <bulwark/collision/contact_patches.hpp>
#include <bulwark/stencils/patch_spring.hpp>
#include <bulwark/terms/term.hpp>
#include <bulwark/terms/vertex_stencils.hpp>

#include <span>
#include <vector>

namespace bulwark {

class PatchContact : public Term {
 public:
  /// The mesh must outlive it.
  explicit PatchContact(const CollisionMesh& mesh) : mesh_(mesh) {}

  /// Takes over patches, of which displacements count from the controls `start`; they have no forces yet.
  void set_patches(ContactPatches patches, const Vectors& start);
  void clear();
  const std::vector<ContactPatch>& patches() const { return patches_.patches; }
  PatchSpring& spring(std::size_t patch) { return springs_[patch]; }
  const PatchSpring& spring(std::size_t patch) const { return springs_[patch]; }

  double energy(const Vectors& q) const override;
  void add_gradient(const Vectors& q, Vectors& gradient) const override;
  void hessian(const Vectors& q, const HessianModel& model, const BlockMap& map,
               HessianBlocks& blocks) const override;
  /// The change of forces in a step over a hundredth of what acts.
  double step_measure(const Vectors& q, const Vectors& dq, std::vector<char>* unresolved) const override;

  /// What a patch does at q.
  struct Acting {
    double normal = 0;                                      ///< N
    Vector3 traction = Vector3::Zero();                     ///< on the second body, N
    Vector3 displacement = Vector3::Zero();                 ///< of the first body against the second
    Vector3 moved[2] = {Vector3::Zero(), Vector3::Zero()};  ///< of each side since the start
  };
  Acting acting(std::size_t patch, const Vectors& q) const;

  /// A bound on the largest eigenvalue of M^-1 K of a patch with normal stiffness 1 (1/kg); `inverse_mass` of the
  /// controls is 0 where they do not move.
  double largest_mode(std::size_t patch, const VectorX& inverse_mass) const;

 private:
  struct Point {
    std::size_t first, end;  ///< of its controls in shares_; those from `second` on are of the second body
    std::size_t second;
    std::size_t patch;
    double share;
  };
  Vector3 displacement(const Point& point, const Vectors& q) const;
  /// Points of a patch; they are in the order of the patches.
  std::span<const Point> points_of(std::size_t patch) const {
    return {points_.data() + patches_.patches[patch].first_point, patches_.patches[patch].point_count};
  }
  std::span<const ControlShare> shares_of(const Point& point) const {
    return {shares_.data() + point.first, point.end - point.first};
  }

  const CollisionMesh& mesh_;
  ContactPatches patches_;
  std::vector<PatchSpring> springs_;  ///< of each patch
  std::vector<Point> points_;
  std::vector<ControlShare> shares_;
  Vectors start_;
};

}  // namespace bulwark
