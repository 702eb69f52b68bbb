// What a scene file says of pairs of bodies: their friction, their model of contact, and which do not collide.
#pragma once

#include <bulwark/scene/issues.hpp>
#include <bulwark/scene/json_text.hpp>
#include <bulwark/sim/world.hpp>

#include <map>
#include <string>
#include <vector>

namespace bulwark {

/// Indices of the bodies of a name; a repeated body's name has all its copies.
using BodiesOfName = std::map<std::string, std::vector<int>>;

/// Reads /contact/pairs into a world that has all its bodies. What is wrong with a pair is added to `issues`, and the
/// next one is looked at.
void read_contact_pairs(World& world, const Json& pairs, const BodiesOfName& bodies,
                        std::vector<Issue>& issues);

}  // namespace bulwark
