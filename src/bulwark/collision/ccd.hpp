// Continuous collision detection: how far two primitives can move along straight lines before they come
// too close. The step filter of the solver is built on it.
#pragma once

#include <bulwark/math/types.hpp>

#include <array>
#include <limits>
#include <memory>
#include <string>

namespace bulwark {

/// Four points moving from x to x + p. Point-triangle: (point, a, b, c). Edge-edge: (a0, a1, b0, b1).
struct CcdQuery {
  std::array<Vector3, 4> x;
  std::array<Vector3, 4> p;
};

struct CcdOptions {
  /// Surfaces never come closer than this.
  double minimum_distance = 0;
  /// The answer keeps at least this fraction of the start's gap (distance - minimum_distance).
  double keep_fraction = 0.2;
  /// But no more than this: pairs that start far apart and pass near each other are not held back by their
  /// first gap. A small part of the distance at which contact acts is a good choice.
  double keep_at_most = std::numeric_limits<double>::infinity();
  /// Only collisions before this time matter.
  double max_time = 1;
  /// Bound on the work for one query; when it is reached the time proven safe so far is the answer.
  int max_iterations = 10000;
};

class Ccd {
 public:
  virtual ~Ccd() = default;
  /// A time t in [0, max_time] such that on [0, t] the pair stays farther apart than
  /// minimum_distance + min(keep_fraction * (gap at the start), keep_at_most). Never late; max_time where
  /// there is no collision.
  virtual double point_triangle(const CcdQuery& query, const CcdOptions& options) const = 0;
  virtual double edge_edge(const CcdQuery& query, const CcdOptions& options) const = 0;
};

/// Additive CCD (Li et al. 2021): advances by a proven lower bound of the time to contact, here taken along
/// the direction between the closest points. Rounding is accounted for, that of the positions x + t p that
/// the caller will compute included: additive_ccd.hpp has the margins. A query that is not finite is answered
/// with 0.
std::unique_ptr<Ccd> make_additive_ccd();
/// By the scene file's name ("additive").
std::unique_ptr<Ccd> make_ccd(const std::string& name);

}  // namespace bulwark
