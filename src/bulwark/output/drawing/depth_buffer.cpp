#include <bulwark/output/drawing/depth_buffer.hpp>

#include <algorithm>
#include <cmath>

namespace bulwark {
namespace {

/// The pixels whose centers lie in [low, high], inside [0, count).
std::pair<int, int> pixel_range(double low, double high, int count) {
  const double first = std::clamp(std::ceil(low - 0.5), 0.0, static_cast<double>(count));
  const double last = std::clamp(std::floor(high - 0.5), -1.0, static_cast<double>(count - 1));
  return {static_cast<int>(first), static_cast<int>(last)};
}

}  // namespace

void DepthBuffer::draw_triangle(const Vector3& a, const Vector3& b, const Vector3& c, int id) {
  const double area = (b.x() - a.x()) * (c.y() - a.y()) - (c.x() - a.x()) * (b.y() - a.y());
  if (!(std::abs(area) > 0)) return;
  const auto [x0, x1] = pixel_range(std::min({a.x(), b.x(), c.x()}), std::max({a.x(), b.x(), c.x()}), width);
  const auto [y0, y1] = pixel_range(std::min({a.y(), b.y(), c.y()}), std::max({a.y(), b.y(), c.y()}), height);
  for (int y = y0; y <= y1; ++y) {
    for (int x = x0; x <= x1; ++x) {
      const double px = x + 0.5, py = y + 0.5;
      const double wb = ((px - a.x()) * (c.y() - a.y()) - (c.x() - a.x()) * (py - a.y())) / area;
      const double wc = ((b.x() - a.x()) * (py - a.y()) - (px - a.x()) * (b.y() - a.y())) / area;
      const double wa = 1 - wb - wc;
      if (wa < 0 || wb < 0 || wc < 0) continue;
      set(x, y, wa * a.z() + wb * b.z() + wc * c.z(), id);
    }
  }
}

void DepthBuffer::draw_point(const Vector3& center, double size, int id) {
  const auto [x0, x1] = pixel_range(center.x() - size / 2, center.x() + size / 2, width);
  const auto [y0, y1] = pixel_range(center.y() - size / 2, center.y() + size / 2, height);
  for (int y = y0; y <= y1; ++y) {
    for (int x = x0; x <= x1; ++x) set(x, y, center.z(), id);
  }
}

}  // namespace bulwark
