// Which bodies got past each other in a step. A minimisation may lead a fast body around another one, free of
// intersection all along, to a place that it could not have reached by its own motion.
//
// Two bodies have passed each other when the direct path from the step's start to its end is blocked, and
// their sides are exchanged: the direction between them where they first meet on that path points against
// the one where they last part.
#pragma once

#include <bulwark/collision/vertex_path.hpp>

#include <array>
#include <vector>

namespace bulwark {

/// The pairs of different bodies (smaller, larger index) that passed each other along the direct path `path`,
/// in order. Bodies that moved past each other by less than half of the smaller one's width are not looked
/// at, nor are planes, which no path leads around.
std::vector<std::array<int, 2>> passed_bodies(const CollisionMesh& mesh, const VertexPath& path);

}  // namespace bulwark
