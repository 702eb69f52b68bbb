// Whether the map from the parent to a cell can be inverted: its Jacobian determinant det(sum_a x_a grad N_a^T) at
// the places of a lattice that is twice as fine as the nodes'.
#pragma once

#include <bulwark/geometry/solid_mesh.hpp>

#include <vector>

namespace bulwark {

struct SmallestJacobian {
  double determinant;
  Vector3 xi;  ///< where in the parent
};

class CellJacobian {
 public:
  CellJacobian(CellShape shape, int order);

  /// The smallest determinant of one cell.
  SmallestJacobian smallest(const SolidMesh& mesh, int cell) const;

 private:
  std::vector<Vector3> places_;
  std::vector<Vectors> gradients_;  // of all N_a, per place
};

/// The longest distance between corners of a cell.
double longest_side(const SolidMesh& mesh, int cell);

}  // namespace bulwark
