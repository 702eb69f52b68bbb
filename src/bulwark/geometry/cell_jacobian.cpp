#include <bulwark/geometry/cell_jacobian.hpp>
#include <bulwark/geometry/lagrange_cell.hpp>

#include <Eigen/LU>

#include <algorithm>
#include <limits>

namespace bulwark {

CellJacobian::CellJacobian(CellShape shape, int order) {
  const int n = 2 * order;
  for (int k = 0; k <= n; ++k) {
    for (int j = 0; j <= n; ++j) {
      for (int i = 0; i <= n; ++i) {
        if (shape == CellShape::tetrahedron && i + j + k > n) continue;
        places_.push_back(Vector3(i, j, k) / n);
        gradients_.push_back(lagrange_gradients(shape, order, places_.back()));
      }
    }
  }
}

SmallestJacobian CellJacobian::smallest(const SolidMesh& mesh, int cell) const {
  const std::span<const int> nodes = mesh.cell(cell);
  Vectors x(3, Eigen::Index(nodes.size()));
  for (std::size_t a = 0; a < nodes.size(); ++a) x.col(Eigen::Index(a)) = mesh.vertices.col(nodes[a]);
  SmallestJacobian result{std::numeric_limits<double>::infinity(), Vector3::Zero()};
  for (std::size_t q = 0; q < places_.size(); ++q) {
    const Matrix3 jacobian = x * gradients_[q].transpose();
    const double determinant = jacobian.determinant();
    if (determinant < result.determinant) result = {determinant, places_[q]};
  }
  return result;
}

double longest_side(const SolidMesh& mesh, int cell) {
  const std::span<const int> corners = mesh.cell(cell).first(std::size_t(corner_count(mesh.shape)));
  double longest = 0;
  for (const int a : corners) {
    for (const int b : corners)
      longest = std::max(longest, (mesh.vertices.col(a) - mesh.vertices.col(b)).norm());
  }
  return longest;
}

}  // namespace bulwark
