// Tight-inclusion continuous collision detection (Wang et al. 2021): bisection of time and of the primitives'
// parameters, keeping the boxes whose image may hold the origin. Host and device, with a fixed amount of
// memory; tight_inclusion.cpp offers it as a Ccd.
//
// Boxes are visited level by level, in a level by their start in time. A box is dropped when its image, by
// inclusion_function.hpp with all its rounding, is proven farther than the minimum distance from the origin:
// along a coordinate axis (which bounds the largest component) or along another direction (which bounds the
// Euclidean norm). Both bound the Euclidean distance, since |F| >= |F|_max; so what is proven is a Euclidean
// separation. The search ends at the first box kept in its level that has an image narrower than the
// tolerance, or one within the minimum distance as a whole; its start in time is the answer. No collision can
// be earlier: all boxes of the level that start earlier have been dropped. A small box that is not the first
// of its level is split like any other, for an earlier and larger one may still prove empty.
//
// The level's boxes live in an array of fixed size. When they are too many (motion in a common plane has
// whole surfaces of roots) the search goes on depth first from the boxes there are, earliest first, with a
// stack whose depth is bounded by the bits of the parameters; boxes that start after the earliest small one
// found are skipped. At the iteration limit the answer is the earliest start among the boxes not yet decided.
// Every exit is safe.
#pragma once

#include <bulwark/collision/inclusion_function.hpp>
#include <bulwark/collision/separating_advance.hpp>

#include <cmath>

namespace bulwark {

struct BisectionOptions {
  double minimum_distance = 0;
  double tolerance = 1e-6;
  double min_time = 0, max_time = 1;
  int max_iterations = 1'000'000;
};

class Bisection {
 public:
  BULWARK_HD Bisection(const InclusionFunction& function, const BisectionOptions& options)
      : function_(function), options_(options) {
    function.width_factors(options.max_time, width_factor_);
    for (int c = 0; c < 3; ++c) {
      const double error = function.along_axis(c).error;
      threshold_[c] = (options.minimum_distance + error) * (1 + 4 * DBL_EPSILON);
      // Boxes smaller than their rounding errors tell no more than these.
      if (options_.tolerance < 4 * error) options_.tolerance = 4 * error;
    }
  }

  BULWARK_HD CcdAnswer run() {
    level_[0] = {{options_.min_time, 0, 0}, {options_.max_time, 1, 1}};
    count_ = 1;
    while (count_ > 0) {
      if (visit_level()) return answer_;
    }
    return none();
  }

 private:
  /// Boxes of a level kept at the most; some 25 kB for two levels.
  static constexpr int capacity = 256;
  /// Splits of a box at the most: every parameter to the spacing of doubles near 1.
  static constexpr int max_depth = 3 * 52;

  enum class Verdict { dropped, split, small };

  BULWARK_HD CcdAnswer none() const {
    CcdAnswer answer;
    answer.hit = false;
    answer.time = options_.max_time;
    answer.iterations = iterations_;
    return answer;
  }
  BULWARK_HD CcdAnswer hit(double time, double tolerance, bool limit_reached) const {
    CcdAnswer answer;
    answer.time = time;
    answer.tolerance = tolerance;
    answer.iterations = iterations_;
    answer.limit_reached = limit_reached;
    return answer;
  }

  /// Whether the image along n stays on one side of zero, beyond the minimum distance.
  BULWARK_HD bool separates(const Vector3& n, const ParameterBox& box) const {
    const double length = n.norm();
    if (!(length > smallest_length)) return false;
    const DirectedFunction along = function_.along(n);
    const double threshold = (options_.minimum_distance * length + along.error) * (1 + 8 * DBL_EPSILON);
    const ValueRange range = along.over(box);
    return range.lower > threshold || range.upper < -threshold;
  }

  BULWARK_HD Verdict judge(const ParameterBox& box, double& width) {
    ++iterations_;
    width = 0;
    bool within = true;
    double farthest = 0;
    for (int c = 0; c < 3; ++c) {
      const ValueRange range = function_.along_axis(c).over(box);
      if (range.lower > threshold_[c] || range.upper < -threshold_[c]) return Verdict::dropped;
      if (!(range.upper - range.lower <= width)) width = range.upper - range.lower;
      within = within && range.lower >= -threshold_[c] && range.upper <= threshold_[c];
      const double far = range.upper > -range.lower ? range.upper : -range.lower;
      farthest += far * far;
    }
    const InclusionFunction::Derivatives middle =
        function_.at(0.5 * (box.lower[0] + box.upper[0]), 0.5 * (box.lower[1] + box.upper[1]),
                     0.5 * (box.lower[2] + box.upper[2]));
    if (separates(middle.value, box) || separates(middle.by_u.cross(middle.by_v), box) ||
        separates(middle.by_t.cross(middle.by_u), box) || separates(middle.by_t.cross(middle.by_v), box)) {
      return Verdict::dropped;
    }
    const double reached = options_.minimum_distance;
    if (width < options_.tolerance || (within && farthest <= reached * reached)) return Verdict::small;
    if (within && reached == 0) return Verdict::small;  // all of it is rounding error
    return Verdict::split;
  }

  /// Halves the box along the parameter that its image is widest in. False where doubles allow no more.
  BULWARK_HD bool split(const ParameterBox& box, ParameterBox& first, ParameterBox& second) const {
    int along = 0;
    for (int i = 1; i < 3; ++i) {
      if (box.width(i) * width_factor_[i] > box.width(along) * width_factor_[along]) along = i;
    }
    const double middle = 0.5 * (box.lower[along] + box.upper[along]);
    if (!(box.width(along) > DBL_EPSILON * box.upper[along])) return false;
    first = second = box;
    first.upper[along] = second.lower[along] = middle;
    return true;
  }

  BULWARK_HD bool in_domain(const ParameterBox& box) const {
    return !function_.prism || box.lower[1] + box.lower[2] <= 1;
  }

  /// Visits the boxes of the level and makes the next. True when the answer is known.
  BULWARK_HD bool visit_level() {
    bool first = true;
    double first_time = 0;
    int next_count = 0;
    for (int i = 0; i < count_; ++i) {
      const ParameterBox& box = level_[i];
      double width;
      const Verdict verdict = judge(box, width);
      const bool limit = iterations_ >= options_.max_iterations;
      if (verdict == Verdict::dropped) {
        if (limit && (next_count > 0 || i + 1 < count_)) {
          answer_ = hit(first ? box.lower[0] : first_time, width, true);
          return true;
        }
        continue;
      }
      if (first) first_time = box.lower[0];
      if (limit || (first && verdict == Verdict::small)) {
        answer_ = hit(first_time, width, verdict != Verdict::small);
        return true;
      }
      first = false;
      ParameterBox child[2];
      const bool divided = split(box, child[0], child[1]);
      if (!divided) child[0] = box;  // waits, undivided, to be the first of a level
      const int children = divided ? 2 : 1;
      if (next_count + children > capacity) {
        answer_ = depth_first(i, next_count);
        return true;
      }
      if (!divided && next_count == 0) {
        answer_ = hit(first_time, width, false);
        return true;
      }
      for (int k = 0; k < children; ++k) {
        if (!in_domain(child[k])) continue;
        // Nearly in order already: of two halves in time the later moves up a little.
        int place = next_count++;
        for (; place > 0 && next_[place - 1].lower[0] > child[k].lower[0]; --place)
          next_[place] = next_[place - 1];
        next_[place] = child[k];
      }
    }
    for (int i = 0; i < next_count; ++i) level_[i] = next_[i];
    count_ = next_count;
    return false;
  }

  /// The boxes of the level from `begin` on, and those of the next that its earlier ones were split into.
  BULWARK_HD CcdAnswer depth_first(int begin, int next_count) {
    ParameterBox stack[max_depth + 2];
    double best = DBL_MAX, best_width = 0;
    int i = begin, j = 0;
    while (i < count_ || j < next_count) {
      const bool from_next = i >= count_ || (j < next_count && next_[j].lower[0] <= level_[i].lower[0]);
      stack[0] = from_next ? next_[j++] : level_[i++];
      int size = 1;
      if (stack[0].lower[0] >= best) break;
      while (size > 0) {
        const ParameterBox box = stack[--size];
        if (box.lower[0] >= best) continue;
        double width;
        Verdict verdict = judge(box, width);
        if (verdict == Verdict::dropped) continue;
        if (iterations_ >= options_.max_iterations) {
          double earliest = box.lower[0] < best ? box.lower[0] : best;
          for (int k = 0; k < size; ++k)
            earliest = stack[k].lower[0] < earliest ? stack[k].lower[0] : earliest;
          if (i < count_ && level_[i].lower[0] < earliest) earliest = level_[i].lower[0];
          if (j < next_count && next_[j].lower[0] < earliest) earliest = next_[j].lower[0];
          return hit(earliest, width, true);
        }
        ParameterBox child[2];
        if (verdict == Verdict::small || size + 2 > max_depth + 2 || !split(box, child[0], child[1])) {
          best = box.lower[0];
          best_width = width;
          continue;
        }
        if (in_domain(child[1])) stack[size++] = child[1];
        if (in_domain(child[0])) stack[size++] = child[0];
      }
    }
    return best < DBL_MAX ? hit(best, best_width, false) : none();
  }

  const InclusionFunction& function_;
  BisectionOptions options_;
  double width_factor_[3];
  double threshold_[3];
  int iterations_ = 0;
  int count_ = 0;
  CcdAnswer answer_;
  ParameterBox level_[capacity], next_[capacity];
};

/// Bisects one kind of pair from min_time on.
BULWARK_HD inline CcdAnswer bisect(const InclusionFunction& function, const BisectionOptions& options) {
  return Bisection(function, options).run();
}

template <bool edge_edge>
BULWARK_HD InclusionFunction inclusion_function(const CcdQuery& query, double max_time,
                                                MotionRounding rounding) {
  return edge_edge ? InclusionFunction::edge_edge(query, max_time, rounding)
                   : InclusionFunction::point_triangle(query, max_time, rounding);
}

/// Whether the pair is plainly seen, at a time, to be no farther apart than a distance, as far as floating
/// point sees.
template <bool edge_edge>
BULWARK_HD bool plainly_within(const PairMotion<edge_edge>& pair, double time, double distance) {
  double size = 0;
  for (int k = 0; k < pair.hull.count; ++k) {
    size = fmax(size, pair.hull.e[k].template lpNorm<Eigen::Infinity>() +
                          pair.hull.w[k].template lpNorm<Eigen::Infinity>());
  }
  const double seen = distance + pair.margin + 16 * DBL_EPSILON * size;
  Vector3 x[4];
  pair.positions(time, x);
  double squared = edge_edge ? edge_edge_squared_distance(x) : point_triangle_squared_distance(x);
  // Nearly parallel edges and needles may have misled the rule of the closest features.
  if constexpr (edge_edge) {
    squared = fmin(squared, fmin(point_edge_squared_distance(x[0], x[2], x[3]),
                                 point_edge_squared_distance(x[1], x[2], x[3])));
    squared = fmin(squared, fmin(point_edge_squared_distance(x[2], x[0], x[1]),
                                 point_edge_squared_distance(x[3], x[0], x[1])));
  } else {
    squared = fmin(squared, fmin(point_edge_squared_distance(x[0], x[1], x[2]),
                                 point_edge_squared_distance(x[0], x[1], x[3])));
    squared = fmin(squared, point_edge_squared_distance(x[0], x[2], x[3]));
  }
  return squared <= seen * seen;
}

/// Boxes that a pair within the tolerance of a collision is still worth: bisection, which has other
/// directions, finds about half of the misses by less than rounding errors that the advance cannot tell from
/// hits.
inline constexpr int second_look = 64;

/// Whether and when a pair collides. Up to `advances` separating directions prove most pairs apart, and bring
/// the others to a time at which they are within the tolerance; then they collide there as far as the
/// tolerance tells. Bisection decides what is left.
template <bool edge_edge>
BULWARK_HD CcdAnswer tight_inclusion_impact(const CcdQuery& query, const CcdImpactOptions& options,
                                            int advances) {
  if (!is_finite(query)) return {};
  Advance reached;
  bool within_tolerance = false;
  if (advances > 0) {
    const PairMotion<edge_edge> pair(query, options.max_time, MotionRounding::of_displacement);
    const double wanted = options.minimum_distance * (1 + 8 * DBL_EPSILON) + pair.margin;
    CcdAnswer answer;
    answer.hit = !separated_along_axis(pair, 0, options.max_time, options.minimum_distance);
    answer.time = answer.hit ? 0 : options.max_time;
    if (!answer.hit) return answer;
    const Separation start = find_separation(pair, 0, wanted);
    if (start.distance > wanted) {
      reached = advance(pair, start,
                        {wanted, 0, options.tolerance, options.max_time,
                         advances < options.max_iterations ? advances : options.max_iterations});
    }
    answer.hit = reached.end != Advance::End::safe &&
                 !separated_along_axis(pair, reached.time, options.max_time, options.minimum_distance);
    answer.time = answer.hit ? reached.time : options.max_time;
    answer.iterations = reached.iterations;
    answer.tolerance = answer.hit ? options.tolerance : 0;
    answer.limit_reached = answer.hit && reached.iterations >= options.max_iterations;
    if (!answer.hit || answer.limit_reached) return answer;
    // An advance that stalls for want of bits in time is at the wanted distance by these.
    within_tolerance = reached.end == Advance::End::stalled ||
                       plainly_within(pair, reached.time, wanted + options.tolerance);
  }
  const int left = options.max_iterations - reached.iterations;
  const int limit = within_tolerance && second_look < left ? second_look : left;
  CcdAnswer answer =
      bisect(inclusion_function<edge_edge>(query, options.max_time, MotionRounding::of_displacement),
             {options.minimum_distance, within_tolerance ? 0 : options.tolerance, reached.time,
              options.max_time, limit});
  answer.iterations += reached.iterations;
  if (answer.hit && within_tolerance) {
    answer.tolerance = options.tolerance;
    answer.limit_reached = false;
  }
  return answer;
}

/// The largest safe step, as Ccd asks for it: the minimum separation is what is to be kept of the start's
/// distance.
template <bool edge_edge>
BULWARK_HD double tight_inclusion_ccd(const CcdQuery& query, const CcdOptions& options, int advances) {
  if (options.max_iterations <= 0 || !is_finite(query)) return 0;
  const PairMotion<edge_edge> pair(query, options.max_time, MotionRounding::of_positions);
  if (plainly_apart(pair, options)) return options.max_time;
  const Separation start = find_separation(pair, 0, options.minimum_distance + pair.margin);
  const KeptDistance keep = kept_distance(start.distance, pair.margin, options);
  if (!(start.distance > options.minimum_distance) || !(start.distance > keep.wanted)) return 0;
  const int limit = advances < options.max_iterations ? advances : options.max_iterations;
  const Advance reached =
      advance(pair, start, {keep.wanted, keep.tolerance, keep.tolerance, options.max_time, limit});
  if (reached.end != Advance::End::limit || reached.iterations >= options.max_iterations) return reached.time;
  return bisect(inclusion_function<edge_edge>(query, options.max_time, MotionRounding::of_positions),
                {keep.wanted, keep.tolerance, reached.time, options.max_time,
                 options.max_iterations - reached.iterations})
      .time;
}

}  // namespace bulwark
