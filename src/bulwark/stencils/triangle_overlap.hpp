// What two triangles of solids that overlap have to do with each other: the part of triangle a that is behind triangle
// b, within the prism over b along its normal n (out of b's solid). Between this part and b's plane stands a pillar, of
// depth d(x) = n . (b_0 - x) over the polygon Q in b's plane:
//   area = |Q|,   volume = integral of d over Q,   deepest = largest d.
// A triangle that is all behind b counts whole; one that is in front, that faces the same way (it is the far side of a
// body), or is farther behind than the bodies can overlap, has no part there.
//
// As a is flat, d is linear over Q, and sums over the midpoints of the edges of Q's fan of triangles are exact for the
// volume and for its center.
#pragma once

#include <bulwark/base/host_device.hpp>
#include <bulwark/math/types.hpp>

#include <Eigen/Geometry>

namespace bulwark {

struct TriangleOverlap {
  static constexpr int most_corners = 7;  ///< of a triangle after four cuts
  int corners = 0;
  Vector3 point[most_corners];  ///< on a
  Vector3 share[most_corners];  ///< of a's corners in the point
  double depth[most_corners] = {};
  Vector3 normal;  ///< n
  double area = 0, volume = 0, deepest = 0;
};

/// A point of a pillar with its part of the volume, as combinations of the corners of both triangles.
struct PillarPoint {
  double volume;
  Vector3 first, second;  ///< shares of a's and of b's corners; there are none of a plane
};

/// Keeps the corners with m . x <= offset.
BULWARK_HD inline void cut_overlap(TriangleOverlap& o, const Vector3& m, double offset) {
  TriangleOverlap kept;
  for (int i = 0; i < o.corners; ++i) {
    const int j = i + 1 < o.corners ? i + 1 : 0;
    const double here = m.dot(o.point[i]) - offset, there = m.dot(o.point[j]) - offset;
    if (here <= 0 && kept.corners < TriangleOverlap::most_corners) {
      kept.point[kept.corners] = o.point[i];
      kept.share[kept.corners++] = o.share[i];
    }
    if ((here < 0 && there > 0) || (here > 0 && there < 0)) {
      const double t = here / (here - there);
      if (kept.corners == TriangleOverlap::most_corners) continue;
      kept.point[kept.corners] = (1 - t) * o.point[i] + t * o.point[j];
      kept.share[kept.corners++] = (1 - t) * o.share[i] + t * o.share[j];
    }
  }
  o.corners = kept.corners < 3 ? 0 : kept.corners;
  for (int i = 0; i < o.corners; ++i) {
    o.point[i] = kept.point[i];
    o.share[i] = kept.share[i];
  }
}

/// Area of the fan's triangle (0, i, i + 1) in the plane.
BULWARK_HD inline double fan_area(const TriangleOverlap& o, int i) {
  const double twice = o.normal.dot((o.point[i] - o.point[0]).cross(o.point[i + 1] - o.point[0]));
  return 0.5 * (twice < 0 ? -twice : twice);
}

/// Depths, and the sums over the polygon.
BULWARK_HD inline void measure_overlap(TriangleOverlap& o, const Vector3& on_plane) {
  o.area = o.volume = o.deepest = 0;
  for (int i = 0; i < o.corners; ++i) {
    const double depth = o.normal.dot(on_plane - o.point[i]);
    o.depth[i] = depth > 0 ? depth : 0;
    if (o.depth[i] > o.deepest) o.deepest = o.depth[i];
  }
  for (int i = 1; i + 1 < o.corners; ++i) {
    const double area = fan_area(o, i);
    o.area += area;
    o.volume += area * (o.depth[0] + o.depth[i] + o.depth[i + 1]) / 3;
  }
}

/// The part of a triangle behind a plane.
BULWARK_HD inline TriangleOverlap overlap_with_plane(const Vector3* a, const Vector3& on_plane,
                                                     const Vector3& normal) {
  TriangleOverlap o;
  o.normal = normal;
  o.corners = 3;
  for (int i = 0; i < 3; ++i) {
    o.point[i] = a[i];
    o.share[i] = Vector3(i == 0, i == 1, i == 2);
  }
  const Vector3 across = (a[1] - a[0]).cross(a[2] - a[0]);
  if (across.dot(normal) >= 0) o.corners = 0;
  cut_overlap(o, normal, normal.dot(on_plane));
  measure_overlap(o, on_plane);
  return o;
}

/// Whether triangle a may have a part behind triangle b: its boxes along the axes, grown by its depth, overlap b's. A
/// quick look, for most pairs that are near each other have none.
BULWARK_HD inline bool may_overlap(const Vector3* a, const Vector3* b, const Vector3& normal, double limit) {
  double deepest = normal.dot(b[0] - a[0]), least = deepest;
  for (int i = 1; i < 3; ++i) {
    const double depth = normal.dot(b[0] - a[i]);
    if (depth > deepest) deepest = depth;
    if (depth < least) least = depth;
  }
  if (!(deepest > 0) || least > limit) return false;
  for (int axis = 0; axis < 3; ++axis) {
    double low[2] = {a[0][axis], b[0][axis]}, high[2] = {a[0][axis], b[0][axis]};
    for (int i = 1; i < 3; ++i) {
      for (int side = 0; side < 2; ++side) {
        const double x = side == 0 ? a[i][axis] : b[i][axis];
        if (x < low[side]) low[side] = x;
        if (x > high[side]) high[side] = x;
      }
    }
    if (low[0] - deepest > high[1] || low[1] - deepest > high[0]) return false;
  }
  return true;
}

/// The part of triangle a behind triangle b; none where it is deeper than `limit`.
BULWARK_HD inline TriangleOverlap overlap_with_triangle(const Vector3* a, const Vector3* b, double limit) {
  const Vector3 across = (b[1] - b[0]).cross(b[2] - b[0]);
  const double size = across.norm();
  // A triangle without an area has no normal, and nothing is behind it.
  const Vector3 normal = size > 0 ? Vector3(across / size) : Vector3(0, 0, 0);
  TriangleOverlap o;
  if (!may_overlap(a, b, normal, limit)) {
    o.normal = normal;
    return o;
  }
  o = overlap_with_plane(a, b[0], normal);
  for (int i = 0; i < 3 && o.corners > 0; ++i) {
    const Vector3 outward = (b[(i + 1) % 3] - b[i]).cross(normal);
    cut_overlap(o, outward, outward.dot(b[i]));
  }
  measure_overlap(o, b[0]);
  if (o.deepest > limit) {
    o.corners = 0;
    measure_overlap(o, b[0]);
  }
  return o;
}

/// The point between the corners i and j of a polygon, with a weight.
BULWARK_HD inline PillarPoint pillar_point(const TriangleOverlap& o, int i, int j, double area,
                                           const Vector3* b) {
  PillarPoint p;
  p.volume = area * 0.5 * (o.depth[i] + o.depth[j]);
  p.first = 0.5 * (o.share[i] + o.share[j]);
  p.second = Vector3(0, 0, 0);
  if (b == nullptr) return p;
  const Vector3 x = 0.5 * (o.point[i] + o.point[j]), across = (b[1] - b[0]).cross(b[2] - b[0]);
  const double whole = o.normal.dot(across);
  p.second[1] = o.normal.dot((x - b[0]).cross(b[2] - b[0])) / whole;
  p.second[2] = o.normal.dot((b[1] - b[0]).cross(x - b[0])) / whole;
  p.second[0] = 1 - p.second[1] - p.second[2];
  return p;
}

/// The points whose volumes make up the pillar: at most 15. `b` is null for a plane.
BULWARK_HD inline int pillar_points(const TriangleOverlap& o, const Vector3* b, PillarPoint* points) {
  int count = 0;
  for (int i = 1; i + 1 < o.corners; ++i) {
    const double third = fan_area(o, i) / 3;
    points[count++] = pillar_point(o, 0, i, third, b);
    points[count++] = pillar_point(o, i, i + 1, third, b);
    points[count++] = pillar_point(o, i + 1, 0, third, b);
  }
  return count;
}

/// The pillar's center as one point.
BULWARK_HD inline PillarPoint pillar_center(const TriangleOverlap& o, const Vector3* b) {
  PillarPoint points[3 * (TriangleOverlap::most_corners - 2)];
  const int count = pillar_points(o, b, points);
  PillarPoint center = {0, Vector3(0, 0, 0), Vector3(0, 0, 0)};
  for (int k = 0; k < count; ++k) {
    center.volume += points[k].volume;
    center.first += points[k].volume * points[k].first;
    center.second += points[k].volume * points[k].second;
  }
  if (center.volume > 0) {
    center.first /= center.volume;
    center.second /= center.volume;
  }
  return center;
}

}  // namespace bulwark
