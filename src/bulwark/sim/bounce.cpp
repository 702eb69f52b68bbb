#include <bulwark/integrate/integrator.hpp>
#include <bulwark/sim/bounce.hpp>
#include <bulwark/stencils/barrier.hpp>

#include <algorithm>
#include <cmath>

namespace bulwark {
namespace {

/// The energy of the barrier as a function of the distance.
struct Wall {
  double stiffness, end;  ///< K, and d-hat squared

  double energy(double d) const { return d < std::sqrt(end) ? stiffness * barrier(d * d, end) : 0; }
  double slope(double d) const { return stiffness * 2 * d * barrier_first_derivative(d * d, end); }
  double curvature(double d) const {
    return std::max(0.0, stiffness * (4 * d * d * barrier_second_derivative(d * d, end) +
                                      2 * barrier_first_derivative(d * d, end)));
  }
};

/// Where  m (d - target) + scale (slope(d) + friction (d - reference))  vanishes: it grows with d, from minus
/// infinity at zero.
double solve_step(const Wall& wall, double mass, double target, double scale, double friction,
                  double reference) {
  auto force = [&](double d) {
    return mass * (d - target) + scale * (wall.slope(d) + friction * (d - reference));
  };
  double low = 0, high = std::max({target, reference, 2 * std::sqrt(wall.end)});
  for (int i = 0; i < 200 && high - low > 1e-15 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (force(middle) > 0 ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

/// What implicit contact took comes back (sim/energy_keeping.hpp), and its force does not enter the next
/// prediction.
void give_back(const Wall& wall, double mass, double from, State& state) {
  const double to = state.position(0);
  double& v = state.velocity(0);
  state.acceleration.setZero();
  if (wall.slope(from) == 0 && wall.slope(to) == 0) return;
  const double loss = wall.slope(to) * (to - from) - wall.energy(to) + wall.energy(from);
  const double speed = std::sqrt(std::max(0.0, v * v + 2 * loss / mass));
  v = loss > 0 || v > 0 ? speed : -speed;
}

struct Flight {
  double restitution, closest;
  int steps;
};

/// The impact of a body that comes within the contact distance after a part of a step.
Flight fly(const Impact& impact, const Integrator& integrator, double part) {
  const double h = impact.step;
  const Wall wall{impact.stiffness, impact.distance * impact.distance};
  State state;
  state.position = state.velocity = state.acceleration = Vectors::Zero(3, 1);
  state.position(0) = impact.distance + (3 + part) * impact.speed * h;
  state.velocity(0) = -impact.speed;
  Flight flight{0, impact.distance, 0};
  // After the last contact a method with history takes some steps to settle at its speed. A body that creeps
  // out of contact is not waited for.
  constexpr int settling_steps = 40;
  const double patience = 1000 + 100 * impact.distance / (impact.speed * h);
  int settled = 0;
  for (int i = 0; settled < settling_steps && i < patience; ++i) {
    const Prediction prediction = integrator.predict(state, h);
    const double friction = impact.damping * prediction.rate * wall.curvature(state.position(0));
    Vectors position = Vectors::Zero(3, 1);
    position(0) =
        solve_step(wall, impact.mass, prediction.target(0),
                   prediction.contact_weight() * prediction.beta * h * h, friction, prediction.reference(0));
    const double from = state.position(0);
    integrator.advance(state, position, h);
    if (prediction.from_acceleration) give_back(wall, impact.mass, from, state);
    const bool touches = position(0) < impact.distance;
    flight.closest = std::min(flight.closest, position(0));
    flight.steps += touches;
    settled = flight.steps > 0 && !touches ? settled + 1 : 0;
  }
  flight.restitution = std::clamp(state.velocity(0) / impact.speed, 0.0, 1e3);
  return flight;
}

}  // namespace

Bounce bounce_of(const Impact& impact) {
  constexpr int places = 8;
  const auto integrator = make_integrator(impact.integrator);
  Bounce bounce{0, 1e300, 0, 1e300, 0};
  for (int k = 0; k < places; ++k) {
    const Flight flight = fly(impact, *integrator, (k + 0.5) / places);
    bounce.restitution += flight.restitution / places;
    bounce.steps += static_cast<double>(flight.steps) / places;
    bounce.lowest = std::min(bounce.lowest, flight.restitution);
    bounce.highest = std::max(bounce.highest, flight.restitution);
    bounce.closest = std::min(bounce.closest, flight.closest);
  }
  return bounce;
}

Impact with_best_stiffness(Impact impact) {
  impact.damping = 0;
  // By the barrier's energy scale K dh^4 over the energy of the impact. Below a third the body stops ever
  // nearer to zero distance, which leaves no room for impacts that are faster than this one.
  const double unit = 0.5 * impact.mass * impact.speed * impact.speed / std::pow(impact.distance, 4);
  Impact best = impact;
  double most = -1e300;
  for (int k = -4; k <= 32; ++k) {
    impact.stiffness = unit * std::pow(10.0, k / 8.0);
    // A bounce that gains speed, as a contact of one or two steps of BDF-2 may, is as wrong as one that loses
    // as much.
    const Bounce bounce = bounce_of(impact);
    const double kept = 1 - std::max(std::abs(1 - bounce.lowest), std::abs(1 - bounce.highest));
    if (kept <= most) continue;
    most = kept;
    best = impact;
  }
  return best;
}

Impact with_damping_for(Impact impact, double restitution) {
  auto exceeds = [&](double damping) {
    impact.damping = damping;
    return bounce_of(impact).restitution > restitution;
  };
  double low = 0, high = impact.step;
  while (exceeds(high) && high < 1e6 * impact.step) {
    low = high;
    high *= 2;
  }
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (low + high);
    (exceeds(middle) ? low : high) = middle;
  }
  impact.damping = high;
  return impact;
}

}  // namespace bulwark
