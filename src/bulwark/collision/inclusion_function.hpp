// The difference of two moving primitives as a function of time and of their parameters, and intervals that
// contain its values over a box of them, rounding included. Host and device; tight-inclusion CCD bisects with
// it.
//
//   F(t, u, v) = A(t) + u U(t) + v V(t),   A = a0 + t a1 and so on, vectors
//
//   point-triangle:  A = p - a,   U = a - b,    V = a - c    on u, v >= 0, u + v <= 1
//   edge-edge:       A = a0 - b0, U = a1 - a0,  V = b0 - b1  on u, v in [0, 1]
//   point-edge and point-point: the same with V = 0, or U = V = 0
//
// The primitives touch where F = 0. F is affine in each of t, u and v alone, so the values n . F over a box
// lie between the least and the greatest of its eight corners, for any direction n; and because u and v are
// not multiplied with each other, at either end of time these are
//
//   n.A + min(u0 n.U, u1 n.U) + min(v0 n.V, v1 n.V)   and the same with max.
//
// Along the coordinate axes this is the tightest box around the image (Wang et al. 2021). Further directions
// cut off what that box has too much of: the normals of the image's faces and the direction to its middle.
//
// Rounding, with u = 2^-53. A coefficient such as n . a0 comes with a relative error of 4u in the sum S of
// the absolute values of its products (along an axis 1u, that of the difference of two coordinates).
// Multiplying by t and adding takes two roundings, multiplying by u or v one, and the two sums two: 9u S in
// all, where S is summed over the six coefficients, those of t times max(1, max_time), for |u|, |v| <= 1 (6u
// S along an axis); 10u S and 7u S are used. Contracting products and sums into fused operations only leaves
// out roundings. To this comes the rounding of the motion (motion_error), for a vertex of either primitive.
// The bound grows with the pair's size, and with its distance from the origin only where the caller's own
// rounding does; one in powers of the coordinates, as the source has it, would swallow pairs far from the
// origin.
#pragma once

#include <bulwark/base/host_device.hpp>
#include <bulwark/collision/separating_advance.hpp>

#include <Eigen/Geometry>
#include <cfloat>

namespace bulwark {

/// A part of the domain of F.
struct ParameterBox {
  double lower[3], upper[3];  ///< of t, u, v

  BULWARK_HD double width(int i) const { return upper[i] - lower[i]; }
};

struct ValueRange {
  double lower, upper;
};

/// n . F for one direction n.
struct DirectedFunction {
  double a[2], u[2], v[2];
  double error;  ///< of a computed value

  BULWARK_HD ValueRange over(const ParameterBox& box) const {
    ValueRange range{DBL_MAX, -DBL_MAX};
    for (int end = 0; end < 2; ++end) {
      const double t = end == 0 ? box.lower[0] : box.upper[0];
      const double at = a[0] + t * a[1], ut = u[0] + t * u[1], vt = v[0] + t * v[1];
      const double u0 = box.lower[1] * ut, u1 = box.upper[1] * ut;
      const double v0 = box.lower[2] * vt, v1 = box.upper[2] * vt;
      const double lower = at + (u0 < u1 ? u0 : u1) + (v0 < v1 ? v0 : v1);
      const double upper = at + (u0 < u1 ? u1 : u0) + (v0 < v1 ? v1 : v0);
      // In this form a value that is not a number widens the range to one that excludes nothing.
      if (!(lower >= range.lower)) range.lower = lower;
      if (!(upper <= range.upper)) range.upper = upper;
    }
    return range;
  }
};

class InclusionFunction {
 public:
  bool prism = false;  ///< u + v <= 1

  static BULWARK_HD InclusionFunction point_triangle(const CcdQuery& q, double max_time,
                                                     MotionRounding rounding) {
    InclusionFunction f(q, 1, 4, max_time, rounding);
    f.set(q, 0, 1, f.a_);
    f.set(q, 1, 2, f.u_);
    f.set(q, 1, 3, f.v_);
    f.prism = true;
    f.finish();
    return f;
  }
  static BULWARK_HD InclusionFunction edge_edge(const CcdQuery& q, double max_time, MotionRounding rounding) {
    InclusionFunction f(q, 2, 4, max_time, rounding);
    f.set(q, 0, 2, f.a_);
    f.set(q, 1, 0, f.u_);
    f.set(q, 2, 3, f.v_);
    f.finish();
    return f;
  }
  /// Vertices: the point, the edge's two. The fourth is not read.
  static BULWARK_HD InclusionFunction point_edge(const CcdQuery& q, double max_time,
                                                 MotionRounding rounding) {
    InclusionFunction f(q, 1, 3, max_time, rounding);
    f.set(q, 0, 1, f.a_);
    f.set(q, 1, 2, f.u_);
    f.finish();
    return f;
  }
  /// Vertices: the two points.
  static BULWARK_HD InclusionFunction point_point(const CcdQuery& q, double max_time,
                                                  MotionRounding rounding) {
    InclusionFunction f(q, 1, 2, max_time, rounding);
    f.set(q, 0, 1, f.a_);
    f.finish();
    return f;
  }

  BULWARK_HD const DirectedFunction& along_axis(int axis) const { return axis_[axis]; }

  BULWARK_HD DirectedFunction along(const Vector3& n) const {
    const Vector3 size = n.cwiseAbs();
    DirectedFunction f;
    double sum = 0;
    for (int i = 0; i < 2; ++i) {
      f.a[i] = n.dot(a_[i]);
      f.u[i] = n.dot(u_[i]);
      f.v[i] = n.dot(v_[i]);
      sum += (i == 0 ? 1 : longest_) * size.dot(a_[i].cwiseAbs() + u_[i].cwiseAbs() + v_[i].cwiseAbs());
    }
    f.error = 5 * DBL_EPSILON * sum + size.dot(motion_error_) * (1 + 4 * DBL_EPSILON) + DBL_MIN;
    return f;
  }

  struct Derivatives {
    Vector3 value, by_t, by_u, by_v;
  };
  /// At a point of the domain, in plain floating point: good for choosing directions.
  BULWARK_HD Derivatives at(double t, double u, double v) const {
    Derivatives d;
    d.by_u = u_[0] + t * u_[1];
    d.by_v = v_[0] + t * v_[1];
    d.by_t = a_[1] + u * u_[1] + v * v_[1];
    d.value = a_[0] + t * a_[1] + u * d.by_u + v * d.by_v;
    return d;
  }

  /// Bounds of the change of F (largest component) per unit of t, u and v, times three: a box of widths w
  /// with w_i k_i < w has an image narrower than w.
  BULWARK_HD void width_factors(double max_time, double k[3]) const {
    double largest[3] = {0, 0, 0};
    for (int corner = 0; corner < 4; ++corner) {
      const double p = corner & 1, q = corner >> 1;
      const Derivatives by_uv = at(p * max_time, q, 0);
      const Derivatives by_t = at(0, p, prism && p == 1 ? 0 : q);
      const double size[3] = {by_t.by_t.template lpNorm<Eigen::Infinity>(),
                              by_uv.by_u.template lpNorm<Eigen::Infinity>(),
                              by_uv.by_v.template lpNorm<Eigen::Infinity>()};
      for (int i = 0; i < 3; ++i) {
        if (!(size[i] <= largest[i])) largest[i] = size[i];
      }
    }
    for (int i = 0; i < 3; ++i) k[i] = 3 * largest[i];
  }

 private:
  BULWARK_HD InclusionFunction(const CcdQuery& q, int first, int vertices, double max_time,
                               MotionRounding rounding)
      : longest_(max_time > 1 ? max_time : 1) {
    for (int i = 0; i < 2; ++i) {
      a_[i].setZero();
      u_[i].setZero();
      v_[i].setZero();
    }
    motion_error_ =
        motion_error(q, 0, first, max_time, rounding) + motion_error(q, first, vertices, max_time, rounding);
  }
  BULWARK_HD void set(const CcdQuery& q, int first, int second, Vector3* to) {
    to[0] = q.x[first] - q.x[second];
    to[1] = q.p[first] - q.p[second];
  }
  BULWARK_HD void finish() {
    for (int c = 0; c < 3; ++c) {
      double sum = 0;
      for (int i = 0; i < 2; ++i) {
        axis_[c].a[i] = a_[i][c];
        axis_[c].u[i] = u_[i][c];
        axis_[c].v[i] = v_[i][c];
        for (double x : {a_[i][c], u_[i][c], v_[i][c]}) sum += (i == 0 ? 1 : longest_) * (x < 0 ? -x : x);
      }
      axis_[c].error = 3.5 * DBL_EPSILON * sum + motion_error_[c] + DBL_MIN;
    }
  }

  Vector3 a_[2], u_[2], v_[2];
  double longest_;        ///< largest time, at least 1
  Vector3 motion_error_;  ///< that of two points, by components
  DirectedFunction axis_[3];
};

}  // namespace bulwark
