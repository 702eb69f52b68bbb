#include <bulwark/collision/candidates.hpp>
#include <bulwark/collision/collision_mesh.hpp>
#include <bulwark/collision/contact_scales.hpp>
#include <bulwark/stencils/contact_barrier.hpp>

#include <algorithm>

namespace bulwark {
namespace {

/// Of stiff bodies: the barrier's spring at half its distance, in units of the lighter body's inertia.
constexpr double springs_of_inertia = 50;

/// The barrier's spring at half its distance, per unit of stiffness.
double half_way_spring(const BarrierRange& range) {
  const double half = range.minimum_distance + 0.5 * range.distance, squared = half * half;
  const double D = range.argument(squared);
  return 4 * squared * barrier_second_derivative(D, range.end()) +
         2 * barrier_first_derivative(D, range.end());
}

double stiff_pair_stiffness(const BarrierRange& range, double mass, double time_scale) {
  return springs_of_inertia * mass / half_way_spring(range) / time_scale;
}

double soft_pair_stiffness(const BarrierRange& range, double length, double mass, double time_scale) {
  // A contact distance given outright may be smaller than 1e-8 of the length, or large against the bodies:
  // the gap to resist is no more than a tenth of it, and no less than what it is for the default distance.
  const double gap = std::clamp(1e-8 * length, 1e-5 * range.distance, 0.1 * range.distance);
  const double D0 = gap * gap;
  return 1e11 * mass / (4 * D0 * barrier_second_derivative(D0, range.end())) / time_scale;
}

/// What holds the mass against an acceleration at half the distance.
double holding_stiffness(const BarrierRange& range, double mass, double acceleration) {
  const double half = range.minimum_distance + 0.5 * range.distance;
  return mass * acceleration / barrier_force(half * half, range);
}

}  // namespace

ContactScales::ContactScales(std::vector<BodyScale> bodies, const Options& options)
    : factor(bodies.size(), 1), bodies_(std::move(bodies)), options_(options) {
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    largest_reach_ = std::max(largest_reach_, reach(static_cast<int>(b)));
}

ContactScales ContactScales::uniform(const CollisionMesh& mesh, const BarrierRange& range, double stiffness,
                                     double static_speed, bool per_area) {
  std::vector<BodyScale> bodies(mesh.bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (mesh.bodies[b].obstacle) continue;
    bodies[b].distance = range.distance;
    bodies[b].static_speed = static_speed;
  }
  Options options;
  options.minimum_distance = range.minimum_distance;
  options.stiffness = stiffness;
  options.per_area = per_area;
  return {std::move(bodies), options};
}

bool ContactScales::set_close(const std::vector<NearBodies>& pairs) {
  std::unordered_map<std::uint64_t, double> close;
  for (const NearBodies& pair : pairs) close[body_pair_key(pair.body_a, pair.body_b)] = pair.distance;
  if (close == close_) return false;
  close_ = std::move(close);
  return true;
}

BarrierRange ContactScales::range(int body_a, int body_b) const {
  BarrierRange range = full_range(body_a, body_b);
  if (close_.empty()) return range;
  const auto found = close_.find(body_pair_key(std::min(body_a, body_b), std::max(body_a, body_b)));
  if (found != close_.end()) range.distance = std::min(range.distance, found->second);
  return range;
}

double ContactScales::stiffness(int body_a, int body_b, double offset) const {
  const BarrierRange full = full_range(body_a, body_b), own = range(body_a, body_b);
  double more = std::max(factor[body_a], factor[body_b]);
  if (options_.stiffness && options_.per_area)
    return more * holding_stiffness(own.beyond(offset), 1, *options_.stiffness);
  if (offset > 0) more *= half_way_spring(own) / half_way_spring(own.beyond(offset));
  if (options_.stiffness) return more * *options_.stiffness;
  const BodyScale &a = bodies_[body_a], &b = bodies_[body_b];
  const double mass = std::min(a.mass, b.mass);
  const double inertial =
      a.stiff && b.stiff ? stiff_pair_stiffness(full, mass, options_.time_scale)
                         : soft_pair_stiffness(full, std::min(a.length, b.length), mass, options_.time_scale);
  // Close bodies can press as hard on each other as others: forces go with the distance to the power 3.
  const double closer = full.distance / own.distance;
  return more * closer * closer * closer *
         std::max(inertial, holding_stiffness(full, mass, options_.acceleration));
}

}  // namespace bulwark
