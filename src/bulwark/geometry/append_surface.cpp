#include <bulwark/geometry/append_surface.hpp>

namespace bulwark {

void append_surface(SurfaceMesh& mesh, const SurfaceMesh& part) {
  const int first = static_cast<int>(mesh.vertices.cols());
  mesh.vertices.conservativeResize(3, first + part.vertices.cols());
  mesh.vertices.rightCols(part.vertices.cols()) = part.vertices;
  if (!mesh.radius.empty() || !part.radius.empty()) {
    mesh.radius.resize(first, 0);
    mesh.radius.insert(mesh.radius.end(), part.radius.begin(), part.radius.end());
    mesh.radius.resize(mesh.vertices.cols(), 0);
  }
  for (const Triangle& t : part.triangles)
    mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  for (const Edge& e : part.edges) mesh.edges.push_back({e[0] + first, e[1] + first});
  for (const int point : part.points) mesh.points.push_back(point + first);
}

}  // namespace bulwark
