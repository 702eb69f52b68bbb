// What a scene says of patch-penalty contact (docs/patch-contact.md): for the
// whole scene, and for pairs of bodies that differ from it.
#pragma once

#include <optional>

namespace bulwark {

struct PatchPenaltySettings {
  std::optional<double> stiffness;       ///< k of F = k sqrt(A/pi) d, Pa
  std::optional<double> area_stiffness;  ///< k of F = k A d, Pa/m
  std::optional<double> young;           ///< of both bodies, Pa: k as Hertz has it
  std::optional<double> poisson;         ///< of both bodies
  std::optional<double> restitution;
  std::optional<double> static_friction;  ///< above the coefficient of sliding;
                                          ///< the same where absent
  std::optional<int> detection_ahead;     ///< steps from the beginning of a
                                          ///< detection to its use; of scenes alone
  bool operator==(const PatchPenaltySettings&) const = default;

  bool has_stiffness() const { return stiffness || area_stiffness || young; }
  /// These, and from others what is absent here. A stiffness of one kind
  /// replaces those of all kinds.
  PatchPenaltySettings over(const PatchPenaltySettings& others) const {
    PatchPenaltySettings all = *this;
    if (!has_stiffness()) {
      all.stiffness = others.stiffness;
      all.area_stiffness = others.area_stiffness;
      all.young = others.young;
    }
    if (!poisson) all.poisson = others.poisson;
    if (!restitution) all.restitution = others.restitution;
    if (!static_friction) all.static_friction = others.static_friction;
    if (!detection_ahead) all.detection_ahead = others.detection_ahead;
    return all;
  }
};

inline constexpr double default_poisson = 0.3, default_restitution = 0.5;
inline constexpr int default_detection_ahead = 10;

}  // namespace bulwark
