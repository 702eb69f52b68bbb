#include "body_surfaces.hpp"

namespace bulwark::app {

std::vector<SurfaceMesh> surfaces_by_body(const World& world, const Vectors& positions) {
  const CollisionMesh& mesh = world.collision;
  std::vector<SurfaceMesh> surfaces(world.bodies.size());
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const int first = world.bodies[b].first_vertex, count = world.bodies[b].vertex_count;
    surfaces[b].vertices = positions.middleCols(first, count);
    for (int v = first; v < first + count; ++v) surfaces[b].radius.push_back(mesh.radius_of(v));
  }
  for (const Triangle& t : mesh.triangles) {
    const int body = mesh.vertex_body[t[0]], first = world.bodies[body].first_vertex;
    surfaces[body].triangles.push_back({t[0] - first, t[1] - first, t[2] - first});
  }
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    const Edge& edge = mesh.edges[e];
    const int body = mesh.vertex_body[edge[0]], first = world.bodies[body].first_vertex;
    if (mesh.role_of(static_cast<int>(e)) != EdgeRole::free) continue;
    if (is_lone_point(edge)) {
      surfaces[body].points.push_back(edge[0] - first);
    } else {
      surfaces[body].edges.push_back({edge[0] - first, edge[1] - first});
    }
  }
  return surfaces;
}

}  // namespace bulwark::app
