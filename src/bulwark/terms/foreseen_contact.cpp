#include <bulwark/stencils/barrier.hpp>
#include <bulwark/terms/foreseen_contact.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace bulwark {
namespace {

/// Part of the contact's range below which a tangent is not taken any nearer.
constexpr double smallest_balance = 1e-6;

/// The barrier of a unit of strength as a function of the gap: its force, and its curvature.
struct GapBarrier {
  double force, curvature;
};
GapBarrier gap_barrier(const BarrierRange& range, double gap) {
  const double distance = range.minimum_distance + gap;
  const NormalBarrier b = normal_barrier(distance * distance, range);
  return {-b.slope * distance, b.curvature * distance * distance};
}

}  // namespace

ForeseenContact::ForeseenContact(const ContactPair& pair, const ClosestPoints& closest)
    : pair_(pair), closest_(closest) {
  const double distance = std::sqrt(closest.squared_distance());
  normal_ = closest.r / distance;
  gap_ = distance - pair.range.minimum_distance;
  balance_ = 0.5 * std::min(gap_, pair.range.distance);
  set_spring();
}

void ForeseenContact::set_spring() {
  const GapBarrier b = gap_barrier(pair_.range, balance_);
  stiffness_ = pair_.weight() * b.curvature;
  kept_ = std::min(gap_, balance_ + b.force / b.curvature);
}

bool ForeseenContact::see(const Vectors& dx) {
  double next = gap_;
  for (int i = 0; i < pair_.vertices(); ++i)
    next += closest_.weight[i] * normal_.dot(dx.col(pair_.vertex[i]));
  const bool pushed = std::exchange(pushes_, next < kept_);
  if (!pushed || next > 0.5 * balance_) return pushes_ != pushed;
  // As stiff as the barrier is where it has the force that the spring has there.
  const double force = stiffness_ * (kept_ - next) / pair_.weight();
  do balance_ *= 0.5;
  while (gap_barrier(pair_.range, balance_).force < force &&
         balance_ > smallest_balance * pair_.range.distance);
  set_spring();
  return true;
}

}  // namespace bulwark
