// The pressure that a solid of tetrahedra has in hydroelastic contact: 0 on its surface, the modulus where it is
// deepest,
//   p(x) = modulus * max(0, -distance(x)) / depth,   depth = the radius of the largest ball that fits in,
// by the signed distance of the shape at rest at the vertices (collision/signed_distance.hpp), and linear within each
// tetrahedron. Vertices keep their pressure when the body moves and deforms.
#pragma once

#include <bulwark/geometry/mesh.hpp>

#include <vector>

namespace bulwark {

struct PressureField {
  Vectors rest;                    ///< vertices: those of the mesh, then the centers
  std::vector<Tetrahedron> cells;  ///< positive volumes
  std::vector<double> pressure;    ///< of the vertices, Pa
  /// A tetrahedron with all its vertices on the surface would have no pressure; it is cut into four about its center.
  /// These are the mesh's vertices that each center lies between.
  std::vector<Tetrahedron> center_of;
  double depth = 0;  ///< m
};

PressureField pressure_field(const TetMesh& mesh, double modulus);

}  // namespace bulwark
