// Continuous collision detection for points of rigid bodies, whose paths are curved. Host and device.
//
// As in separating_advance.hpp, a unit vector n proves the distance d(t) >= min_k n . e_k(t), where e_k are
// the differences between the vertices of the first and of the second primitive; but f_k(t) = n . e_k(t) is
// no longer linear. By body_path.hpp its derivatives are those of its two points, f = n . (x_i - x_j), and
// with
//
//   m = |w_i x n| |w_i x r_i| + |w_j x n| |w_j x r_j| >= |f''|,    l = likewise with another |w| each >=
//   |f'''|
//
// two proofs are closed forms. For a time s in [0, h] after the time reached, f'' <= b+ and -f'' <= b- where
//
//   b+ = min(m, f'' + l h),   b- = min(m, l h - f'')   (f'' at the time reached; none is taken below zero):
//
//   Chord:   f(s) >= min(f(0), f(h)) - b+ h^2/8           tried for all the time that is left
//   Taylor:  f(s) >= f(0) + s f' - b- s^2/2               solved for the largest s
//
// Each iteration takes n along the closest points at the time reached and advances as far as either proves.
// The step is always positive: there is progress from any start farther apart than asked for. It is the
// method of Ferguson et al. 2021 (linearise, enlarge the distance asked for by the linearisation's error,
// subdivide) with three gains: the error counts only along n, pieces are chosen rather than halved, and where
// the path curves away from the other body there is no error. A body that turns inside another, such as a nut
// on its bolt, has at least half of its pairs settled by one direction.
//
// Rounding, with |.| the length of vectors, T the longest time, and phi = T |w| the angle:
//   - positions are taken relative to the first vertex; e_k is off by less than `noise`, the sum over both
//     points of  DBL_EPSILON (4 |x - x_0| + 4 T |d| + 32 phi |r|);
//   - f' is off by less than DBL_EPSILON (4 |d| + |w| (4 + 32 phi) |r|) for each point, f'' by less than
//     |w x n| |w| DBL_EPSILON (8 + 32 phi) |r|; both are taken off;
//   - whoever moves the body computes c + t d, exp(t [w]) A and from these the points: an error of up to
//     DBL_EPSILON (2 |c| + 2 T |d| + 16 (1 + phi) |r|), once orthonormalised or not; for a straight point,
//     DBL_EPSILON (|x| + T |p|). Noise and this error are added to the distance asked for.
// A pair whose gap is no larger than these counts as touching.
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

/// A pair in curved motion, prepared for the advance.
template <bool edge_edge>
class CurvedPair {
 public:
  /// Where the points are at a time, relative to the first one's start, and their velocities' turning part.
  struct Placement {
    Vector3 x[4];
    Vector3 swing[4];  ///< w x r(t)
  };

  BULWARK_HD CurvedPair(const CurvedQuery& query, double max_time) {
    const double longest = max_time > 1 ? max_time : 1;
    double noise[4], error[4], check = 0;
    for (int i = 0; i < 4; ++i) {
      const BodyPath* path = query.path[i];
      start_[i] = query.x[i] - query.x[0];
      drift_[i] = path != nullptr ? Vector3(path->displacement + query.p[i]) : query.p[i];
      turn_[i] = path != nullptr ? path->rotation : Vector3::Zero();
      arm_[i] = path != nullptr ? Vector3(query.x[i] - path->center) : Vector3::Zero();
      const double length = arm_[i].norm(), way = longest * drift_[i].norm();
      angle_[i] = turn_[i].norm();
      const double phi = longest * angle_[i];
      swing_length_[i] = turn_[i].cross(arm_[i]).norm() + 4 * DBL_EPSILON * angle_[i] * length;
      slope_noise_[i] = DBL_EPSILON * (4 * drift_[i].norm() + angle_[i] * (4 + 32 * phi) * length);
      bend_noise_[i] = DBL_EPSILON * angle_[i] * (8 + 32 * phi) * length;
      noise[i] = DBL_EPSILON * (4 * start_[i].norm() + 4 * way + 32 * phi * length);
      error[i] = path != nullptr ? DBL_EPSILON * (2 * path->center.norm() + 2 * way + 16 * (1 + phi) * length)
                                 : DBL_EPSILON * (query.x[i].norm() + way);
      error[i] += noise[i];
      check += error[i] * 0.0;
      same_turn_[i] = i > 0 && path == query.path[i - 1];
    }
    constexpr int second = edge_edge ? 2 : 1;
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
      placed.swing[i].setZero();
      if (angle_[i] == 0) continue;
      if (!same_turn_[i]) {
        turn = time * turn_[i];
        coefficients = rodrigues_coefficients(time * angle_[i]);
      }
      const Vector3 moved = arm_displacement(turn, coefficients, arm_[i]);
      placed.x[i] += moved;
      placed.swing[i] = turn_[i].cross(arm_[i] + moved);
    }
    return placed;
  }

  /// Whether the boxes around the paths are farther apart than `distance` along an axis; from the two ends.
  BULWARK_HD bool boxes_apart(const Placement& from, const Placement& to, double time,
                              double distance) const {
    const double wanted = (distance + margin_) * (1 + 8 * DBL_EPSILON);
    constexpr int second = edge_edge ? 2 : 1;
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

  /// The best separation found; further directions are tried where the first proves no more than `enough`.
  BULWARK_HD Separation find_separation(const Placement& now, double enough) const {
    Separation best;
    best.direction = closest_direction(proposed_features<edge_edge>(now.x, 0), now.x);
    best.distance = separation(now, best.direction);
    for (int attempt = 1; attempt <= 4 && !(best.distance > enough); ++attempt) {
      const Vector3 other = closest_direction(proposed_features<edge_edge>(now.x, attempt), now.x);
      const double distance = separation(now, other);
      if (distance > best.distance) best = {other, distance};
    }
    return best;
  }

  /// How much longer n proves the distance `wanted`, `rest` at the most. `now` is the placement at the time
  /// reached, `end` that after the rest.
  BULWARK_HD double proven_time(const Vector3& n, const Placement& now, const Placement& end, double rest,
                                double wanted) const {
    // Of each point: value, slope and bend of n . x, and bounds.
    double value[4], last[4], slope[4], bend[4], bend_noise[4], bend_bound[4], twist[4];
    for (int i = 0; i < 4; ++i) {
      value[i] = n.dot(now.x[i]);
      last[i] = n.dot(end.x[i]);
      slope[i] = n.dot(drift_[i] + now.swing[i]);
      bend[i] = bend_noise[i] = bend_bound[i] = twist[i] = 0;
      if (angle_[i] == 0) continue;
      const Vector3 across = turn_[i].cross(n);
      const double length = across.norm() + 4 * DBL_EPSILON * angle_[i];
      bend[i] = -across.dot(now.swing[i]);
      bend_noise[i] = length * bend_noise_[i];
      bend_bound[i] = length * swing_length_[i] * (1 + 16 * DBL_EPSILON);
      twist[i] = angle_[i] * bend_bound[i] * (1 + 16 * DBL_EPSILON);
    }
    // Of each difference.
    constexpr int count = edge_edge ? 4 : 3;
    double f[count], rate[count], second[count], bound[count], third[count], noise[count];
    bool chord = true;
    for (int k = 0; k < count; ++k) {
      const int i = edge_edge ? k / 2 : 0, j = edge_edge ? 2 + k % 2 : 1 + k;
      f[k] = value[i] - value[j] - wanted;
      rate[k] = slope[i] - slope[j] - slope_noise_[i] - slope_noise_[j];
      second[k] = bend[i] - bend[j];
      noise[k] = bend_noise[i] + bend_noise[j];
      bound[k] = bend_bound[i] + bend_bound[j];
      third[k] = twist[i] + twist[j];
      const double f_end = last[i] - last[j] - wanted;
      const double sag = 0.125 * rest * rest * within(second[k] + noise[k] + third[k] * rest, bound[k]);
      chord = chord && f[k] > sag && f_end > sag;
    }
    if (chord) return rest;
    // A nearer horizon makes the bound of the bend sharper.
    double proven = 0, horizon = rest;
    for (int round = 0; round < 4; ++round) {
      double time = horizon;
      for (int k = 0; k < count; ++k) {
        const double sag = within(third[k] * horizon - second[k] + noise[k], bound[k]);
        const double until = time_above_zero(f[k], rate[k], sag);
        if (!(until >= time)) time = until;
      }
      if (!(time > proven)) break;
      proven = time;
      if (proven >= rest) break;
      horizon = 2 * proven < rest ? 2 * proven : rest;
    }
    return proven;
  }

 private:
  BULWARK_HD static double largest(const double* value, int begin, int end) {
    double most = 0;
    for (int i = begin; i < end; ++i) {
      if (!(value[i] <= most)) most = value[i];
    }
    return most;
  }
  BULWARK_HD static double within(double value, double bound) {
    return value < 0 ? 0 : (value < bound ? value : bound);
  }
  /// The largest s up to which f + rate s - bend s^2/2 >= 0, for f > 0 and bend >= 0.
  BULWARK_HD static double time_above_zero(double f, double rate, double bend) {
    if (!(f > 0)) return 0;
    const double root = std::sqrt(rate * rate + 2 * bend * f);
    const double time = rate < 0 ? 2 * f / (root - rate) : (bend > 0 ? (rate + root) / bend : DBL_MAX);
    return time * (1 - 16 * DBL_EPSILON);
  }
  BULWARK_HD static double separation(const Placement& now, const Vector3& n) {
    double value[4];
    for (int i = 0; i < 4; ++i) value[i] = n.dot(now.x[i]);
    if constexpr (edge_edge) {
      return (value[0] < value[1] ? value[0] : value[1]) - (value[2] > value[3] ? value[2] : value[3]);
    } else {
      const double most = value[1] > value[2] ? value[1] : value[2];
      return value[0] - (most > value[3] ? most : value[3]);
    }
  }

  Vector3 start_[4], drift_[4], turn_[4], arm_[4];
  double angle_[4];
  bool same_turn_[4];       ///< as the point before
  double swing_length_[4];  ///< |w x r|, or more
  double slope_noise_[4], bend_noise_[4];
  double margin_;
};

/// A time as Ccd::point_triangle and Ccd::edge_edge give it, for curved paths: never late.
template <bool edge_edge>
BULWARK_HD double curved_ccd(const CurvedQuery& query, const CcdOptions& options) {
  using Pair = CurvedPair<edge_edge>;
  const Pair pair(query, options.max_time);
  if (options.max_iterations <= 0 || !(pair.margin() < DBL_MAX)) return 0;
  typename Pair::Placement now = pair.at(0);
  const typename Pair::Placement end = pair.at(options.max_time);
  if (options.keep_at_most < DBL_MAX &&
      pair.boxes_apart(now, end, options.max_time, options.minimum_distance + options.keep_at_most)) {
    return options.max_time;
  }
  Separation separation = pair.find_separation(now, options.minimum_distance + pair.margin());
  const KeptDistance keep = kept_distance(separation.distance, pair.margin(), options);
  if (!(separation.distance > options.minimum_distance) || !(separation.distance > keep.wanted)) return 0;
  double time = 0;
  for (int iteration = 0; iteration < options.max_iterations; ++iteration) {
    if (iteration > 0) {
      now = pair.at(time);
      separation = pair.find_separation(now, keep.wanted + keep.tolerance);
      if (!(separation.distance > keep.wanted + keep.tolerance)) return time;
    }
    const double rest = options.max_time - time;
    const double proven = pair.proven_time(separation.direction, now, end, rest, keep.wanted);
    if (proven >= rest) return options.max_time;
    if (!(time + proven > time)) return time;
    time += proven;
  }
  return time;
}

}  // namespace bulwark
