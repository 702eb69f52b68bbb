// Faces of solids of order 2 and more, as they are drawn: finer than what collides, so that curved faces look curved.
// Found once for a mesh; their vertices between the nodes follow these by the elements' shape functions.
#pragma once

#include <bulwark/bodies/body_layout.hpp>
#include <bulwark/output/frame.hpp>

#include <vector>

namespace bulwark {

struct CurvedFaces {
  /// By the frame's points; numbers beyond those are of the places between.
  std::vector<Triangle> triangles;
  std::vector<std::vector<SurfaceWeight>> between;  ///< as combinations of the frame's points
  std::vector<char> of_body;  ///< per body: whether these are drawn in place of its triangles
};

/// Four triangles in place of each one that collides. Left out are bodies whose surface is finer than their nodes or
/// is another mesh that they carry, and those with so many triangles that nobody could tell.
CurvedFaces curved_faces(const Frame& frame);

}  // namespace bulwark
