#include <bulwark/output/drawing/light_map.hpp>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace bulwark {

LightMap::LightMap(const Vector3& to_light, const Sphere& around, int resolution)
    : to_light_(to_light),
      right_(to_light.unitOrthogonal()),
      up_(to_light.cross(right_)),
      center_(around.center),
      pixel_(2 * around.radius / (resolution - 2)),  // a pixel at each rim stays free
      resolution_(resolution),
      depth_(static_cast<std::size_t>(resolution) * resolution, std::numeric_limits<float>::infinity()) {}

Vector3 LightMap::place(const Vector3& point) const {
  const Vector3 d = (point - center_) / pixel_;
  return {d.dot(right_) + 0.5 * resolution_, d.dot(up_) + 0.5 * resolution_, -d.dot(to_light_)};
}

void LightMap::draw_triangle(const Vector3& from_a, const Vector3& from_b, const Vector3& from_c) {
  const Vector3 a = place(from_a), b = place(from_b), c = place(from_c);
  const double area = (b.x() - a.x()) * (c.y() - a.y()) - (c.x() - a.x()) * (b.y() - a.y());
  if (!(std::abs(area) > 0)) return;
  const auto [low_x, high_x] = std::minmax({a.x(), b.x(), c.x()});
  const auto [low_y, high_y] = std::minmax({a.y(), b.y(), c.y()});
  const double last = resolution_ - 1;
  if (!(high_x >= 0 && high_y >= 0 && low_x <= last && low_y <= last)) return;
  const int x0 = static_cast<int>(std::max(0.0, std::ceil(low_x - 0.5)));
  const int x1 = static_cast<int>(std::min(last, std::floor(high_x - 0.5)));
  const int y0 = static_cast<int>(std::max(0.0, std::ceil(low_y - 0.5)));
  const int y1 = static_cast<int>(std::min(last, std::floor(high_y - 0.5)));
  // Weights of b and c, and the depth, are linear over the map.
  const double b_by_x = (c.y() - a.y()) / area, b_by_y = -(c.x() - a.x()) / area;
  const double c_by_x = -(b.y() - a.y()) / area, c_by_y = (b.x() - a.x()) / area;
  for (int y = y0; y <= y1; ++y) {
    for (int x = x0; x <= x1; ++x) {
      const double dx = x + 0.5 - a.x(), dy = y + 0.5 - a.y();
      const double wb = b_by_x * dx + b_by_y * dy, wc = c_by_x * dx + c_by_y * dy;
      if (wb < 0 || wc < 0 || wb + wc > 1) continue;
      float& depth = depth_[static_cast<std::size_t>(y) * resolution_ + x];
      depth = std::min(depth, static_cast<float>(a.z() + wb * (b.z() - a.z()) + wc * (c.z() - a.z())));
    }
  }
}

void LightMap::draw_wire(const Vector3& a, const Vector3& b, double radius) {
  const Vector3 across = (b - a).cross(to_light_);
  if (!(across.norm() > 0)) return;
  const Vector3 half = across.normalized() * std::max(radius, 0.75 * pixel_);
  draw_triangle(a - half, a + half, b + half);
  draw_triangle(a - half, b + half, b - half);
}

double LightMap::light(const Vector3& point, const Vector3& normal) const {
  constexpr double lift = 1.5, slack = 0.5;  // pixels
  const Vector3 p = place(point + lift * pixel_ * normal);
  const double left = std::floor(p.x() - 0.5), bottom = std::floor(p.y() - 0.5);
  if (!(left >= 0 && bottom >= 0 && left < resolution_ - 1 && bottom < resolution_ - 1)) return 1;
  const double u = p.x() - 0.5 - left, v = p.y() - 0.5 - bottom;
  const float* row =
      depth_.data() + static_cast<std::size_t>(bottom) * resolution_ + static_cast<std::size_t>(left);
  const auto lit = [&](const float* depth) { return p.z() < *depth + slack ? 1.0 : 0.0; };
  return (1 - v) * ((1 - u) * lit(row) + u * lit(row + 1)) +
         v * ((1 - u) * lit(row + resolution_) + u * lit(row + resolution_ + 1));
}

}  // namespace bulwark
