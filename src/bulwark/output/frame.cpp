#include <bulwark/output/frame.hpp>

namespace bulwark {

CollisionMesh collision_surface(const Frame& frame) {
  CollisionMesh mesh;
  mesh.triangles = boundary_triangles(frame.tetrahedra);
  mesh.triangles.insert(mesh.triangles.end(), frame.triangles.begin(), frame.triangles.end());
  mesh.edges = unique_edges(mesh.triangles);
  mesh.edges.insert(mesh.edges.end(), frame.segments.begin(), frame.segments.end());
  std::vector<char> touches(frame.point_body.size(), 0);
  for (const Edge& edge : mesh.edges) touches[edge[0]] = touches[edge[1]] = 1;
  for (const int vertex : frame.vertices) touches[vertex] = 1;
  for (std::size_t vertex = 0; vertex < touches.size(); ++vertex) {
    if (touches[vertex]) mesh.points.push_back(static_cast<int>(vertex));
  }
  for (const FramePlane& plane : frame.planes) mesh.planes.push_back({plane.point, plane.normal, plane.body});
  mesh.vertex_body = frame.point_body;
  mesh.bodies = frame.bodies;
  for (const auto& [a, b] : frame.exempt_pairs) mesh.exempt(a, b);
  mesh.weights.resize(mesh.vertex_count(), mesh.vertex_count());
  mesh.weights.setIdentity();
  mesh.rest = frame.position;
  return mesh;
}

}  // namespace bulwark
