#include <bulwark/geometry/polygon.hpp>

#include <Eigen/Geometry>

namespace bulwark {
namespace {

/// Twice the signed area of (a, b, c) seen along the normal.
double area(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& normal) {
  return (b - a).cross(c - a).dot(normal);
}

}  // namespace

void triangulate_polygon(const std::vector<Vector3>& vertices, std::span<const int> polygon,
                         std::vector<Triangle>& triangles) {
  std::vector<int> left(polygon.begin(), polygon.end());
  Vector3 normal = Vector3::Zero();  // Newell's: of a flat polygon, twice its area
  for (std::size_t i = 1; i + 1 < left.size(); ++i) {
    normal += (vertices[left[i]] - vertices[left[0]]).cross(vertices[left[i + 1]] - vertices[left[0]]);
  }
  constexpr std::size_t most_corners = 64;  // ears cost up to the cube of this
  bool found = left.size() <= most_corners;
  while (left.size() > 3 && found) {
    found = false;
    const std::size_t n = left.size();
    for (std::size_t i = 0; i < n && !found; ++i) {
      const int a = left[(i + n - 1) % n], b = left[i], c = left[(i + 1) % n];
      bool ear = area(vertices[a], vertices[b], vertices[c], normal) > 0;
      for (std::size_t k = 0; k < n && ear; ++k) {
        const int p = left[k];
        if (p == a || p == b || p == c) continue;
        ear = !(area(vertices[a], vertices[b], vertices[p], normal) >= 0 &&
                area(vertices[b], vertices[c], vertices[p], normal) >= 0 &&
                area(vertices[c], vertices[a], vertices[p], normal) >= 0);
      }
      if (ear) {
        triangles.push_back({a, b, c});
        left.erase(left.begin() + std::ptrdiff_t(i));
        found = true;
      }
    }
  }
  for (std::size_t i = 1; i + 1 < left.size(); ++i) triangles.push_back({left[0], left[i], left[i + 1]});
}

}  // namespace bulwark
