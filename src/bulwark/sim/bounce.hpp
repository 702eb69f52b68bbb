// The bounce of a body off a wall in one dimension: the same integrators, barrier and damping as in a scene,
// for a single distance d. It tells what a choice of parameters does to the speed of an impact, in
// milliseconds.
//
//   m d'' = - K (b(d^2))' - k_d K max((b(d^2))'', 0) d',    from d' = -v beyond the contact distance
#pragma once

#include <string>

namespace bulwark {

/// An impact and the parameters that shape it.
struct Impact {
  std::string integrator = "bdf2";
  double step = 1e-3;    ///< h, s
  double speed = 1;      ///< v, m/s
  double mass = 1;       ///< m, kg
  double distance = 0;   ///< d-hat, m
  double stiffness = 0;  ///< K of all contact points together, J/m^4
  double damping = 0;    ///< k_d, s
};

/// What comes of it. The contact begins somewhere within a step, which matters where few steps resolve it:
/// the bounce is the mean over eight places.
struct Bounce {
  double restitution = 0;          ///< speed after over speed before
  double lowest = 0, highest = 0;  ///< of the places
  double closest = 0;              ///< smallest distance, m
  double steps = 0;                ///< steps in contact
};
Bounce bounce_of(const Impact& impact);

/// The impact with the stiffness that keeps most of its speed, without damping. A softer barrier is sharp
/// near zero distance, a stiffer one near the contact distance, and what is sharp the steps do not resolve.
Impact with_best_stiffness(Impact impact);

/// The impact with the damping that makes its restitution the wanted one; that must be above 0 and below what
/// the impact has without damping.
Impact with_damping_for(Impact impact, double restitution);

}  // namespace bulwark
