// Additive continuous collision detection: the time of contact approached from below by the proven steps of
// separating_advance.hpp. Host and device; additive_ccd.cpp offers it as a Ccd.
#pragma once

#include <bulwark/collision/separating_advance.hpp>

namespace bulwark {

template <bool edge_edge>
BULWARK_HD double additive_ccd(const CcdQuery& query, const CcdOptions& options) {
  if (options.max_iterations <= 0 || !is_finite(query)) return 0;
  const PairMotion<edge_edge> pair(query, options.max_time, MotionRounding::of_positions);
  if (plainly_apart(pair, options)) return options.max_time;
  const Separation start = find_separation(pair, 0, options.minimum_distance + pair.margin);
  const KeptDistance keep = kept_distance(start.distance, pair.margin, options);
  if (!(start.distance > options.minimum_distance) || !(start.distance > keep.wanted)) return 0;
  return advance(pair, start,
                 {keep.wanted, keep.tolerance, keep.tolerance, options.max_time, options.max_iterations})
      .time;
}

template <bool edge_edge>
BULWARK_HD CcdAnswer additive_impact(const CcdQuery& query, const CcdImpactOptions& options) {
  if (!is_finite(query)) return {};
  const PairMotion<edge_edge> pair(query, options.max_time, MotionRounding::of_displacement);
  const double wanted = options.minimum_distance * (1 + 8 * DBL_EPSILON) + pair.margin;
  CcdAnswer answer;
  answer.hit = !separated_along_axis(pair, 0, options.max_time, options.minimum_distance);
  answer.time = answer.hit ? 0 : options.max_time;
  answer.tolerance = answer.hit ? options.tolerance : 0;
  if (!answer.hit) return answer;
  const Separation start = find_separation(pair, 0, wanted);
  if (!(start.distance > wanted)) return answer;
  // The first advances aim at the size of rounding errors; only slow ones settle for the tolerance.
  const Advance last =
      advance(pair, start, {wanted, 0, options.tolerance, options.max_time, options.max_iterations});
  answer.hit = last.end != Advance::End::safe &&
               !separated_along_axis(pair, last.time, options.max_time, options.minimum_distance);
  answer.time = answer.hit ? last.time : options.max_time;
  answer.iterations = last.iterations;
  answer.limit_reached = answer.hit && last.end == Advance::End::limit;
  return answer;
}

}  // namespace bulwark
