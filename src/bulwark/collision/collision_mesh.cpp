#include <bulwark/base/parallel.hpp>
#include <bulwark/collision/collision_mesh.hpp>

namespace bulwark {

Vectors vertex_positions(const CollisionMesh& mesh, const Vectors& controls) {
  Vectors positions(3, mesh.vertex_count());
  parallel_for(mesh.vertex_count(), [&](std::size_t vertex) {
    Vector3 sum = Vector3::Zero();
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(mesh.weights, vertex); it; ++it) {
      sum += it.value() * controls.col(it.col());
    }
    positions.col(vertex) = sum;
  });
  return positions;
}

}  // namespace bulwark
