#include <bulwark/output/frame.hpp>

#include <algorithm>

namespace bulwark {

CollisionMesh collision_surface(const Frame& frame) {
  CollisionMesh mesh;
  mesh.triangles = boundary_triangles(frame.tetrahedra);
  mesh.triangles.insert(mesh.triangles.end(), frame.triangles.begin(), frame.triangles.end());
  mesh.edges = unique_edges(mesh.triangles);
  mesh.edge_role.assign(mesh.edges.size(), EdgeRole::of_triangle);
  mesh.edges.insert(mesh.edges.end(), frame.segments.begin(), frame.segments.end());
  for (const int vertex : frame.vertices) mesh.edges.push_back({vertex, vertex});
  mesh.edge_role.resize(mesh.edges.size(), EdgeRole::free);
  mesh.radius = frame.radius;
  std::vector<char> touches(frame.point_body.size(), 0);
  for (const Edge& edge : mesh.edges) touches[edge[0]] = touches[edge[1]] = 1;
  for (std::size_t vertex = 0; vertex < touches.size(); ++vertex) {
    if (touches[vertex]) mesh.points.push_back(static_cast<int>(vertex));
  }
  for (const FramePlane& plane : frame.planes) mesh.planes.push_back({plane.point, plane.normal, plane.body});
  mesh.vertex_body = frame.point_body;
  mesh.bodies = frame.bodies;
  for (const auto& [a, b] : frame.exempt_pairs) mesh.exempt(a, b);
  mesh.unguarded_pairs = frame.unguarded_pairs;
  std::sort(mesh.unguarded_pairs.begin(), mesh.unguarded_pairs.end());
  mesh.mark_exempt();
  mesh.weights.resize(mesh.vertex_count(), mesh.vertex_count());
  mesh.weights.setIdentity();
  mesh.rest = frame.rest.cols() > 0 ? frame.rest : frame.position;
  return mesh;
}

DrawnCells drawn_cells(const Frame& frame) {
  std::vector<char> covered(frame.bodies.size(), 0);
  for (const Triangle& t : frame.skin) covered[frame.point_body[t[0]]] = 1;
  const auto is_covered = [&](int point) { return covered[frame.point_body[point]] != 0; };
  DrawnCells cells;
  cells.triangles = boundary_triangles(frame.tetrahedra);
  cells.triangles.insert(cells.triangles.end(), frame.triangles.begin(), frame.triangles.end());
  cells.segments = frame.segments;
  cells.vertices = frame.vertices;
  if (frame.skin.empty()) return cells;
  std::erase_if(cells.triangles, [&](const Triangle& t) { return is_covered(t[0]); });
  std::erase_if(cells.segments, [&](const Edge& e) { return is_covered(e[0]); });
  std::erase_if(cells.vertices, is_covered);
  cells.triangles.insert(cells.triangles.end(), frame.skin.begin(), frame.skin.end());
  return cells;
}

}  // namespace bulwark
