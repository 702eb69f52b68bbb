// The force of a patch of area A and depth d (docs/patch-contact.md), for
// bodies of masses m_i, m_j:
//   F = k a d,   a = sqrt(A/pi), or F = k A d,
//   dashpot  c = 2 zeta sqrt(m (n + 1)/2 F/d),   m = m_i m_j/(m_i + m_j),   F ~
//   d^n as both move together.
// With y = d^((n+1)/2) and dtau = d^((n-1)/2) dt a normal impact is that of a
// linear spring and dashpot, for any n, so that one zeta makes one restitution
// at any speed. Contact ends where the force does, F = c v, before d = 0.
//
// Two round bodies that overlap by d share a disc of area 2 pi R d, twice that
// of Hertz's contact: k = 4/3 E*/sqrt(2) makes the force Hertz's, 4/3 E*
// sqrt(R) d^(3/2).
#pragma once

#include <bulwark/collision/contact_patches.hpp>
#include <bulwark/sim/patch_penalty_settings.hpp>

namespace bulwark {

/// Of one pair of bodies.
struct PatchLaw {
  bool by_area = false;              ///< k in Pa/m, not in Pa
  double normal = 0;                 ///< k
  double tangential = 0;             ///< k_t, of the same kind
  double damping = 0;                ///< zeta
  double mass = 0;                   ///< m, kg; infinite where neither body moves
  double sliding = 0, sticking = 0;  ///< coefficients of friction

  /// a or A.
  double extent(double area) const;
  double force(const ContactPatch& patch) const { return normal * extent(patch.area) * patch.depth; }
  /// n of F ~ d^n.
  double exponent(const ContactPatch& patch) const;
  /// dF/dd (N/m).
  double tangent(const ContactPatch& patch) const;
  /// c (N s/m).
  double resistance(const ContactPatch& patch) const;
  /// k_t a (N/m), and the tangential dashpot.
  double tangential_stiffness(const ContactPatch& patch) const { return tangential * extent(patch.area); }
  double tangential_resistance(const ContactPatch& patch) const;
};

/// zeta of a wanted restitution: 0 for 1, and that of the least restitution for
/// less.
double damping_of_restitution(double restitution);
/// Restitution of a spring and dashpot that push and never pull.
double restitution_of_damping(double zeta);

/// `yielding`: how many of the two bodies give way: an obstacle does not. A
/// stiffness must be given.
PatchLaw patch_law(const PatchPenaltySettings& settings, int yielding);

}  // namespace bulwark
