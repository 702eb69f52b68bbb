// How a traction on faces of a body is shared by its controls: the integrals of their shape functions over the faces.
#pragma once

#include <bulwark/sim/world.hpp>

#include <vector>

namespace bulwark {

struct FaceShares {
  int count = 0;             ///< of faces
  std::vector<double> area;  ///< per control of the body: the integral of s over the faces at rest, m^2
};

/// Of the faces whose nodes are all chosen: boundary faces of solids, triangles of shells, middle surfaces of shells of
/// ANCF elements. `chosen` has a flag per control of the body.
FaceShares face_shares(const World& world, const Body& body, const std::vector<char>& chosen);

}  // namespace bulwark
