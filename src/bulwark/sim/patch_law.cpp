#include <bulwark/sim/patch_law.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace bulwark {
namespace {

/// More damping than for this changes nothing that could be measured.
constexpr double least_restitution = 0.01;

/// Above critical damping nothing overshoots; far above it a patch would creep
/// for long into its hold.
constexpr double most_tangential_damping = 1.5;

}  // namespace

double PatchLaw::extent(double area) const {
  return by_area ? area : std::sqrt(area / std::numbers::pi);
}

double PatchLaw::exponent(const ContactPatch& patch) const {
  return 1 + (by_area ? 1 : 0.5) * patch.growth();
}

double PatchLaw::tangent(const ContactPatch& patch) const {
  return exponent(patch) * normal * extent(patch.area);
}

double PatchLaw::resistance(const ContactPatch& patch) const {
  if (!(damping > 0) || !std::isfinite(mass)) return 0;
  const double secant = normal * extent(patch.area);
  return 2 * damping * std::sqrt(mass * 0.5 * (exponent(patch) + 1) * secant);
}

double PatchLaw::tangential_resistance(const ContactPatch& patch) const {
  if (!(damping > 0) || !std::isfinite(mass)) return 0;
  return 2 * std::min(damping, most_tangential_damping) * std::sqrt(mass * tangential_stiffness(patch));
}

double restitution_of_damping(double zeta) {
  if (!(zeta > 0)) return 1;
  // The angle (or, overdamped, its hyperbolic counterpart) at which the
  // spring's force falls to the dashpot's.
  if (zeta < 1) {
    const double root = std::sqrt((1 - zeta) * (1 + zeta));
    return std::exp(-zeta / root * std::atan2(2 * zeta * root, 2 * zeta * zeta - 1));
  }
  if (zeta == 1) return std::exp(-2.0);
  const double root = std::sqrt((zeta - 1) * (zeta + 1));
  return std::exp(-zeta / root * 2 * std::log(zeta + root));
}

double damping_of_restitution(double restitution) {
  if (restitution >= 1) return 0;
  const double wanted = std::max(restitution, least_restitution);
  double low = 0, high = 10;
  for (int round = 0; round < 100; ++round) {
    const double middle = 0.5 * (low + high);
    (restitution_of_damping(middle) > wanted ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

PatchLaw patch_law(const PatchPenaltySettings& settings, int yielding) {
  PatchLaw law;
  const double poisson = settings.poisson.value_or(default_poisson);
  if (settings.area_stiffness) {
    law.by_area = true;
    law.normal = *settings.area_stiffness;
  } else if (settings.stiffness) {
    law.normal = *settings.stiffness;
  } else if (settings.young) {
    const double together = *settings.young / ((1 - poisson * poisson) * std::max(yielding, 1));
    law.normal = 4.0 / 3 * together / std::numbers::sqrt2;
  }
  // Of Mindlin's 8 G* a and Hertz's 4/3 E* a.
  law.tangential = 3 * (1 - poisson) / (2 - poisson) * law.normal;
  law.damping = damping_of_restitution(settings.restitution.value_or(default_restitution));
  return law;
}

}  // namespace bulwark
