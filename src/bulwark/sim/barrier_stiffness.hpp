// The adaptive part of the contact barrier's stiffness: factors by which contacts of a body are stiffer than
// its mass asks for (ContactScales), chosen for each set of bodies that touch. It keeps gaps clear of both
// rounding (too soft) and of the end of the barrier (too stiff).
#pragma once

#include <bulwark/solve/objective.hpp>
#include <bulwark/terms/barrier_contact.hpp>

#include <vector>

namespace bulwark {

/// The bodies that contacts connect; obstacles connect nothing.
class ContactIslands {
 public:
  ContactIslands(const CollisionMesh& mesh, const ContactScales& scales,
                 const std::vector<ContactPair>& contacts);
  /// The island of a body, by its number; -1 where the body touches nothing.
  int of(int body) const { return island_[body]; }
  /// That of the body, or of the other one where the first is an obstacle.
  int of(const CollisionMesh& mesh, const ContactPair& contact) const;
  int count() const { return static_cast<int>(all_stiff_.size()); }
  bool all_stiff(int island) const { return all_stiff_[island] != 0; }

 private:
  std::vector<int> island_;
  std::vector<char> all_stiff_;
};

/// The largest factor of contacts of soft bodies, and of contacts of stiff bodies alone.
inline constexpr double largest_soft_factor = 100, largest_stiff_factor = 1000;

/// For each island the factor that balances the objective's other forces at q in the sense of least squares,
/// between 1 and the largest one. The contact must be prepared at q, with factors of 1. `control_body`: the
/// body of each control.
std::vector<double> balancing_factors(Objective& objective, const BarrierContact& contact,
                                      const CollisionMesh& mesh, const ContactIslands& islands,
                                      const std::vector<int>& control_body, const Vectors& q);

/// For each island the factor that would hold the hardest pressed contact, under the force that it has now,
/// at a fiftieth of the contact distance. Where light nodes carry a heavy load, what their mass asks for
/// would let the gaps shrink to nothing. To ask for more would stiffen the contacts of any hard impact while
/// they are compressed, which does work: things jump.
std::vector<double> loaded_factors(const BarrierContact& contact, const CollisionMesh& mesh,
                                   const ContactIslands& islands);

/// The smallest gap of any contact of each body, over the gap that counts as tiny: 1e-4 of the contact distance between
/// stiff bodies, else 1e-3 of it (a heavy body that lands on a light one would creep on to nanometres) and at least 1e-9 of the
/// bodies' length. Infinity for bodies without contacts.
std::vector<double> smallest_gaps(const BarrierContact& contact, const CollisionMesh& mesh);

}  // namespace bulwark
