// What a far light sees: the nearest depth along its direction, over a sphere around what casts shadows.
#pragma once

#include <bulwark/math/types.hpp>

#include <vector>

namespace bulwark {

struct Sphere {
  Vector3 center = Vector3::Zero();
  double radius = 1;
};

class LightMap {
 public:
  LightMap(const Vector3& to_light, const Sphere& around, int resolution);

  const Vector3& to_light() const { return to_light_; }

  void draw_triangle(const Vector3& a, const Vector3& b, const Vector3& c);
  /// A wire of the given radius, at least as wide as a pixel of the map.
  void draw_wire(const Vector3& a, const Vector3& b, double radius);

  /// The part of the light that reaches a point with that normal, smoothed over the four pixels around it. A
  /// surface must not shade itself, and its own depth is known to a pixel only: so the point is first lifted
  /// off it.
  double light(const Vector3& point, const Vector3& normal) const;

 private:
  Vector3 place(const Vector3& point) const;

  Vector3 to_light_, right_, up_, center_;
  double pixel_;  ///< m
  int resolution_;
  std::vector<float> depth_;  ///< in pixels, growing away from the light
};

}  // namespace bulwark
