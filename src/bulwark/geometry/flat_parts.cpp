#include <bulwark/geometry/flat_parts.hpp>

#include <Eigen/Geometry>
#include <algorithm>
#include <map>
#include <vector>

namespace bulwark {

FlatParts flat_parts(const SurfaceMesh& mesh) {
  constexpr double flat = 1e-12;  // sine of the angle between the triangles
  struct Side {
    int triangle, direction;
  };
  std::map<Edge, std::vector<Side>> sides;
  std::vector<Vector3> normals;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle& v = mesh.triangles[t];
    const Vector3 a = mesh.vertices.col(v[0]), b = mesh.vertices.col(v[1]), c = mesh.vertices.col(v[2]);
    normals.push_back((b - a).cross(c - a).normalized());
    for (int k = 0; k < 3; ++k) {
      const int i = v[k], j = v[(k + 1) % 3];
      sides[{std::min(i, j), std::max(i, j)}].push_back({static_cast<int>(t), i < j ? 1 : -1});
    }
  }
  FlatParts flat_parts;
  std::set<int> outer;
  for (const auto& [edge, of] : sides) {
    const bool is_flat = of.size() == 2 && of[0].direction == -of[1].direction &&
                         normals[of[0].triangle].cross(normals[of[1].triangle]).norm() <= flat &&
                         normals[of[0].triangle].dot(normals[of[1].triangle]) > 0;
    if (is_flat) {
      flat_parts.edges.insert(edge);
    } else {
      outer.insert(edge.begin(), edge.end());
    }
  }
  for (const Edge& e : mesh.edges) outer.insert(e.begin(), e.end());
  outer.insert(mesh.points.begin(), mesh.points.end());
  for (const Edge& edge : flat_parts.edges) {
    for (const int v : edge) {
      if (!outer.contains(v)) flat_parts.inner_vertices.insert(v);
    }
  }
  return flat_parts;
}

}  // namespace bulwark
