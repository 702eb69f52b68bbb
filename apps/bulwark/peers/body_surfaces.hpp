// The bodies of a world as surfaces of their own, for engines that make shapes of them.
#pragma once

#include <bulwark/sim/world.hpp>

#include <vector>

namespace bulwark::app {

/// Per body, its part of the collision mesh at the given positions of the mesh's vertices: triangles, free
/// edges, lone points, and the radii of all.
std::vector<SurfaceMesh> surfaces_by_body(const World& world, const Vectors& positions);

}  // namespace bulwark::app
