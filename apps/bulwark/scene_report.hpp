// What `run` and `validate` say about a scene before the first step: sizes, masses, and the values that were
// derived from it, so that nobody has to guess what a default became.
#pragma once

#include <bulwark/sim/simulation.hpp>

#include <string>

namespace bulwark::app {

/// "Ball on a mat: 2 bodies, 812 nodes, 3100 tetrahedra, 640 surface triangles; 100 steps of 10 ms".
std::string size_line(const Simulation& simulation);

/// One line per value: `distance = 1.2 mm (1e-3 of the scene's length 1.2 m)`.
std::string derived_lines(const Simulation& simulation);

/// One line per body (the first 30): kind, nodes, tetrahedra, mass.
std::string body_lines(const World& world);

}  // namespace bulwark::app
