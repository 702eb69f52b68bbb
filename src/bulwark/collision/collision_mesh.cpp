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

CollisionMesh mesh_of_bodies(const CollisionMesh& mesh, const std::vector<char>& bodies) {
  CollisionMesh own = mesh;
  own.planes.clear();
  own.edges.clear();
  own.edge_role.clear();
  const auto wanted = [&](int vertex) { return bodies[mesh.vertex_body[vertex]] != 0; };
  std::erase_if(own.triangles, [&](const Triangle& t) { return !wanted(t[0]); });
  std::erase_if(own.points, [&](int p) { return !wanted(p); });
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    if (!wanted(mesh.edges[e][0])) continue;
    own.edges.push_back(mesh.edges[e]);
    own.edge_role.push_back(mesh.role_of(static_cast<int>(e)));
  }
  return own;
}

}  // namespace bulwark
