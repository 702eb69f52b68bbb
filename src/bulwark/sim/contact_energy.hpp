// Contact that acts by its forces at the end of a step takes energy, as all implicit contact does: with the
// barrier's energy P and the step d from q to q',
//   loss = grad P(q') . d - (P(q') - P(q)) >= 0   where P is convex on the way.
// An integrator that shall keep energy gives it back, for each set of bodies that touch: their velocities
// change along what the contact forces do to them, u = - M^-1 (grad P(q) + grad P(q')), by the a > 0 that
// makes
//   kinetic energy(v' + a u) = kinetic energy(v') + loss.
// Such an impulse between two bodies is one of the contacts themselves, so that momentum and angular momentum
// are kept.
#pragma once

#include <bulwark/sim/force_response.hpp>
#include <bulwark/terms/barrier_contact.hpp>

#include <vector>

namespace bulwark {

/// Contacts and forces at one end of a step.
struct ContactMoment {
  std::vector<BarrierContact::Share> contacts;
  Vectors contact_gradient;  ///< of the barrier, in the controls
  Vectors other_gradient;    ///< of all that stores energy beside it
};

/// Changes the velocities of `after`, the state at the end of a step. Where forces take energy by intention
/// (`lossy`: friction, damping), the loss is the formula above; else it is what the bodies' energies lack,
/// which leaves no error of the solve or of rotations behind. Bodies with joints get nothing.
void give_back_contact_energy(const World& world, const Eigen::SparseMatrix<double>& mass,
                              const ForceResponse& response, const ContactMoment& begin,
                              const ContactMoment& end, bool lossy, const State& before, State& after);

}  // namespace bulwark
