// Advancing in time along separating directions: what both CCD methods start with. Host and device.
//
// The differences e_k(t) = e_k + t w_k between the vertices of the first and of the second primitive span a
// convex hull, and the primitives' distance d(t) is that of the hull from the origin. For any unit vector n
//
//   d(t) >= min_k n . e_k(t),
//
// with equality for n along the closest points' difference. The right side is a minimum of linear functions,
// so the time until which it stays above a wanted distance follows in closed form. Each iteration takes n at
// the time reached and advances to that time. This never advances less than the bound (d - wanted) / l with
// l = max_k |w_k| of Li et al. 2021, and much farther for primitives that slide along each other.
//
// Nothing is trusted of the closest points but the direction that they propose: a poor one gives an early
// answer, not a late one. Rounding, with u = 2^-53 and |.| by components:
//   - the computed n . e_k differs from the exact one by at most 4u |n|.|e_k| (each difference of the input
//     rounds once, the sum of three products by 3u), and likewise n . w_k; 7u is taken off, for the rounding
//     of that itself and of the sum offset + t slope;
//   - in a step filter, whoever moves the points computes x + t p with an error of up to 2u (|x| + |p|) per
//     component, with max(1, max_time) |p| for times beyond 1; the sum for a vertex of either primitive is
//     added to the wanted distance, as the norm of that vector;
//   - in a plain query, the motion may have been given by its end points, whose difference p was rounded by
//     up to u |p|: added likewise;
//   - products that underflow are off by less than 2^-1074 each: DBL_MIN covers many of them.
// A pair whose gap is no larger than this margin counts as touching.
#pragma once

#include <bulwark/base/host_device.hpp>
#include <bulwark/collision/ccd.hpp>
#include <bulwark/stencils/closest_points.hpp>

#include <cfloat>

namespace bulwark {

/// Whether all coordinates are numbers, and finite.
BULWARK_HD inline bool is_finite(const CcdQuery& query) {
  double sum = 0;
  for (int i = 0; i < 4; ++i) sum += (query.x[i] * 0.0 + query.p[i] * 0.0).sum();
  return sum == 0;
}

/// The convex hull of the differences of two primitives' vertices, in motion: e_k + t w_k.
struct DifferenceHull {
  int count = 0;
  Vector3 e[4], w[4];

  BULWARK_HD void add(const CcdQuery& query, int first, int second) {
    e[count] = query.x[first] - query.x[second];
    w[count] = query.p[first] - query.p[second];
    ++count;
  }

  /// A lower bound of n . e_k + t n . w_k, of the form offset + t slope, that rounding does not break.
  struct Bound {
    double offset, slope;
  };
  BULWARK_HD Bound bound(int k, const Vector3& n) const {
    const Vector3 size = n.cwiseAbs();
    constexpr double slack = 3.5 * DBL_EPSILON;
    return {n.dot(e[k]) - slack * size.dot(e[k].cwiseAbs()), n.dot(w[k]) - slack * size.dot(w[k].cwiseAbs())};
  }

  /// A distance that the primitives have at time t, or more.
  BULWARK_HD double separation(const Vector3& n, double t) const {
    double least = DBL_MAX;
    for (int k = 0; k < count; ++k) {
      const Bound b = bound(k, n);
      const double value = b.offset + t * b.slope;
      if (!(value >= least)) least = value;
    }
    return least;
  }

  /// The time until which n proves the distance `wanted`, for a start at which it does.
  BULWARK_HD double separated_until(const Vector3& n, double wanted) const {
    double until = DBL_MAX;
    for (int k = 0; k < count; ++k) {
      const Bound b = bound(k, n);
      if (b.slope >= 0) continue;
      const double time = (b.offset - wanted) / -b.slope * (1 - 4 * DBL_EPSILON);
      if (!(time >= until)) until = time;
    }
    return until;
  }
};

/// Of a direction whose length can be told to the last bits: the squares of its components don't underflow.
inline constexpr double smallest_length = 1e-140;

/// Unit vector from the second to the first of the closest features, orthogonal to both of them to the last
/// bits however close they are; zero where they touch.
BULWARK_HD inline Vector3 closest_direction(const ClosestFeatures& features, const Vector3* x) {
  auto vertex = [&](int i) -> const Vector3& { return x[features.vertex[i]]; };
  auto without = [](const Vector3& v, const Vector3& direction) -> Vector3 {
    const double length = direction.squaredNorm();
    return length > 0 ? Vector3(v - direction * (v.dot(direction) / length)) : v;
  };
  Vector3 n = Vector3::Zero();
  switch (features.kind) {
    case PairKind::point_edge: {
      const Vector3 edge = vertex(2) - vertex(1);
      n = without(without(vertex(0) - vertex(1), edge), edge);
      break;
    }
    case PairKind::point_triangle:
    case PairKind::edge_edge: {
      const bool triangle = features.kind == PairKind::point_triangle;
      const Vector3 u = triangle ? Vector3(vertex(2) - vertex(1)) : Vector3(vertex(1) - vertex(0));
      const Vector3 v = triangle ? Vector3(vertex(3) - vertex(1)) : Vector3(vertex(3) - vertex(2));
      const Vector3 offset = triangle ? Vector3(vertex(0) - vertex(1)) : Vector3(vertex(0) - vertex(2));
      // The cross product of nearly parallel vectors is not quite orthogonal to them: corrected once.
      n = without(without(u.cross(v), u), without(v, u));
      if (n.dot(offset) < 0) n = -n;
      break;
    }
    default:
      n = vertex(0) - vertex(1);
  }
  const double length = n.norm();
  if (!(length > smallest_length)) return Vector3::Zero();
  // The lone point of a point-edge kind may be of the second edge.
  const bool backward = features.vertex[0] >= 2;
  return n / (backward ? -length : length);
}

/// Closest features by the pair's own rule, or (attempt 1 to 4) by one of the pairs of a point and an edge,
/// for configurations so nearly degenerate that rounding misleads the rule.
template <bool edge_edge>
BULWARK_HD ClosestFeatures proposed_features(const Vector3* x, int attempt) {
  if constexpr (edge_edge) {
    if (attempt == 0) return edge_edge_features(x[0], x[1], x[2], x[3]);
    if (attempt == 1) return point_edge_features(x[0], x[2], x[3], 0, 2, 3);
    if (attempt == 2) return point_edge_features(x[1], x[2], x[3], 1, 2, 3);
    if (attempt == 3) return point_edge_features(x[2], x[0], x[1], 2, 0, 1);
    return point_edge_features(x[3], x[0], x[1], 3, 0, 1);
  } else {
    if (attempt == 0) return point_triangle_features(x[0], x[1], x[2], x[3]);
    if (attempt == 1) return point_edge_features(x[0], x[1], x[2], 0, 1, 2);
    if (attempt == 2) return point_edge_features(x[0], x[1], x[3], 0, 1, 3);
    if (attempt == 3) return point_edge_features(x[0], x[2], x[3], 0, 2, 3);
    return {PairKind::point_triangle, {0, 1, 2, 3}};
  }
}

/// What rounding the answer must allow for, beside that of the method.
enum class MotionRounding {
  of_positions,    ///< the caller will compute x + t p
  of_displacement  ///< the caller computed p as the difference of two positions
};

/// Largest error of the vertices' motion, by components, in units of rounding.
BULWARK_HD inline Vector3 motion_error(const CcdQuery& query, int begin, int end, double max_time,
                                       MotionRounding rounding) {
  // At least the whole motion, so that the answer does not depend on a bound below 1 that found times give.
  const double longest = max_time > 1 ? max_time : 1;
  Vector3 largest = Vector3::Zero();
  for (int i = begin; i < end; ++i) {
    const Vector3 path = longest * query.p[i].cwiseAbs();
    const Vector3 error = rounding == MotionRounding::of_positions
                              ? Vector3(DBL_EPSILON * (query.x[i].cwiseAbs() + path))
                              : Vector3(0.5 * DBL_EPSILON * path);
    largest = largest.cwiseMax(error);
  }
  return largest;
}

/// A pair in motion, prepared for the advance.
template <bool edge_edge>
struct PairMotion {
  DifferenceHull hull;
  /// Positions relative to the first vertex: far from the origin they keep all their bits.
  Vector3 start[4], motion[4];
  /// By this much rounding may bring the pair closer: along each axis, and in space.
  Vector3 axis_margin = Vector3::Zero();
  double margin = 0;

  BULWARK_HD PairMotion(const CcdQuery& query, double max_time, MotionRounding rounding) {
    if constexpr (edge_edge) {
      for (int i = 0; i < 2; ++i) {
        for (int j = 2; j < 4; ++j) hull.add(query, i, j);
      }
    } else {
      for (int j = 1; j < 4; ++j) hull.add(query, 0, j);
    }
    for (int i = 0; i < 4; ++i) {
      start[i] = query.x[i] - query.x[0];
      motion[i] = query.p[i] - query.p[0];
    }
    constexpr int first = edge_edge ? 2 : 1;
    axis_margin =
        motion_error(query, 0, first, max_time, rounding) + motion_error(query, first, 4, max_time, rounding);
    // Products that underflow.
    axis_margin += Vector3::Constant(DBL_MIN);
    margin = axis_margin.norm() * (1 + 8 * DBL_EPSILON) + DBL_MIN;
  }

  BULWARK_HD void positions(double time, Vector3* x) const {
    for (int i = 0; i < 4; ++i) x[i] = start[i] + time * motion[i];
  }
};

struct Separation {
  Vector3 direction;
  double distance;  ///< that the direction proves
};

/// The best separation found at a time; the further proposals are tried where the first proves no more than
/// `enough`.
template <bool edge_edge>
BULWARK_HD Separation find_separation(const PairMotion<edge_edge>& pair, double time, double enough) {
  Vector3 x[4];
  pair.positions(time, x);
  Separation best;
  best.direction = closest_direction(proposed_features<edge_edge>(x, 0), x);
  best.distance = pair.hull.separation(best.direction, time);
  for (int attempt = 1; attempt <= 4 && !(best.distance > enough); ++attempt) {
    const Vector3 other = closest_direction(proposed_features<edge_edge>(x, attempt), x);
    const double distance = pair.hull.separation(other, time);
    if (distance > best.distance) best = {other, distance};
  }
  return best;
}

struct Advance {
  enum class End {
    safe,     ///< max_time was reached
    close,    ///< no more than wanted + tolerance could be proven
    stalled,  ///< the next step would be none
    limit     ///< max_iterations was reached
  };
  End end = End::limit;
  double time = 0;     ///< on [0, time] the pair is farther apart than `wanted`
  int iterations = 0;  ///< directions tried
};

/// Whether the pair's swept boxes from one time to another are farther apart than `distance` along an axis.
/// Here the bounds are as sharp as the coordinates: where all motion is across the axis, to the last bit.
template <bool edge_edge>
BULWARK_HD bool separated_along_axis(const PairMotion<edge_edge>& pair, double from, double to,
                                     double distance) {
  for (int c = 0; c < 3; ++c) {
    const double wanted = (distance + pair.axis_margin[c]) * (1 + 4 * DBL_EPSILON);
    bool above = true, below = true;
    for (int k = 0; k < pair.hull.count; ++k) {
      // Rounded once each in e and w, twice in the sum.
      const double e = pair.hull.e[k][c], w = pair.hull.w[k][c];
      const double slack = 2 * DBL_EPSILON * ((e < 0 ? -e : e) + to * (w < 0 ? -w : w));
      const double at_from = e + from * w, at_to = e + to * w;
      above = above && at_from - slack > wanted && at_to - slack > wanted;
      below = below && -at_from - slack > wanted && -at_to - slack > wanted;
    }
    if (above || below) return true;
  }
  return false;
}

/// How far an advance goes.
struct AdvanceGoal {
  double wanted;          ///< distance
  double tolerance;       ///< it ends within this of the wanted distance,
  double late_tolerance;  ///< or, after precise_advances, within this
  double max_time;
  int max_iterations;
};
inline constexpr int precise_advances = 20;

/// Advances from time 0, where `separation` proves more than the wanted distance.
template <bool edge_edge>
BULWARK_HD Advance advance(const PairMotion<edge_edge>& pair, Separation separation,
                           const AdvanceGoal& goal) {
  Advance result;
  while (result.iterations < goal.max_iterations) {
    if (result.iterations > 0) {
      const double enough =
          goal.wanted + (result.iterations < precise_advances ? goal.tolerance : goal.late_tolerance);
      separation = find_separation(pair, result.time, enough);
      if (!(separation.distance > enough)) {
        result.end = Advance::End::close;
        return result;
      }
    }
    ++result.iterations;
    const double until = pair.hull.separated_until(separation.direction, goal.wanted);
    if (until >= goal.max_time) {
      result.end = Advance::End::safe;
      result.time = goal.max_time;
      return result;
    }
    if (!(until > result.time)) {
      result.end = Advance::End::stalled;
      return result;
    }
    result.time = until;
  }
  return result;
}

/// Whether the swept boxes alone prove that a step filter gets all the time it asks for: most candidates of a
/// broad phase are that far apart.
template <bool edge_edge>
BULWARK_HD bool plainly_apart(const PairMotion<edge_edge>& pair, const CcdOptions& options) {
  return options.keep_at_most < DBL_MAX &&
         separated_along_axis(pair, 0, options.max_time, options.minimum_distance + options.keep_at_most);
}

/// What a step filter asks for, in terms of the pair's own start.
struct KeptDistance {
  double wanted;  ///< the distance not to fall below, with the margin for rounding
  double
      tolerance;  ///< the last part of the path would take ever smaller steps: a tenth of what is to be kept
};
BULWARK_HD inline KeptDistance kept_distance(double start_distance, double margin,
                                             const CcdOptions& options) {
  const double gap = start_distance - options.minimum_distance;
  const double fraction = options.keep_fraction * gap;
  const double kept = fraction > options.keep_at_most ? options.keep_at_most : fraction;
  return {(options.minimum_distance + kept) * (1 + 8 * DBL_EPSILON) + margin,
          kept > 1e-11 * gap ? 0.1 * kept : 1e-12 * gap};
}

}  // namespace bulwark
