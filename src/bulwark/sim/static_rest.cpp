// How a static step finds rest. The sum of the energies E alone can't be minimised at once: where nothing holds
// a body yet its Hessian is singular, and beyond a buckling load not even definite. So it is minimised by
// rounds that hold the controls back by their inertia,
//
//   q(k+1) = argmin over q of  1/2 |q - q(k)|^2_M + s(k) E(q),
//
// which is a step of implicit Euler from rest, of the length sqrt(s). E falls from round to round, s grows, and
// where a round ends where it began, M (q(k+1) - q(k)) / s, the force that inertia still has, is nothing.
// Friction goes by the slip since the step began; its normal forces are renewed in every round.
#include <bulwark/sim/name_parts.hpp>
#include <bulwark/sim/statics.hpp>
#include <bulwark/sim/step_solver.hpp>

#include <algorithm>
#include <cmath>

namespace bulwark {
namespace {

/// s of the first round and of the last ones (s^2), and by what it grows. At the last one a tolerance of 1e-6 of a body's
/// size is 1e-10 sizes/s^2 of acceleration; a larger one would leave nothing of the inertia of small stiff
/// bodies beside their stiffness, for doubles have 16 digits.
constexpr double first_scale = static_time * static_time, last_scale = 1e4, first_growth = 10;
/// What a round does not solve it has brought nearer, as a rule: the next one goes on from there, and is held
/// back more. Where that fails too, both are taken back, and s grows slower until a round takes few iterations.
constexpr double shrinking = 0.1;
constexpr int round_iterations = 100, few_iterations = 5;
constexpr int max_rounds = 100;
/// Rounds before the last scale need no more than the tolerance of motion.
constexpr double rough = 1 / static_tolerance;
/// What has moved this many times the size of the scene does not come back.
constexpr double far_away = 100;
/// Nor does what has moved by that size, and moves on by this part of it in a round, with an acceleration that
/// changed by less than this part since the round before.
constexpr double moves_on = 0.1, steady = 0.1;

double scene_size(const World& world) {
  Vector3 lower = Vector3::Constant(BodyScale::none), upper = -lower;
  for (int c = 0; c < world.control_count(); ++c) {
    if (world.roles[c] != ControlRole::point) continue;
    lower = lower.cwiseMin(world.state.position.col(c));
    upper = upper.cwiseMax(world.state.position.col(c));
  }
  return (upper - lower).norm();
}

}  // namespace

bool StepSolver::come_to_rest(Vectors& q, double time, StepReport& report) {
  const double size = std::max(scene_size(world_), derived_.length);
  const VectorX tolerance = static_time * tolerance_speed_;
  const VectorX alike = VectorX::Ones(tolerance.size());
  const Vectors at_first = q;
  Vectors good = q;  // where the last round ended that was solved
  int failures = 0;  // in succession
  double scale = first_scale, growth = first_growth, acceleration = 0;
  for (int round = 1; round <= max_rounds; ++round) {
    const Vectors start = q;
    const int iterations = report.newton_iterations;
    const bool last = scale >= last_scale;
    external_.set_force(external_force(time, q), q);
    objective_.begin_round(start, scale);
    lag_contacts(q);
    const bool solved = solve_with_joints(q, static_time, report, {last ? 1 : rough, round_iterations});
    report.friction_updates = round;
    if (report.outcome == Outcome::work_limit) return false;
    const Coordinates::Motion moved = objective_.coordinates().largest_motion(q - start, tolerance);
    const Coordinates::Motion in_all = objective_.coordinates().largest_motion(q - at_first, alike);
    const double now = moved.size / scale;  // m/s^2
    const bool goes_on =
        in_all.size > size && moved.size > moves_on * size && std::abs(now - acceleration) < steady * now;
    const bool leaves = goes_on || in_all.size > far_away * size;
    if (leaves || (round == max_rounds && solved)) {
      const Coordinates::Motion& worst = leaves ? in_all : moved;
      report.outcome = Outcome::no_equilibrium;
      report.worst_point = part_of_control(world_, worst.control);
      report.newton_speed = worst.size / static_time;
      return false;
    }
    acceleration = now;
    if (solved && last && moved.part <= 1) return true;
    if (solved) {
      good = q;
      failures = 0;
      if (report.newton_iterations - iterations <= few_iterations)
        growth = std::min(growth * growth, first_growth);
    } else if (++failures > 1) {
      if (!(scale > first_scale)) return false;
      failures = 0;
      q = good;
      objective_.prepare(q);
      growth = std::sqrt(growth);
    }
    scale = std::clamp(scale * (solved ? growth : shrinking), first_scale, last_scale);
  }
  return false;
}

}  // namespace bulwark
