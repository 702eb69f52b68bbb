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

/// The plain question: does the pair collide, and when.
struct CcdImpactOptions {
  /// Closer than this counts as a collision.
  double minimum_distance = 0;
  double max_time = 1;
  /// A pair that comes within this distance of colliding (metres) may be called colliding.
  double tolerance = 1e-6;
  /// Bound on the work; when it is reached the answer is a collision at the time proven safe so far.
  int max_iterations = 1'000'000;
};

struct CcdAnswer {
  bool hit = true;  ///< false only where it is proven that there is no collision
  double time = 0;  ///< of a hit: no later than the first collision. Else max_time
  int iterations = 0;
  bool limit_reached = false;  ///< the answer is safe, but less sharp than the tolerance asked for
  double tolerance = 0;        ///< of a hit: how close the pair is known to come
};

class Ccd {
 public:
  virtual ~Ccd() = default;
  /// A time t in [0, max_time] such that on [0, t] the pair stays farther apart than
  /// minimum_distance + min(keep_fraction * (gap at the start), keep_at_most). Never late; max_time where
  /// there is no collision.
  virtual double point_triangle(const CcdQuery& query, const CcdOptions& options) const = 0;
  virtual double edge_edge(const CcdQuery& query, const CcdOptions& options) const = 0;

  /// Whether and when the pair comes to the minimum distance or nearer.
  virtual CcdAnswer point_triangle_impact(const CcdQuery& query, const CcdImpactOptions& options) const = 0;
  virtual CcdAnswer edge_edge_impact(const CcdQuery& query, const CcdImpactOptions& options) const = 0;
};

/// Additive CCD (Li et al. 2021): advances by a proven lower bound of the time to contact, here taken along
/// the direction between the closest points. Rounding is accounted for, that of the positions x + t p that
/// the caller will compute included: separating_advance.hpp has the margins. A query that is not finite is
/// answered with 0.
std::unique_ptr<Ccd> make_additive_ccd();
/// Tight-inclusion CCD (Wang et al. 2021): bisection of time and of the pair's parameters by inclusion
/// functions, with rounding accounted for in the same sense. Before it, up to `advances` steps of the
/// separating advance settle what they can; 0 bisects every query.
std::unique_ptr<Ccd> make_tight_inclusion_ccd(int advances = 2000);
/// By the scene file's name ("additive", "tight-inclusion").
std::unique_ptr<Ccd> make_ccd(const std::string& name);

}  // namespace bulwark
