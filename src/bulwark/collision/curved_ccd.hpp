// Continuous collision detection for points of rigid bodies, whose paths are curved. Host and device.
//
// As in separating_advance.hpp, a unit vector n proves the distance d(t) >= min_k n . e_k(t), where e_k are
// the differences x_i - x_j between the vertices of the first and of the second primitive. Any n does so, one
// that turns as well: here n(t) = exp(t [v]) n with a constant v, zero or the turning of the features that n
// belongs to. With times counted from the one reached, f(t) = n(t) . e(t) is bounded below by Taylor's
// formula,
//
//   f(t) >= f + t f' - b t^2/2    for 0 <= t <= h,   b = max(0, min(m, l h - f'')),   m >= |f''|,  l >= |f'''|,
//
// and f + t f' - b t^2/2 = wanted is solved for t. Each iteration takes n along the closest points at the
// time reached and advances as far as it proves the distance wanted. The step is always positive: there is
// progress from any start farther apart than wanted.
//
// With v = 0, body_path.hpp gives the bounds: m and l are sums over the two points of |w x n| |w x r| and
// |w| |w x n| |w x r|. Here a second proof serves for all the time h that is left: that of the chord,
//
//   f(t) >= min(f(0), f(h)) - b h^2/8,   b = max(0, min(m, l h + f'')).
//
// With v, in the frame that turns with n, the second derivative is n . g, g = e'' - 2 v x e' + v x (v x e).
// For a point x = c + t d + r that turns with w = v + u (a straight point has no r) this is
//
//   g = a(r) - 2 v x d + v x (v x (c + t d)),    a(r) = u x (u x r) + (u x v) x r,
//
// by the Jacobi identity: only what the body turns differently from n, and its center, remain. As r and n
// keep their lengths, and n its right or other angle to v,
//
//   |f''|  <= sum over both of |r| s  +  |v x n| (2 |d| + |v x c|),             s = |u|^2 + |u x v|,
//   |f'''| <= sum over both of |r| s (|w| + |v|)  +  |v x n| |v| (3 |d| + |v x c|),
//
// with d and c now the differences between the bodies, and |v x c| the larger one of the two ends (it is
// convex in time). Bodies that turn together are settled like bodies that don't turn.
//
// This is the idea of Ferguson et al. 2021 (linearise; want as much more distance as the linearisation errs;
// subdivide) with gains: errors count along n only and only where the path bends towards the other body,
// pieces are as long as can be proven, and the common turning costs nothing.
//
// Rounding, with |.| the length of vectors, T the longest time, and phi = T |w| the angle:
//   - positions are taken relative to the first vertex; e is off by less than `noise`, the sum over both
//     points of  DBL_EPSILON (4 |x - x_0| + 4 T |d| + 32 phi |r|);
//   - f' is off by less than DBL_EPSILON (4 |d| + |w| (4 + 32 phi) |r|) for each point, and |v| times the
//     error and rounding of e; f'' by less than 64 DBL_EPSILON (1 + phi) of the sum of all products in it;
//     these are taken off;
//   - whoever moves the body computes c + t d, exp(t [w]) A and from these the points: an error of up to
//     DBL_EPSILON (2 |c| + 2 T |d| + 16 (1 + phi) |r|), A orthonormalised or not; for a straight point,
//     DBL_EPSILON (|x| + T |p|). Noise and this error are added to the distance wanted.
// A pair whose gap is no larger than these, even for a T of 1e-9, counts as touching.
#pragma once

#include <bulwark/collision/body_path.hpp>
#include <bulwark/collision/separating_advance.hpp>

namespace bulwark {

/// Four points as in CcdQuery, each moving with a rigid body or straight. Without any rotating body the query
/// is one for a Ccd, which is quicker.
struct CurvedQuery {
  std::array<Vector3, 4> x;  ///< at the start
  /// Displacement of a point that moves straight; of a body's point, what is added to its body's motion.
  std::array<Vector3, 4> p = {Vector3::Zero(), Vector3::Zero(), Vector3::Zero(), Vector3::Zero()};
  std::array<const BodyPath*, 4> path = {};  ///< of the point's body; null for a straight point
};

/// f(t), less the wanted distance, of each difference of vertices: what Taylor's formula needs.
struct TaylorBounds {
  int count = 0;
  double value[4], slope[4], bend[4];
  double largest_bend[4], largest_twist[4];  ///< bounds of |f''| and |f'''| for all the time that is left
  double bend_noise[4];

  /// The largest time up to which all are proven positive, `rest` at the most.
  BULWARK_HD double time_above_zero(double rest) const {
    // A nearer horizon makes the bound of the bend sharper.
    double proven = 0, horizon = rest;
    for (int round = 0; round < 4; ++round) {
      double time = horizon;
      for (int k = 0; k < count; ++k) {
        const double towards = largest_twist[k] * horizon - bend[k] + bend_noise[k];
        const double until = root(value[k], slope[k], within(towards, largest_bend[k]));
        if (!(until >= time)) time = until;
      }
      if (!(time > proven)) break;
      proven = time;
      if (proven >= rest) break;
      horizon = 2 * proven < rest ? 2 * proven : rest;
    }
    return proven;
  }

  /// `value` between 0 and `bound`.
  BULWARK_HD static double within(double value, double bound) {
    return value < 0 ? 0 : (value < bound ? value : bound);
  }

 private:
  /// The largest t up to which value + slope t - bend t^2/2 >= 0, for bend >= 0.
  BULWARK_HD static double root(double value, double slope, double bend) {
    if (!(value > 0)) return 0;
    const double discriminant = std::sqrt(slope * slope + 2 * bend * value);
    const double time = slope < 0  ? 2 * value / (discriminant - slope)
                        : bend > 0 ? (slope + discriminant) / bend
                                   : DBL_MAX;
    return time * (1 - 16 * DBL_EPSILON);
  }
};

/// A direction that proves a distance, and the turning of the features it comes from.
struct TurningSeparation {
  Vector3 direction;
  double distance;
  ClosestFeatures features;
};

/// A pair in curved motion, prepared for the advance.
template <bool edge_edge>
class CurvedPair {
 public:
  /// Part of a separation that may be missing from what is found.
  static constexpr double told_precision = 1e-9;

  /// Where the points are at a time, relative to the first one's start, and their arms.
  struct Placement {
    Vector3 x[4];
    Vector3 arm[4];  ///< r(t); zero for a straight point
  };

  /// For times up to `longest`.
  BULWARK_HD CurvedPair(const CurvedQuery& query, double longest) {
    double error[4], check = 0;
    for (int i = 0; i < 4; ++i) {
      const BodyPath* path = query.path[i];
      start_[i] = query.x[i] - query.x[0];
      drift_[i] = path != nullptr ? Vector3(path->displacement + query.p[i]) : query.p[i];
      turn_[i] = path != nullptr ? path->rotation : Vector3::Zero();
      arm_[i] = path != nullptr ? Vector3(query.x[i] - path->center) : Vector3::Zero();
      same_turn_[i] = i > 0 && path == query.path[i - 1];
      angle_[i] = same_turn_[i] ? angle_[i - 1] : turn_[i].norm();
      arm_length_[i] = arm_[i].norm();
      // Sums of components are no less than lengths, and quicker.
      const double length = arm_length_[i], drift = drift_[i].lpNorm<1>();
      const double way = longest * drift, phi = longest * angle_[i];
      swing_length_[i] = turn_[i].cross(arm_[i]).norm() + 4 * DBL_EPSILON * angle_[i] * length;
      slope_noise_[i] = DBL_EPSILON * (4 * drift + angle_[i] * (4 + 32 * phi) * length);
      precision_[i] = 64 * DBL_EPSILON * (1 + phi);
      error[i] = path != nullptr ? 2 * path->center.lpNorm<1>() + 2 * way + 16 * (1 + phi) * length
                                 : query.x[i].lpNorm<1>() + way;
      error[i] += 4 * start_[i].lpNorm<1>() + 4 * way + 32 * phi * length;
      error[i] *= DBL_EPSILON;
      check += error[i] * 0.0;
    }
    margin_ = largest(error, 0, second) + largest(error, second, 4) + DBL_MIN + check;
  }

  /// By this much rounding may bring the pair closer than computed; not a number for a query that is not
  /// finite.
  BULWARK_HD double margin() const { return margin_; }

  BULWARK_HD Placement at(double time) const {
    Placement placed;
    Vector3 turn = Vector3::Zero();
    RodriguesCoefficients coefficients = {1, 0.5};
    for (int i = 0; i < 4; ++i) {
      placed.x[i] = start_[i] + time * drift_[i];
      placed.arm[i] = arm_[i];
      if (angle_[i] == 0) continue;
      if (!same_turn_[i]) {
        turn = time * turn_[i];
        coefficients = rodrigues_coefficients(time * angle_[i]);
      }
      const Vector3 moved = arm_displacement(turn, coefficients, arm_[i]);
      placed.x[i] += moved;
      placed.arm[i] += moved;
    }
    return placed;
  }

  /// Whether the boxes around the paths are farther apart than `distance` along an axis; from the two ends.
  BULWARK_HD bool boxes_apart(const Placement& from, const Placement& to, double time,
                              double distance) const {
    const double wanted = (distance + margin_) * (1 + 8 * DBL_EPSILON);
    for (int c = 0; c < 3; ++c) {
      const int a = (c + 1) % 3, b = (c + 2) % 3;
      double lower[2] = {DBL_MAX, DBL_MAX}, upper[2] = {-DBL_MAX, -DBL_MAX};
      for (int i = 0; i < 4; ++i) {
        const double across = std::sqrt(turn_[i][a] * turn_[i][a] + turn_[i][b] * turn_[i][b]);
        const double bulge = 0.125 * time * time * across * swing_length_[i] * (1 + 16 * DBL_EPSILON);
        const int side = i < second ? 0 : 1;
        const double low = from.x[i][c] < to.x[i][c] ? from.x[i][c] : to.x[i][c];
        const double high = from.x[i][c] < to.x[i][c] ? to.x[i][c] : from.x[i][c];
        if (!(low - bulge >= lower[side])) lower[side] = low - bulge;
        if (!(high + bulge <= upper[side])) upper[side] = high + bulge;
      }
      if (lower[0] - upper[1] > wanted || lower[1] - upper[0] > wanted) return true;
    }
    return false;
  }

  /// The best separation found. Further directions are tried where the first proves no more than `enough`,
  /// and where it proves less than the distance of the features that it comes from: then rounding has
  /// misled their choice, as it does for edges that are parallel to some 1e-9.
  BULWARK_HD TurningSeparation find_separation(const Placement& now, double enough) const {
    TurningSeparation best = {Vector3::Zero(), -DBL_MAX, {}};
    for (int attempt = 0; attempt <= 4; ++attempt) {
      const ClosestFeatures features = proposed_features<edge_edge>(now.x, attempt);
      const Vector3 n = closest_direction(features, now.x);
      const double distance = separation(now, n);
      if (distance > best.distance) best = {n, distance, features};
      const int other = features.kind == PairKind::edge_edge ? 2 : 1;
      const double between = n.dot(now.x[features.vertex[0]] - now.x[features.vertex[other]]);
      const double untold = (between < 0 ? -between : between) - distance;
      if (distance > enough && untold <= told_precision * distance + margin_) break;
    }
    return best;
  }

  /// How much longer the direction proves the distance `wanted`, `rest` at the most. `now` is the placement
  /// at the time reached, `end` that after the rest.
  BULWARK_HD double proven_time(const TurningSeparation& separation, const Placement& now,
                                const Placement& end, double rest, double wanted) const {
    const Vector3& n = separation.direction;
    const TaylorBounds fixed = bounds_of_fixed(n, now, wanted);
    if (chord_proves(fixed, n, end, rest, wanted)) return rest;
    const double proven = fixed.time_above_zero(rest);
    if (proven >= rest) return rest;
    const Vector3 v = natural_turn(separation, now);
    if (v.isZero(0)) return proven;
    const double turning = bounds_of_turning(n, v, now, rest, wanted).time_above_zero(rest);
    return turning > proven ? turning : proven;
  }

 private:
  static constexpr int second = edge_edge ? 2 : 1;  ///< first vertex of the second primitive
  static constexpr int differences = edge_edge ? 4 : 3;

  /// f and its derivatives for a fixed direction.
  BULWARK_HD TaylorBounds bounds_of_fixed(const Vector3& n, const Placement& now, double wanted) const {
    double value[4], slope[4], bend[4], size[4];
    for (int i = 0; i < 4; ++i) {
      const Vector3 swing = turn_[i].cross(now.arm[i]), across = turn_[i].cross(n);
      value[i] = n.dot(now.x[i]);
      slope[i] = n.dot(drift_[i] + swing);
      bend[i] = -across.dot(swing);
      size[i] = across.norm() + 4 * DBL_EPSILON * angle_[i];
    }
    TaylorBounds f;
    f.count = differences;
    for (int k = 0; k < differences; ++k) {
      const int i = first_of(k), j = second_of(k);
      const double mi = size[i] * swing_length_[i], mj = size[j] * swing_length_[j];
      f.value[k] = value[i] - value[j] - wanted;
      f.slope[k] = slope[i] - slope[j] - slope_noise_[i] - slope_noise_[j];
      f.bend[k] = bend[i] - bend[j];
      f.largest_bend[k] = (mi + mj) * (1 + 16 * DBL_EPSILON);
      f.largest_twist[k] = (angle_[i] * mi + angle_[j] * mj) * (1 + 16 * DBL_EPSILON);
      f.bend_noise[k] = precision_[i] * size[i] * angle_[i] * arm_length_[i] +
                        precision_[j] * size[j] * angle_[j] * arm_length_[j];
    }
    return f;
  }

  BULWARK_HD bool chord_proves(const TaylorBounds& f, const Vector3& n, const Placement& end, double rest,
                               double wanted) const {
    for (int k = 0; k < differences; ++k) {
      const double away = f.bend[k] + f.bend_noise[k] + f.largest_twist[k] * rest;
      const double sag = 0.125 * rest * rest * TaylorBounds::within(away, f.largest_bend[k]);
      const double last = n.dot(end.x[first_of(k)]) - n.dot(end.x[second_of(k)]) - wanted;
      if (!(f.value[k] > sag && last > sag)) return false;
    }
    return true;
  }

  /// The turning v for which n(t) stays normal to the features, as far as their bodies' turning tells. Any
  /// other would be safe too.
  BULWARK_HD Vector3 natural_turn(const TurningSeparation& separation, const Placement& now) const {
    const ClosestFeatures& features = separation.features;
    const Vector3& n = separation.direction;
    if (features.kind != PairKind::edge_edge) {
      // That of the triangle or of the edge; of two points, the one that turns.
      const Vector3& other = turn_[features.vertex[1]];
      return other.isZero(0) && features.kind == PairKind::point_point ? turn_[features.vertex[0]] : other;
    }
    // About n x (edge), as each edge does; about n, as both on average.
    const Vector3 a = n.cross(now.x[1] - now.x[0]), b = n.cross(now.x[3] - now.x[2]);
    const double aa = a.squaredNorm(), ab = a.dot(b), bb = b.squaredNorm();
    const double determinant = aa * bb - ab * ab;
    if (!(determinant > 1e-6 * aa * bb)) return turn_[0].isZero(0) ? turn_[2] : turn_[0];
    const double wa = turn_[0].dot(a), wb = turn_[2].dot(b), wn = 0.5 * n.dot(turn_[0] + turn_[2]);
    return ((wa * bb - wb * ab) * a + (wb * aa - wa * ab) * b) / determinant + wn * n;
  }

  /// f and its derivatives for a direction that turns with v.
  BULWARK_HD TaylorBounds bounds_of_turning(const Vector3& n, const Vector3& v, const Placement& now,
                                            double rest, double wanted) const {
    const Vector3 across = v.cross(n);
    const double v_length = v.norm(), v_across = across.norm() + 4 * DBL_EPSILON * v_length;
    Vector3 center[4];
    double value[4], slope[4], slope_noise[4], bend[4], size[4], twist[4];
    for (int i = 0; i < 4; ++i) {
      const Vector3& r = now.arm[i];
      const Vector3 u = turn_[i] - v, tilt = u.cross(v);
      center[i] = now.x[i] - r;
      value[i] = n.dot(now.x[i]);
      // n . (v x x) = -x . (v x n).
      slope[i] = n.dot(drift_[i] + turn_[i].cross(r)) + across.dot(now.x[i]);
      slope_noise[i] = slope_noise_[i] + v_length * (8 * DBL_EPSILON * now.x[i].norm() + margin_);
      bend[i] = n.dot(u.cross(u.cross(r)) + tilt.cross(r)) + 2 * across.dot(drift_[i]) -
                across.dot(v.cross(center[i]));
      const double s = u.squaredNorm() + tilt.norm() + 16 * DBL_EPSILON * v_length * (angle_[i] + v_length);
      size[i] = arm_length_[i] * s;
      twist[i] = size[i] * (angle_[i] + v_length);
    }
    TaylorBounds f;
    f.count = differences;
    for (int k = 0; k < differences; ++k) {
      const int i = first_of(k), j = second_of(k);
      const Vector3 c = center[i] - center[j], d = drift_[i] - drift_[j];
      const double d_length = d.norm();
      const double now_across = v.cross(c).norm(), end_across = v.cross(c + rest * d).norm();
      const double c_across = now_across > end_across ? now_across : end_across;
      f.value[k] = value[i] - value[j] - wanted;
      f.slope[k] = slope[i] - slope[j] - slope_noise[i] - slope_noise[j];
      f.bend[k] = bend[i] - bend[j];
      const double products = square(angle_[i] + v_length) * arm_length_[i] +
                              square(angle_[j] + v_length) * arm_length_[j] +
                              v_length * (2 * (drift_[i].norm() + drift_[j].norm()) +
                                          v_length * (center[i].norm() + center[j].norm() + rest * d_length));
      f.bend_noise[k] = (precision_[i] > precision_[j] ? precision_[i] : precision_[j]) * products;
      f.largest_bend[k] = size[i] + size[j] + v_across * (2 * d_length + c_across) + f.bend_noise[k];
      f.largest_twist[k] = twist[i] + twist[j] + v_across * v_length * (3 * d_length + c_across) +
                           (angle_[i] + angle_[j] + v_length) * f.bend_noise[k];
    }
    return f;
  }

  BULWARK_HD static constexpr int first_of(int difference) { return edge_edge ? difference / 2 : 0; }
  BULWARK_HD static constexpr int second_of(int difference) {
    return edge_edge ? 2 + difference % 2 : 1 + difference;
  }
  BULWARK_HD static double square(double value) { return value * value; }
  BULWARK_HD static double largest(const double* value, int begin, int end) {
    double most = 0;
    for (int i = begin; i < end; ++i) {
      if (value[i] > most) most = value[i];
    }
    return most;
  }
  BULWARK_HD static double separation(const Placement& now, const Vector3& n) {
    double value[4];
    for (int i = 0; i < 4; ++i) value[i] = n.dot(now.x[i]);
    double least = DBL_MAX;
    for (int k = 0; k < differences; ++k) {
      const double difference = value[first_of(k)] - value[second_of(k)];
      if (!(difference >= least)) least = difference;
    }
    return least;
  }

  Vector3 start_[4], drift_[4], turn_[4], arm_[4];
  bool same_turn_[4];  ///< as the point before
  double angle_[4], arm_length_[4];
  double swing_length_[4];  ///< |w x r|, or more
  double slope_noise_[4];
  double precision_[4];  ///< of products of the bend, relative
  double margin_;
};

/// The advance, with margins for the time `longest`; -1 where these leave nothing of the start's gap.
template <bool edge_edge>
BULWARK_HD double curved_advance(const CurvedQuery& query, const CcdOptions& options, double longest) {
  using Pair = CurvedPair<edge_edge>;
  const Pair pair(query, longest);
  if (!(pair.margin() < DBL_MAX)) return 0;
  const double max_time = options.max_time < longest ? options.max_time : longest;
  typename Pair::Placement now = pair.at(0);
  const typename Pair::Placement end = pair.at(max_time);
  if (options.keep_at_most < DBL_MAX &&
      pair.boxes_apart(now, end, max_time, options.minimum_distance + options.keep_at_most)) {
    return max_time;
  }
  TurningSeparation separation = pair.find_separation(now, options.minimum_distance + pair.margin());
  const double start = separation.distance * (1 + Pair::told_precision) + pair.margin();
  const KeptDistance keep = kept_distance(start, pair.margin(), options);
  if (!(separation.distance > options.minimum_distance) || !(separation.distance > keep.wanted)) return -1;
  double time = 0;
  for (int iteration = 0; iteration < options.max_iterations; ++iteration) {
    if (iteration > 0) {
      now = pair.at(time);
      separation = pair.find_separation(now, keep.wanted + keep.tolerance);
      if (!(separation.distance > keep.wanted + keep.tolerance)) return time;
    }
    const double rest = max_time - time;
    const double proven = pair.proven_time(separation, now, end, rest, keep.wanted);
    if (proven >= rest) return max_time;
    if (!(time + proven > time)) return time;
    time += proven;
  }
  return time;
}

/// A time as Ccd::point_triangle and Ccd::edge_edge give it, for curved paths: never late.
template <bool edge_edge>
BULWARK_HD double curved_ccd(const CurvedQuery& query, const CcdOptions& options) {
  // At least the whole motion, so that the answer does not depend on a bound below 1 that found times give.
  // Where that is so long that its rounding hides the gap, the first part of it is still safe.
  double longest = options.max_time > 1 ? options.max_time : 1;
  for (int attempt = 0; attempt < 4; ++attempt) {
    const double time = curved_advance<edge_edge>(query, options, longest);
    if (time >= 0) return time;
    longest /= 1024;
  }
  return 0;
}

}  // namespace bulwark
