// What holds bodies in place or moves them by a script, as force and torque; and what pairs of bodies pass on
// by contact.
//
// At the minimum of a step's objective the gradient of a control that is held does not vanish: what is left,
//   R = M (q - target) / scale + sum of the terms' gradients - the forces by which joints' equations hold,
// is the force of the support on it, inertia included. Of a part the forces are summed up, and their torque
// is about the middle of its points; a stiff body's columns of A carry torque alone, a_k x R_k.
#pragma once

#include <bulwark/sim/joint_state.hpp>
#include <bulwark/sim/report.hpp>
#include <bulwark/sim/world.hpp>
#include <bulwark/sim/wrench.hpp>

#include <vector>

namespace bulwark {

/// The support of one part of a body at the end of a step: what `fixed` holds, or its motion moves.
struct Reaction {
  int body = 0;
  int part = 0;    ///< number among the body's held parts, in the order of the scene
  int points = 0;  ///< how many are held; 1 of a stiff body
  Wrench wrench;   ///< on the body; about the middle of the held points, of a stiff body its center of mass
};

/// Whether any body but obstacles is held or follows a script.
bool any_reactions(const World& world);

/// The reactions of all held parts, by body. `support` are the forces R on the controls, at the controls q.
std::vector<Reaction> reactions_of(const World& world, const Vectors& q, const Vectors& support);

/// What holds a body altogether, about the middle of all its held points; of an obstacle, which is held as a
/// whole, the opposite of what contacts and joints do to it, about its center (bodies.csv).
Wrench reaction_of_body(const World& world, int body, const std::vector<Reaction>& reactions,
                        const std::vector<ContactForce>& contacts, const std::vector<JointState>& joints);

/// The contacts of two bodies, added up.
struct ContactPairForce {
  int body_a = 0, body_b = 0;  ///< body_a comes first in the world
  int contacts = 0;
  /// On body_a, body_b gets the opposite; about the mean of the contacts' positions, weighted by the sizes of
  /// their normal forces.
  Wrench wrench;
};

/// By body_a, then body_b. A body's contacts with itself are left out.
std::vector<ContactPairForce> contact_pair_forces(const std::vector<ContactForce>& contacts);

/// All contact forces on a body, about `point`.
Wrench contact_wrench(int body, const Vector3& point, const std::vector<ContactForce>& contacts);

/// The point that a joint's reaction is told about: that of its first body, where that is moved by forces.
Vector3 reaction_point(const World& world, const Joint& joint);

}  // namespace bulwark
