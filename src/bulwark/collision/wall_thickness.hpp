// How thick the solid is behind each triangle of closed surfaces: what tells the near side of a hollow body's wall from its
// far side.
#pragma once

#include <bulwark/collision/collision_mesh.hpp>

#include <vector>

namespace bulwark {

/// Of each triangle of the mesh, the way from its center straight inward to the next triangle of its body, at the given
/// positions; infinite where that is farther than the body's `deepest` (m), or infinite itself.
std::vector<double> wall_thickness(const CollisionMesh& mesh, const Vectors& positions,
                                   const std::vector<double>& deepest);

}  // namespace bulwark
