// A z-buffer: which triangle is nearest in each pixel.
#pragma once

#include <bulwark/math/types.hpp>

#include <limits>
#include <vector>

namespace bulwark {

struct DepthBuffer {
  DepthBuffer(int width_, int height_)
      : width(width_),
        height(height_),
        depth(static_cast<std::size_t>(width_) * height_, std::numeric_limits<double>::infinity()),
        owner(depth.size(), -1) {}

  /// Draws a triangle of (x, y, depth) in pixels; depth must be linear over the picture, smaller is nearer.
  void draw_triangle(const Vector3& a, const Vector3& b, const Vector3& c, int id);
  /// Draws a square of `size` pixels around a point.
  void draw_point(const Vector3& center, double size, int id);

  void set(int x, int y, double d, int id) {
    const std::size_t pixel = static_cast<std::size_t>(y) * width + x;
    if (d >= depth[pixel]) return;
    depth[pixel] = d;
    owner[pixel] = id;
  }

  int width, height;
  std::vector<double> depth;
  std::vector<int> owner;  ///< the id that was drawn, -1 where there is nothing
};

}  // namespace bulwark
