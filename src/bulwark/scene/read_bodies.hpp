// The bodies of a scene file: from JSON that the schema has accepted to a World.
#pragma once

#include <bulwark/scene/issues.hpp>
#include <bulwark/scene/json_text.hpp>
#include <bulwark/scene/load.hpp>

#include <string>
#include <vector>

namespace bulwark {

/// Adds all bodies, their held parts, loads and pairwise friction to the world. What is wrong with a body is
/// added to `issues`, and the next one is looked at; what its author may want to know, to `remarks`.
void read_bodies(World& world, const Json& scene, const LoadOptions& options, std::vector<Issue>& issues,
                 std::vector<std::string>& remarks);

}  // namespace bulwark
