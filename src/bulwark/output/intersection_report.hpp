// Intersections in words, and as a file that shows them: for a start that intersects, and for `check`.
#pragma once

#include <bulwark/collision/exact_intersection.hpp>

#include <string>
#include <vector>

namespace bulwark {

/// Both bodies, the elements by vertex number, and their coordinates.
std::string describe_intersection(const Intersection& intersection, const CollisionMesh& mesh,
                                  const std::vector<std::string>& body_names, const Vectors& positions);

/// A Wavefront OBJ file with one group per pair: the edge or point, and the triangle it meets.
std::string intersections_to_obj(const std::vector<Intersection>& intersections, const CollisionMesh& mesh,
                                 const std::vector<std::string>& body_names, const Vectors& positions);

}  // namespace bulwark
