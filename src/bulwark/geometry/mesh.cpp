#include <bulwark/geometry/mesh.hpp>

#include <Eigen/Geometry>
#include <algorithm>

namespace bulwark {

std::vector<Triangle> boundary_triangles(const std::vector<Tetrahedron>& tetrahedra) {
  // Faces of a positive tetrahedron, each seen counter-clockwise from outside.
  static constexpr int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  struct Face {
    Triangle sorted;
    Triangle oriented;
    std::size_t order;
  };
  std::vector<Face> all;
  all.reserve(4 * tetrahedra.size());
  for (const Tetrahedron& tet : tetrahedra) {
    for (const auto& face : faces) {
      Triangle oriented = {tet[face[0]], tet[face[1]], tet[face[2]]};
      Triangle sorted = oriented;
      std::sort(sorted.begin(), sorted.end());
      all.push_back({sorted, oriented, all.size()});
    }
  }
  std::sort(all.begin(), all.end(), [](const Face& a, const Face& b) {
    return a.sorted != b.sorted ? a.sorted < b.sorted : a.order < b.order;
  });
  std::vector<Face> single;
  for (std::size_t i = 0; i < all.size();) {
    std::size_t j = i + 1;
    while (j < all.size() && all[j].sorted == all[i].sorted) ++j;
    if (j == i + 1) single.push_back(all[i]);
    i = j;
  }
  std::sort(single.begin(), single.end(), [](const Face& a, const Face& b) { return a.order < b.order; });
  std::vector<Triangle> result;
  result.reserve(single.size());
  for (const Face& face : single) result.push_back(face.oriented);
  return result;
}

std::vector<Edge> unique_edges(const std::vector<Triangle>& triangles) {
  std::vector<Edge> edges;
  edges.reserve(3 * triangles.size());
  for (const Triangle& t : triangles) {
    for (int k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      edges.push_back({std::min(a, b), std::max(a, b)});
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

double tetrahedron_volume(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d) {
  return (b - a).cross(c - a).dot(d - a) / 6;
}

double enclosed_volume(const Vectors& vertices, const std::vector<Triangle>& triangles) {
  double volume = 0;
  for (const Triangle& t : triangles) {
    volume +=
        vertices.col(t[0]).head<3>().cross(vertices.col(t[1]).head<3>()).dot(vertices.col(t[2]).head<3>());
  }
  return volume / 6;
}

}  // namespace bulwark
