#include <bulwark/sim/adaptive_contact.hpp>

#include <algorithm>

namespace bulwark {
namespace {

/// Part of the gap of two close bodies at which their barrier begins: by rounding it would act on the gap
/// itself.
constexpr double just_below = 1 - 1e-12;

}  // namespace

AdaptiveContact::AdaptiveContact(World& world, ContactScales& scales, BarrierContact& contact,
                                 const std::vector<int>& control_body)
    : world_(world),
      scales_(scales),
      contact_(contact),
      control_body_(control_body),
      last_factor_(world.bodies.size(), 1),
      loaded_factor_(world.bodies.size(), 0) {}

void AdaptiveContact::begin_step() {
  recall();
  contact_.prepare(world_.state.position);
  const ContactIslands islands(world_.collision, scales_, contact_.contacts());
  const std::vector<double> loaded = loaded_factors(contact_, world_.collision, islands);
  for (std::size_t b = 0; b < loaded_factor_.size(); ++b) {
    const int island = islands.of(static_cast<int>(b));
    loaded_factor_[b] = island < 0 ? 0 : loaded[island];
  }
}

std::function<void(const Vectors& q)> AdaptiveContact::watch_gaps() {
  if (scales_.stiffness_is_given()) return {};
  return [this, gaps = smallest_gaps(contact_, world_.collision)](const Vectors& q) mutable {
    stiffen_where_gaps_vanish(q, gaps);
  };
}

void AdaptiveContact::set_factors(const Vectors& q, const Integrator& integrator, Objective& objective) {
  if (scales_.stiffness_is_given()) return;
  std::fill(scales_.factor.begin(), scales_.factor.end(), 1.0);
  contact_.scales_changed(q);
  const ContactIslands islands(world_.collision, scales_, contact_.contacts());
  std::vector<double> last(islands.count(), 1), loaded(islands.count(), 0);
  bool any_soft = false;
  for (std::size_t b = 0; b < last_factor_.size(); ++b) {
    const int island = islands.of(static_cast<int>(b));
    if (island < 0) continue;
    last[island] = std::max(last[island], last_factor_[b]);
    loaded[island] = std::max(loaded[island], loaded_factor_[b]);
    any_soft = any_soft || !islands.all_stiff(island);
  }
  std::vector<double> factor = last;
  const bool balance = integrator.dissipates() ? any_soft : world_.state.step == 0;
  const std::vector<double> balancing =
      balance ? balancing_factors(objective, contact_, world_.collision, islands, control_body_, q)
              : std::vector<double>(islands.count(), 1);
  for (int k = 0; k < islands.count(); ++k) {
    if (islands.all_stiff(k) && integrator.dissipates()) {
      factor[k] = std::clamp(0.5 * last[k], 1.0, largest_stiff_factor);
    } else if (integrator.dissipates() || world_.state.step == 0) {
      factor[k] = std::max({1.0, loaded[k], balancing[k]});
    }
  }
  for (std::size_t b = 0; b < last_factor_.size(); ++b) {
    const int island = islands.of(static_cast<int>(b));
    if (island >= 0) {
      scales_.factor[b] = factor[island];
    } else if (scales_.body(static_cast<int>(b)).stiff && integrator.dissipates()) {
      scales_.factor[b] = std::max(1.0, 0.5 * last_factor_[b]);
    }
  }
  contact_.scales_changed(q);
}

void AdaptiveContact::stiffen_where_gaps_vanish(const Vectors& q, std::vector<double>& gaps) {
  const std::vector<double> now = smallest_gaps(contact_, world_.collision);
  bool changed = false;
  for (std::size_t b = 0; b < now.size(); ++b) {
    if (world_.collision.bodies[b].obstacle || !(gaps[b] < 1 && now[b] < gaps[b])) continue;
    const double largest = scales_.body(static_cast<int>(b)).stiff
                               ? largest_stiff_factor
                               : std::max(largest_soft_factor, loaded_factor_[b]);
    const double wanted = std::max(scales_.factor[b], std::min(largest, 2 * scales_.factor[b]));
    changed = changed || wanted != scales_.factor[b];
    scales_.factor[b] = wanted;
  }
  gaps = now;
  if (changed) contact_.scales_changed(q);
}

void AdaptiveContact::recall() {
  const ContactMemory& memory = world_.state.contact;
  std::fill(last_factor_.begin(), last_factor_.end(), 1.0);
  for (const ContactMemory::Stiffened& stiffened : memory.stiffened)
    last_factor_[stiffened.body] = stiffened.factor;
  std::vector<NearBodies> close;
  for (const ContactMemory::Close& c : memory.close) close.push_back({c.body_a, c.body_b, c.distance});
  scales_.factor = last_factor_;
  contact_.scales_changed(world_.state.position, scales_.set_close(close));
}

void AdaptiveContact::remember() {
  ContactMemory& memory = world_.state.contact;
  memory.stiffened.clear();
  for (std::size_t b = 0; b < scales_.factor.size(); ++b) {
    if (scales_.factor[b] > 1) memory.stiffened.push_back({static_cast<int>(b), scales_.factor[b]});
  }
  if (memory.close.empty()) return;
  contact_.prepare(world_.state.position);
  std::erase_if(memory.close, [&](ContactMemory::Close& c) {
    const double gap = contact_.body_gap(c.body_a, c.body_b);
    c.distance = std::max(c.distance, just_below * gap);
    return c.distance >= scales_.full_range(c.body_a, c.body_b).distance;
  });
}

void AdaptiveContact::find_close_bodies(const std::vector<char>& placed) {
  // A stiffness that is given is for the distance that is given with it.
  if (scales_.stiffness_is_given()) return;
  ContactMemory& memory = world_.state.contact;
  auto is_placed = [&](int body) { return placed.empty() || placed[body] != 0; };
  std::erase_if(memory.close,
                [&](const ContactMemory::Close& c) { return is_placed(c.body_a) || is_placed(c.body_b); });
  contact_.prepare(world_.state.position);
  for (const NearBodies& pair : contact_.close_bodies()) {
    if (is_placed(pair.body_a) || is_placed(pair.body_b))
      memory.close.push_back({pair.body_a, pair.body_b, just_below * pair.distance});
  }
  recall();
}

}  // namespace bulwark
