#include <bulwark/geometry/winding_number.hpp>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

namespace bulwark {

double winding_number(const Vectors& vertices, const std::vector<Triangle>& triangles, const Vector3& point) {
  double sum = 0;
  for (const Triangle& t : triangles) {
    const Vector3 a = vertices.col(t[0]) - point, b = vertices.col(t[1]) - point,
                  c = vertices.col(t[2]) - point;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    sum += 2 * std::atan2(a.cross(b).dot(c), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return sum / (4 * std::numbers::pi);
}

}  // namespace bulwark
