// Energy in steps of an integrator that shall keep it.
//
// Contact that acts by its forces at the end of a step takes energy, as all implicit contact does; and what
// is not linear, elasticity or a turning gap, gives or takes some in any of them. After a step the energy of
// each set of bodies that touch is compared with that before,
//   lack = work of loads and obstacles - change of kinetic, elastic and contact energy,
// and the velocities v' are corrected, along two directions u, by the a that makes
//   kinetic energy(v' + a u) = kinetic energy(v') + lack:
//   what the contact forces P do to the bodies, u = - M^-1 (grad P(q) + grad P(q')): an impulse of the
//   contacts themselves, so that momentum and angular momentum stay;
//   where that is not enough, or nothing touches, the velocities less the motion of the set as one rigid
//   body.
#pragma once

#include <bulwark/sim/force_response.hpp>
#include <bulwark/terms/barrier_contact.hpp>

#include <vector>

namespace bulwark {

/// Contacts and energies at one end of a step.
struct ContactMoment {
  std::vector<BarrierContact::Share> contacts;
  Vectors contact_gradient;  ///< of the barrier, in the controls
  VectorX elastic;           ///< energy of the elements, each at one of its controls (J)
};

/// What is allowed to the energy of bodies in a step.
enum class EnergyRule {
  kept,      ///< as much as before
  not_more,  ///< it may fall, by friction and damping; what implicit contact takes is given back all the same
};

struct EnergyStep {
  ContactMoment begin, end;
  Vectors loads;  ///< mean forces of the step on the controls (N)
  EnergyRule rule = EnergyRule::kept;
};

/// Changes the velocities of `after`, the state at the end of a step. Sets of bodies that
/// joints hold or scripts move stay as they are.
void keep_energy(const World& world, const Eigen::SparseMatrix<double>& mass, const ForceResponse& response,
                 const EnergyStep& step, const State& before, State& after);

}  // namespace bulwark
