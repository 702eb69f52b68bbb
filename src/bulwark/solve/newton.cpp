#include <bulwark/solve/descent.hpp>
#include <bulwark/solve/newton.hpp>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace bulwark {

std::string_view outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::converged:
      return "converged";
    case Outcome::iteration_limit:
      return "iteration-limit";
    case Outcome::line_search_stalled:
      return "line-search-stalled";
    case Outcome::not_finite:
      return "not-finite";
    case Outcome::script_blocked:
      return "script-blocked";
    case Outcome::work_limit:
      return "work-limit";
    case Outcome::no_equilibrium:
      return "no-equilibrium";
  }
  return "unknown";
}

namespace {

/// Part of the allowed step below which a line search gives up.
constexpr double smallest_fraction = 1e-10;

/// Newton's direction; where the matrix is not positive definite, its diagonal is raised until it is.
bool newton_direction(const LinearSystem& system, LinearSolver& linear, const StopRequest& stop,
                      VectorX& direction, int& linear_solves) {
  const BlockMatrix& hessian = system.matrix;
  const VectorX& rhs = system.rhs;
  ++linear_solves;
  if (linear.solve(system, direction) && direction.dot(rhs) > 0) return true;
  double largest = 0;
  for (int i = 0; i < hessian.rows; ++i) {
    largest = std::max(largest, hessian.value[hessian.row_start[i]].diagonal().cwiseAbs().maxCoeff());
  }
  BlockMatrix shifted = hessian;
  double shift = 1e-10 * largest;
  for (int attempt = 0; attempt < 12; ++attempt, shift *= 10) {
    for (int i = 0; i < hessian.rows; ++i) {
      shifted.value[hessian.row_start[i]] = hessian.value[hessian.row_start[i]] + shift * Matrix3::Identity();
    }
    stop_if_requested(stop);
    ++linear_solves;
    if (linear.solve({shifted, rhs, system.modes, system.tolerance}, direction) && direction.dot(rhs) > 0)
      return true;
  }
  return false;
}

/// Part of the right-hand side that may remain of it in most iterations: the next one makes up for it.
constexpr double loose_tolerance = 1e-2;
/// And in those that end a solve.
constexpr double tight_tolerance = 1e-6;

/// Solves what a loose direction left over.
bool tighten(const LinearSystem& system, LinearSolver& linear, VectorX& direction, SolveRecord& record) {
  VectorX product;
  system.matrix.multiply(direction, product);
  const VectorX remainder = system.rhs - product;
  VectorX more;
  ++record.linear_solves;
  if (!linear.solve({system.matrix, remainder, system.modes, tight_tolerance / loose_tolerance}, more))
    return false;
  const VectorX tight = direction + more;
  if (!(tight.dot(system.rhs) > 0)) return false;
  direction = tight;
  return true;
}

/// Looking ahead costs a search for collisions and a linear solve each time. It pays where a path is blocked before this
/// part of it, and its end is as many tolerances away: found on scenes of spheres, blocks, cards and cloth.
constexpr double blocked_part = 0.4, far_away = 30;
constexpr int rounds_ahead = 4;
/// Part of the right-hand side that may remain of it there. A path that is to be gone to its end has to be right to a part of
/// the gaps between bodies: of 10,000 spheres that meet at once, a fifth of it is free after solves to a hundredth, and two
/// thirds after solves to this.
constexpr double tolerance_ahead = 1e-3;
/// What the path meets before this part of it is taken in.
constexpr double foreseen_part = 0.8;

/// A motion of so many parts of a place's coordinates is lost in their rounding, whatever the tolerance.
constexpr double roundings_of_a_place = 4 * std::numeric_limits<double>::epsilon();

/// One iteration from q: a direction, looks at what it runs into, and a line search.
class Iteration {
 public:
  /// `first_norm`: of the gradient where the solve began; below zero in its first iteration, which sets it.
  Iteration(Objective& objective, LinearSolver& linear, const Vectors& q, const NewtonOptions& options,
            Profile& profile, SolveRecord& record, double& first_norm)
      : objective_(objective),
        linear_(linear),
        q_(q),
        options_(options),
        profile_(profile),
        record_(record),
        first_norm_(first_norm) {}

  /// Returns whether there is a better place, which is `end` then; otherwise `outcome` says why not.
  bool go() {
    stop_if_requested(options_.stop);
    rhs_ = -objective_.gradient(q_);
    record_.residual = rhs_.norm() / objective_.scale();
    if (gradient_is_small()) return false;
    const int before = linear_.effort().iterations;
    const bool found = rhs_.allFinite() && find_direction();
    record_.linear_iterations += linear_.effort().iterations - before;
    if (!found) {
      outcome = Outcome::not_finite;
      return false;
    }
    limit_ = objective_.largest_step(path_);
    // A step that a look ahead shortens says nothing of how far the minimum is.
    if (limit_.step < blocked_part && record_.step_part > far_away) look_ahead();
    if (limit_.step < record_.smallest_step) {
      record_.smallest_step = limit_.step;
      record_.smallest_cause = limit_.cause;
    }
    if (!small) busy = objective_.still_busy(q_, path_.step, options_.tolerance);
    ScopedPhase phase(profile_, Phase::line_search);
    return search();
  }

  Outcome outcome = Outcome::converged;
  bool small = false;      ///< the step is within the tolerance
  std::vector<char> busy;  ///< bodies that are to move on alone (Objective::focus)
  Vectors end;             ///< only where there is a better place

 private:
  /// By the rules that the caller set. A gradient that is not a number is not small.
  bool gradient_is_small() {
    const NewtonRule& rule = options_.rule;
    const bool none = rule.gradient_tolerance <= 0 && rule.relative_tolerance <= 0;
    if (none) return false;
    if (first_norm_ < 0) first_norm_ = record_.residual;
    // What is small as a force may still be all of a light body's motion.
    if (record_.iterations == 0) return record_.residual == 0;
    return record_.residual <= rule.gradient_tolerance ||
           record_.residual <= rule.relative_tolerance * first_norm_;
  }

  bool find_direction() {
    model_ = objective_.begin_iteration(q_, options_.psd);
    const BlockMatrix& hessian = objective_.hessian(q_, model_);
    modes_ = objective_.coordinates().rigid_modes(q_);
    if (rhs_.isZero(0)) {
      take(rhs_);
      measure();
      return true;
    }
    const LinearSystem system = {hessian, rhs_, modes_, loose_tolerance};
    ScopedPhase phase(profile_, Phase::linear_solve);
    if (options_.record_system) options_.record_system(system);
    VectorX direction;
    if (!newton_direction(system, linear_, options_.stop, direction, record_.linear_solves)) return false;
    stop_if_requested(options_.stop);
    take(std::move(direction));
    measure();
    // Only a step that is known well may end a solve.
    if (small && linear_.effort().loose && tighten(system, linear_, direction_, record_)) {
      take(std::move(direction_));
      measure();
    }
    return true;
  }

  void take(VectorX direction) {
    direction_ = std::move(direction);
    path_ = objective_.coordinates().path(q_, direction_);
  }

  void measure() {
    const Coordinates::Motion motion =
        objective_.coordinates().largest_motion(path_.step, options_.tolerance);
    record_.step_part = motion.part;
    record_.step_size = motion.size;
    record_.worst_control = motion.control;
    // Of the place itself: what lies far away has a coarser one.
    const double place = motion.control < 0 ? 0.0 : q_.col(motion.control).cwiseAbs().maxCoeff();
    const bool near = record_.step_part <= 1 || motion.size <= roundings_of_a_place * place;
    small = near && objective_.step_measure(q_, path_.step) <= 1;
  }

  /// Solves again with what the path runs into as a part of the model, until it runs into nothing new.
  void look_ahead() {
    objective_.prepare(q_);
    bool aimed = false;
    for (int round = 0; round < rounds_ahead && objective_.foresee(path_, foreseen_part); ++round) {
      const BlockMatrix& renewed = objective_.renewed_hessian(q_, model_);
      const VectorX drawn = rhs_ - objective_.foreseen_gradient(q_);
      ScopedPhase phase(profile_, Phase::linear_solve);
      stop_if_requested(options_.stop);
      ++record_.linear_solves;
      VectorX aim;
      const int before = linear_.effort().iterations;
      const bool solved = linear_.solve({renewed, drawn, modes_, tolerance_ahead}, aim);
      record_.linear_iterations += linear_.effort().iterations - before;
      if (!solved || !(aim.dot(rhs_) > 0)) break;
      take(std::move(aim));
      aimed = true;
    }
    if (aimed) limit_ = objective_.largest_step(path_);
  }

  /// The line search: the path's end as far as it is free, or halves of it.
  bool search() {
    Descent descent(objective_, direction_, -direction_.dot(rhs_), objective_.energy_sum(q_));
    if (!descent.is_finite()) {
      outcome = Outcome::not_finite;
      return false;
    }
    double fraction = limit_.step;
    const double smallest = smallest_fraction * fraction;
    bool reached = objective_.reach(path_, smallest, fraction, end);
    while (reached && fraction >= smallest && !descent.leads_to(end)) {
      stop_if_requested(options_.stop);
      fraction /= 2;
      if (fraction >= smallest) reached = objective_.reach(path_, smallest, fraction, end);
    }
    if (reached && fraction >= smallest) return true;
    // No decrease that doubles can show: at the minimum if the step is small, stuck if it is not.
    outcome = small ? Outcome::converged : Outcome::line_search_stalled;
    return false;
  }

  Objective& objective_;
  LinearSolver& linear_;
  const Vectors& q_;
  const NewtonOptions& options_;
  Profile& profile_;
  SolveRecord& record_;
  double& first_norm_;
  HessianModel model_;
  std::vector<RigidMode> modes_;
  VectorX rhs_, direction_;  ///< the negative gradient at q, and where to go
  ControlPath path_;
  StepLimit limit_;
};

}  // namespace

SolveRecord minimise(Objective& objective, LinearSolver& linear, Vectors& q, const NewtonOptions& options,
                     Profile& profile) {
  SolveRecord record;
  if (objective.coordinates().unknowns() == 0) return record;
  objective.prepare(q);
  // A step of all bodies within the tolerance ends the solve, and so does one after which only some contacts
  // were to be resolved, when these are.
  bool settled = false;
  double moved_since = 0;  // over the tolerance
  double first_norm = -1;  // of the gradient
  while (record.iterations < options.max_iterations) {
    Iteration iteration(objective, linear, q, options, profile, record, first_norm);
    const bool moved = iteration.go();
    if (moved) {
      ++record.iterations;
      q = std::move(iteration.end);
    }
    if (!objective.focused()) {
      settled = record.step_part <= 1;
      moved_since = 0;
    } else {
      moved_since += record.step_part;
    }
    objective.prepare(q);
    const bool enough = moved && options.after_step && options.after_step(q);
    const bool whole = !objective.focused() || (settled && moved_since <= 1);
    if (enough || (moved ? iteration.small && whole : !objective.focused())) {
      if (!enough) record.outcome = iteration.outcome;
      objective.focus({});
      return record;
    }
    // Bodies that are where they belong rest until the others are, too.
    objective.focus(moved ? std::move(iteration.busy) : std::vector<char>());
  }
  objective.focus({});
  record.outcome = Outcome::iteration_limit;
  return record;
}

}  // namespace bulwark
