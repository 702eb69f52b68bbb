// Distances of pairs in extended precision by trying all features, apart from the code under test.
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <array>

namespace bulwark {

using Real = long double;
using Point = Eigen::Matrix<Real, 3, 1>;

inline Real point_segment(const Point& p, const Point& a, const Point& b) {
  const Point e = b - a;
  const Real length = e.squaredNorm();
  const Real s = length > 0 ? std::clamp<Real>((p - a).dot(e) / length, 0, 1) : 0;
  return (p - a - s * e).norm();
}

/// v less its part along u.
inline Point without(const Point& v, const Point& u) {
  const Real length = u.squaredNorm();
  return length > 0 ? Point(v - u * (v.dot(u) / length)) : v;
}

inline Real reference_distance(const std::array<Point, 4>& x, bool edge_edge) {
  Real best;
  if (edge_edge) {
    best = std::min({point_segment(x[0], x[2], x[3]), point_segment(x[1], x[2], x[3]),
                     point_segment(x[2], x[0], x[1]), point_segment(x[3], x[0], x[1])});
    const Point u = x[1] - x[0], v = x[3] - x[2], w = x[2] - x[0], n = u.cross(v);
    const Real size = n.squaredNorm();
    if (size > 0) {
      const Real s = w.cross(v).dot(n) / size, r = w.cross(u).dot(n) / size;
      // The common normal of nearly parallel edges, made orthogonal to both to the last bits.
      const Point across = without(v, u), normal = without(without(n, u), across);
      if (s >= 0 && s <= 1 && r >= 0 && r <= 1)
        best = std::min(best, std::abs(w.dot(normal)) / normal.norm());
    }
  } else {
    best = std::min(
        {point_segment(x[0], x[1], x[2]), point_segment(x[0], x[2], x[3]), point_segment(x[0], x[3], x[1])});
    const Point ab = x[2] - x[1], ac = x[3] - x[1], ap = x[0] - x[1], n = ab.cross(ac);
    const Real size = n.squaredNorm();
    if (size > 0) {
      const Real s = ap.cross(ac).dot(n) / size, r = ab.cross(ap).dot(n) / size;
      if (s >= 0 && r >= 0 && s + r <= 1) best = std::min(best, std::abs(ap.dot(n)) / std::sqrt(size));
    }
  }
  return best;
}

}  // namespace bulwark
