// Closest points of a point and a triangle, or of two edges: which features are closest, and the vector
// between them as a weighted sum of vertices. Barrier, friction and CCD all stand on this page.
//
//   r = sum_i w_i(s) x_i,   D = |r|^2,   s = the free closest-point parameters (0, 1 or 2 of them)
//
// By the envelope theorem dD/dx_i = 2 w_i r: one formula for all kinds of pairs.
#pragma once

#include <bulwark/base/host_device.hpp>
#include <bulwark/math/svd3.hpp>
#include <bulwark/math/types.hpp>

#include <Eigen/Geometry>
#include <cmath>

namespace bulwark {

enum class PairKind : signed char {
  point_point,     ///< x0; x1
  point_edge,      ///< x0; line x1 x2
  point_triangle,  ///< x0; plane x1 x2 x3
  edge_edge,       ///< line x0 x1; line x2 x3
  point_plane      ///< x0; the plane through x1 with a given normal
};

BULWARK_HD constexpr int vertex_count(PairKind kind) {
  return kind == PairKind::point_edge                                        ? 3
         : (kind == PairKind::point_triangle || kind == PairKind::edge_edge) ? 4
                                                                             : 2;
}

/// The closest features of a point-triangle or edge-edge pair: a kind, and which of the pair's four vertices
/// play its roles.
struct ClosestFeatures {
  PairKind kind;
  signed char vertex[4];
};

/// Square of the sine of the angle between edges below which their common normal is lost to rounding: such
/// edges are treated as parallel.
inline constexpr double parallel_sine_squared = 1e-20;

BULWARK_HD inline double point_edge_squared_distance(const Vector3& p, const Vector3& a, const Vector3& b) {
  const Vector3 edge = b - a;
  const double length = edge.squaredNorm();
  double t = length > 0 ? (p - a).dot(edge) / length : 0;
  t = t < 0 ? 0 : (t > 1 ? 1 : t);
  return (p - a - t * edge).squaredNorm();
}

/// Features of the point p and the edge ab, with the local names given for them.
BULWARK_HD inline ClosestFeatures point_edge_features(const Vector3& p, const Vector3& a, const Vector3& b,
                                                      signed char ip, signed char ia, signed char ib) {
  const Vector3 edge = b - a;
  const double along = (p - a).dot(edge);
  if (along <= 0) return {PairKind::point_point, {ip, ia, -1, -1}};
  if (along >= edge.squaredNorm()) return {PairKind::point_point, {ip, ib, -1, -1}};
  return {PairKind::point_edge, {ip, ia, ib, -1}};
}

/// Closest features of the point p and the triangle abc (vertices 0; 1 2 3 of the pair).
BULWARK_HD inline ClosestFeatures point_triangle_features(const Vector3& p, const Vector3& a,
                                                          const Vector3& b, const Vector3& c) {
  const Vector3 ab = b - a, ac = c - a;
  const Vector3 ap = p - a, bp = p - b, cp = p - c;
  const double d1 = ab.dot(ap), d2 = ac.dot(ap);
  if (d1 <= 0 && d2 <= 0) return {PairKind::point_point, {0, 1, -1, -1}};
  const double d3 = ab.dot(bp), d4 = ac.dot(bp);
  if (d3 >= 0 && d4 <= d3) return {PairKind::point_point, {0, 2, -1, -1}};
  const double d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d6 >= 0 && d5 <= d6) return {PairKind::point_point, {0, 3, -1, -1}};
  if (d1 * d4 - d3 * d2 <= 0 && d1 >= 0 && d3 <= 0) return {PairKind::point_edge, {0, 1, 2, -1}};
  if (d5 * d2 - d1 * d6 <= 0 && d2 >= 0 && d6 <= 0) return {PairKind::point_edge, {0, 1, 3, -1}};
  if (d3 * d6 - d5 * d4 <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return {PairKind::point_edge, {0, 2, 3, -1}};
  const double normal = ab.cross(ac).squaredNorm();
  if (!(normal > parallel_sine_squared * ab.squaredNorm() * ac.squaredNorm())) {
    // A needle: its plane is lost to rounding, its edges are not.
    const double to_ab = point_edge_squared_distance(p, a, b);
    const double to_ac = point_edge_squared_distance(p, a, c);
    const double to_bc = point_edge_squared_distance(p, b, c);
    if (to_ab <= to_ac && to_ab <= to_bc) return point_edge_features(p, a, b, 0, 1, 2);
    if (to_ac <= to_bc) return point_edge_features(p, a, c, 0, 1, 3);
    return point_edge_features(p, b, c, 0, 2, 3);
  }
  return {PairKind::point_triangle, {0, 1, 2, 3}};
}

/// Closest features of two parallel (or zero-length) edges: the best of the four point-edge pairs.
BULWARK_HD inline ClosestFeatures parallel_edge_features(const Vector3& a0, const Vector3& a1,
                                                         const Vector3& b0, const Vector3& b1) {
  const double d[4] = {point_edge_squared_distance(a0, b0, b1), point_edge_squared_distance(a1, b0, b1),
                       point_edge_squared_distance(b0, a0, a1), point_edge_squared_distance(b1, a0, a1)};
  int best = 0;
  for (int k = 1; k < 4; ++k) {
    if (d[k] < d[best]) best = k;
  }
  if (best == 0) return point_edge_features(a0, b0, b1, 0, 2, 3);
  if (best == 1) return point_edge_features(a1, b0, b1, 1, 2, 3);
  if (best == 2) return point_edge_features(b0, a0, a1, 2, 0, 1);
  return point_edge_features(b1, a0, a1, 3, 0, 1);
}

/// Closest features of the edges a0a1 and b0b1 (vertices 0 1; 2 3 of the pair).
BULWARK_HD inline ClosestFeatures edge_edge_features(const Vector3& a0, const Vector3& a1, const Vector3& b0,
                                                     const Vector3& b1) {
  const Vector3 u = a1 - a0, v = b1 - b0, w = a0 - b0;
  const double a = u.squaredNorm(), c = v.squaredNorm();
  const double cross = u.cross(v).squaredNorm();
  if (!(cross > parallel_sine_squared * a * c)) return parallel_edge_features(a0, a1, b0, b1);
  const double b = u.dot(v), d = u.dot(w), e = v.dot(w);
  const double sn = b * e - c * d;
  const double determinant = a * c - b * b;
  double tn = a * e - b * d, td = determinant;
  ClosestFeatures base = {PairKind::edge_edge, {0, 1, 2, 3}};
  if (sn <= 0) {
    tn = e;
    td = c;
    base = {PairKind::point_edge, {0, 2, 3, -1}};
  } else if (sn >= determinant) {
    tn = e + b;
    td = c;
    base = {PairKind::point_edge, {1, 2, 3, -1}};
  }
  if (tn <= 0) {
    if (-d <= 0) return {PairKind::point_point, {0, 2, -1, -1}};
    if (-d >= a) return {PairKind::point_point, {1, 2, -1, -1}};
    return {PairKind::point_edge, {2, 0, 1, -1}};
  }
  if (tn >= td) {
    if (b - d <= 0) return {PairKind::point_point, {0, 3, -1, -1}};
    if (b - d >= a) return {PairKind::point_point, {1, 3, -1, -1}};
    return {PairKind::point_edge, {3, 0, 1, -1}};
  }
  return base;
}

/// The vector r between closest points, as a weighted sum of the vertices.
struct ClosestPoints {
  int vertices = 0;           ///< entries of w that count
  bool fixed_normal = false;  ///< r keeps its direction whatever the vertices do (point-plane)
  Vector3 r;
  Eigen::Vector4d weight;

  BULWARK_HD double squared_distance() const { return r.squaredNorm(); }
};

/// With what the derivatives of r need: with q_k an orthonormal basis of the directions in which the closest
/// points slide, and s' the parameters along them,
///   dr/ds'_k = q_k at fixed x,   omega_k = dw/ds'_k.
struct SlidingPoints : ClosestPoints {
  int parameters = 0;  ///< columns of q and omega that count
  Eigen::Matrix<double, 3, 2> q = Eigen::Matrix<double, 3, 2>::Zero();
  Eigen::Matrix<double, 4, 2> omega = Eigen::Matrix<double, 4, 2>::Zero();
};

/// Closest points for known features; x holds the vertices in the order that the kind names them. The normal
/// is used by point_plane alone.
BULWARK_HD inline ClosestPoints closest_points(PairKind kind, const Vector3* x,
                                               const Vector3& normal = Vector3(0, 1, 0)) {
  ClosestPoints c;
  c.vertices = vertex_count(kind);
  switch (kind) {
    case PairKind::point_point:
      c.weight << 1, -1, 0, 0;
      c.r = x[0] - x[1];
      break;
    case PairKind::point_plane:
      c.weight << 1, -1, 0, 0;
      c.r = normal * normal.dot(x[0] - x[1]);
      c.fixed_normal = true;
      break;
    case PairKind::point_edge: {
      const Vector3 edge = x[2] - x[1], offset = x[0] - x[1];
      const double s = offset.dot(edge) / edge.squaredNorm();
      c.weight << 1, s - 1, -s, 0;
      c.r = offset - s * edge;
      break;
    }
    case PairKind::point_triangle: {
      const Vector3 e1 = x[2] - x[1], e2 = x[3] - x[1], offset = x[0] - x[1];
      const Vector3 n = e1.cross(e2);
      const double area = n.squaredNorm();
      // The plane formula: the direction of r stays right however close the point is.
      c.r = n * (n.dot(offset) / area);
      const double s1 = offset.cross(e2).dot(n) / area, s2 = e1.cross(offset).dot(n) / area;
      c.weight << 1, s1 + s2 - 1, -s1, -s2;
      break;
    }
    case PairKind::edge_edge: {
      const Vector3 u = x[1] - x[0], v = x[3] - x[2], offset = x[0] - x[2];
      const Vector3 n = u.cross(v);
      const double area = n.squaredNorm();
      c.r = n * (n.dot(offset) / area);
      const double s1 = v.cross(offset).dot(n) / area, s2 = u.cross(offset).dot(n) / area;
      c.weight << 1 - s1, s1, s2 - 1, -s2;
      break;
    }
  }
  return c;
}

/// Fills q and omega from dr/ds = tangents and dw/ds = derivative by Gram-Schmidt on the tangents.
BULWARK_HD inline void set_sliding_frame(SlidingPoints& c, const Eigen::Matrix<double, 3, 2>& tangents,
                                         const Eigen::Matrix<double, 4, 2>& derivative) {
  const double l0 = tangents.col(0).norm();
  c.q.col(0) = tangents.col(0) / l0;
  c.omega.col(0) = derivative.col(0) / l0;
  if (c.parameters < 2) return;
  const double shear = c.q.col(0).dot(tangents.col(1));
  const Vector3 rest = tangents.col(1) - shear * c.q.col(0);
  const double l1 = rest.norm();
  c.q.col(1) = rest / l1;
  c.omega.col(1) = (derivative.col(1) - shear * c.omega.col(0)) / l1;
}

/// Closest points as above, with their sliding frame.
BULWARK_HD inline SlidingPoints sliding_points(PairKind kind, const Vector3* x,
                                               const Vector3& normal = Vector3(0, 1, 0)) {
  SlidingPoints c{closest_points(kind, x, normal)};
  Eigen::Matrix<double, 3, 2> tangents = Eigen::Matrix<double, 3, 2>::Zero();
  Eigen::Matrix<double, 4, 2> derivative = Eigen::Matrix<double, 4, 2>::Zero();
  switch (kind) {
    case PairKind::point_point:
    case PairKind::point_plane:
      return c;
    case PairKind::point_edge:
      c.parameters = 1;
      tangents.col(0) = x[1] - x[2];
      derivative.col(0) << 0, 1, -1, 0;
      break;
    case PairKind::point_triangle:
      c.parameters = 2;
      tangents << x[1] - x[2], x[1] - x[3];
      derivative.col(0) << 0, 1, -1, 0;
      derivative.col(1) << 0, 1, 0, -1;
      break;
    case PairKind::edge_edge:
      c.parameters = 2;
      tangents << x[1] - x[0], x[2] - x[3];
      derivative.col(0) << -1, 1, 0, 0;
      derivative.col(1) << 0, 0, 1, -1;
      break;
  }
  set_sliding_frame(c, tangents, derivative);
  return c;
}

/// The vertices that the features name, in their order.
BULWARK_HD inline void named_vertices(const ClosestFeatures& features, const Vector3* x, Vector3* named) {
  for (int i = 0; i < 4; ++i) {
    if (features.vertex[i] >= 0) named[i] = x[features.vertex[i]];
  }
}

/// Closest points of a pair of four vertices whose closest features are known. Weights, q and omega are in
/// the pair's own order of vertices.
BULWARK_HD inline ClosestPoints closest_points_of_pair(const ClosestFeatures& features, const Vector3* x) {
  Vector3 named[4];
  named_vertices(features, x, named);
  ClosestPoints c = closest_points(features.kind, named);
  const Eigen::Vector4d weight = c.weight;
  c.vertices = 4;
  c.weight.setZero();
  for (int i = 0; i < vertex_count(features.kind); ++i) c.weight[features.vertex[i]] = weight[i];
  return c;
}

BULWARK_HD inline SlidingPoints sliding_points_of_pair(const ClosestFeatures& features, const Vector3* x) {
  Vector3 named[4];
  named_vertices(features, x, named);
  const SlidingPoints reduced = sliding_points(features.kind, named);
  SlidingPoints c = reduced;
  c.vertices = 4;
  c.weight.setZero();
  c.omega.setZero();
  for (int i = 0; i < vertex_count(features.kind); ++i) {
    c.weight[features.vertex[i]] = reduced.weight[i];
    c.omega.row(features.vertex[i]) = reduced.omega.row(i);
  }
  return c;
}

BULWARK_HD inline double squared_distance(const ClosestFeatures& features, const Vector3* x) {
  auto vertex = [&](int i) -> const Vector3& { return x[features.vertex[i]]; };
  switch (features.kind) {
    case PairKind::point_point:
      return (vertex(0) - vertex(1)).squaredNorm();
    case PairKind::point_edge: {
      const Vector3 edge = vertex(2) - vertex(1), offset = vertex(0) - vertex(1);
      return (offset - (offset.dot(edge) / edge.squaredNorm()) * edge).squaredNorm();
    }
    case PairKind::point_triangle: {
      const Vector3 n = (x[2] - x[1]).cross(x[3] - x[1]);
      const double height = n.dot(x[0] - x[1]);
      return height * height / n.squaredNorm();
    }
    case PairKind::edge_edge: {
      const Vector3 n = (x[1] - x[0]).cross(x[3] - x[2]);
      const double height = n.dot(x[0] - x[2]);
      return height * height / n.squaredNorm();
    }
    case PairKind::point_plane:
      break;
  }
  return 0;
}

BULWARK_HD inline double point_triangle_squared_distance(const Vector3* x) {
  return squared_distance(point_triangle_features(x[0], x[1], x[2], x[3]), x);
}

BULWARK_HD inline double edge_edge_squared_distance(const Vector3* x) {
  return squared_distance(edge_edge_features(x[0], x[1], x[2], x[3]), x);
}

}  // namespace bulwark
