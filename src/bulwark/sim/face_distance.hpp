// How far the surface that collides lies from the true faces of a body's elements, at rest.
#pragma once

#include <bulwark/sim/world.hpp>

namespace bulwark {

/// An upper bound of the distance of any point of one surface from the other (m). Where the body collides by its
/// faces, cut into triangles, that of distance_from_faces(). Of a mesh that the body carries instead it is found by
/// cutting triangles until the bound is a tenth, or 1e-3 of the body's size, above a distance that occurs. 0 of
/// bodies without solid elements, and where all faces are flat.
double face_distance(const World& world, const Body& body);

}  // namespace bulwark
