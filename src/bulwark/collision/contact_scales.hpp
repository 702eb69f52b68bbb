// The lengths, masses and speeds that contact works with, body by body. A contact takes them from the two
// bodies that it is between: how far its barrier reaches, how stiff that is, below which speed it sticks. So
// what lies elsewhere in the scene, or how large the scene is, has no say.
#pragma once

#include <bulwark/stencils/barrier.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

namespace bulwark {

struct CollisionMesh;

/// Obstacles keep the infinite values: of two bodies the smaller value counts, so the other body decides.
struct BodyScale {
  static constexpr double none = std::numeric_limits<double>::infinity();
  double length = none;    ///< m: diagonal of the box around the body at rest
  double distance = none;  ///< m: d-hat, where the body's contacts begin
  /// kg, that a contact has to stop: a node of a soft body, a whole stiff one. Where contact is area-weighted
  /// kg/m^2: the body's mass over its surface.
  double mass = none;
  double static_speed = none;  ///< m/s: a contact slower than this sticks
  bool stiff = true;           ///< without a compliance of its own
};

/// What a pair of bodies does at a smaller distance than its two bodies' own: it began so close.
struct NearBodies {
  int body_a = 0, body_b = 0;  ///< body_a < body_b
  double distance = 0;         ///< m
};

class ContactScales {
 public:
  struct Options {
    double minimum_distance = 0;  ///< m: surfaces never come closer
    double time_scale = 1;        ///< s^2: beta h^2 of a regular step
    double acceleration = 0;      ///< m/s^2, that bodies at rest are held against
    /// Of every contact, J/m^4; where contact is area-weighted Pa. Chosen for each pair where absent.
    std::optional<double> stiffness;
    bool per_area = false;  ///< pairs count by their areas (contact_areas.hpp)
  };

  ContactScales(std::vector<BodyScale> bodies, const Options& options);
  /// The same range, stiffness (J/m^4, or Pa) and static speed (m/s) for all pairs.
  static ContactScales uniform(const CollisionMesh& mesh, const BarrierRange& range, double stiffness = 1,
                               double static_speed = 0, bool per_area = false);

  const BodyScale& body(int b) const { return bodies_[b]; }
  double minimum_distance() const { return options_.minimum_distance; }
  bool per_area() const { return options_.per_area; }
  bool stiffness_is_given() const { return options_.stiffness.has_value(); }

  /// Replaces the pairs that are closer than their bodies' distances; returns whether they are others than
  /// before.
  bool set_close(const std::vector<NearBodies>& pairs);
  /// Where the barrier of two bodies acts; without regard to close pairs in the second case.
  BarrierRange range(int body_a, int body_b) const;
  BarrierRange full_range(int body_a, int body_b) const {
    return {std::min(bodies_[body_a].distance, bodies_[body_b].distance), options_.minimum_distance};
  }
  /// How far around a body pairs with it have to be known; the other body's reach need not be added.
  double reach(int body) const {
    return bodies_[body].distance < BodyScale::none ? bodies_[body].distance + options_.minimum_distance
                                                    : options_.minimum_distance;
  }
  /// The largest reach that two bodies can have.
  double largest_reach() const { return largest_reach_; }

  /// Stiffness of the barrier of two bodies (J/m^4). Both of them stiff or obstacles: at half the contact
  /// distance it is a spring of 50 times the lighter one's inertia m / (beta h^2). Stiffer barriers act in
  /// the outermost part of their range only, where their curvature changes from step to step of Newton's
  /// method. A soft one among them: its Hessian at a gap of 1e-8 of the smaller length is 1e11 times the
  /// mass of a node. In both cases it holds the lighter one's weight at half the distance at the least.
  ///
  /// With an offset (pair_offset.hpp) it is the number that makes the barrier the same spring at half the
  /// contact distance: as the barrier is a function of squared distances, its unit of stiffness means less,
  /// the larger the distance is at which it acts.
  ///
  /// Where contact is area-weighted it is a stiffness per area (J/m^4 per m^2), by the same rules for masses
  /// per area: it does not depend on the mesh. One that is given is the pressure at half the distance.
  double stiffness(int body_a, int body_b, double offset = 0) const;
  double static_speed(int body_a, int body_b) const {
    return std::min(bodies_[body_a].static_speed, bodies_[body_b].static_speed);
  }

  /// By how much contacts of a body are stiffer than that, 1 or more: of two bodies the larger one counts.
  std::vector<double> factor;

 private:
  std::vector<BodyScale> bodies_;
  Options options_;
  double largest_reach_ = 0;
  std::unordered_map<std::uint64_t, double> close_;
};

}  // namespace bulwark
