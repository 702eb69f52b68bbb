// The joints of a scene file: from JSON that the schema has accepted to a World that has its bodies.
#pragma once

#include <bulwark/scene/issues.hpp>
#include <bulwark/scene/json_text.hpp>
#include <bulwark/sim/world.hpp>

#include <vector>

namespace bulwark {

/// Adds all joints to the world. What is wrong with a joint is added to `issues`.
void read_joints(World& world, const Json& scene, std::vector<Issue>& issues);

}  // namespace bulwark
