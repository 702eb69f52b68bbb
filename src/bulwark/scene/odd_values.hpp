// Values of a scene that are allowed but implausible: wrong units, meshes and steps too coarse for what they
// should show, or what will make a run very slow. They are told as warnings, once, before a run starts.
#pragma once

#include <bulwark/sim/report.hpp>
#include <bulwark/sim/settings.hpp>
#include <bulwark/sim/world.hpp>

#include <string>
#include <vector>

namespace bulwark {

/// One line each: what is odd, and what is usual. Bodies with the same oddity share a line.
std::vector<std::string> odd_values(const World& world, const Settings& settings, const Derived& derived);

}  // namespace bulwark
