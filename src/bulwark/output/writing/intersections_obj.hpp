// Intersections as a file that shows them, for a start that intersects.
#pragma once

#include <bulwark/collision/exact_intersection.hpp>

#include <string>
#include <vector>

namespace bulwark {

/// A Wavefront OBJ file with one group per pair: the edge or point, and the triangle it meets.
std::string intersections_to_obj(const std::vector<Intersection>& intersections, const CollisionMesh& mesh,
                                 const std::vector<std::string>& body_names, const Vectors& positions);

}  // namespace bulwark
