#include <bulwark/solve/newton.hpp>

#include <cmath>
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
/// Part of the sizes of its summands by which an energy may be wrong: some dozens of roundings.
constexpr double energy_rounding = 1e-14;

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

/// The descent of a line search, from q along `direction`. By a step of the size d the energy changes by d^2,
/// so that it is lost in the energy's rounding long before the gradient loses d; there the slopes s0 and s1 at
/// both ends tell, by which it changes as s0 + s1.
class Descent {
 public:
  Descent(Objective& objective, const Vectors& q, const VectorX& direction, double slope)
      : objective_(objective), direction_(direction), slope_(slope), before_(objective.energy_sum(q)) {}

  bool is_finite() const { return std::isfinite(before_.value); }
  /// Comparisons fail for NaN, so that a trial that is not a number is never accepted. May leave the objective
  /// prepared at the trial.
  bool leads_to(const Vectors& trial) {
    const double after = objective_.energy(trial);
    if (after <= before_.value) return true;
    return after - before_.value <= energy_rounding * before_.size && slope_at(trial) <= steepest * -slope_;
  }

 private:
  /// Of the slope at the start; with 1, the sum of both would be zero.
  static constexpr double steepest = 0.8;

  double slope_at(const Vectors& trial) {
    objective_.prepare(trial);
    return objective_.gradient(trial).dot(direction_);
  }

  Objective& objective_;
  const VectorX& direction_;
  double slope_;
  Objective::EnergySum before_;
};

/// One iteration.
struct Iteration {
  bool moved = false;  ///< otherwise `outcome` says why not
  Outcome outcome = Outcome::converged;
  bool small = false;      ///< the step is within the tolerance
  std::vector<char> busy;  ///< bodies that are to move on alone (Objective::focus)
};

Iteration iterate(Objective& objective, LinearSolver& linear, Vectors& q, const NewtonOptions& options,
                  Profile& profile, SolveRecord& record) {
  Iteration iteration;
  const Coordinates& coordinates = objective.coordinates();
  stop_if_requested(options.stop);
  const VectorX rhs = -objective.gradient(q);
  VectorX direction;
  if (!rhs.allFinite()) {
    iteration.outcome = Outcome::not_finite;
    return iteration;
  }
  const HessianModel model = objective.begin_iteration(q, options.psd);
  const BlockMatrix& hessian = objective.hessian(q, model);
  const std::vector<RigidMode> modes = coordinates.rigid_modes(q);
  const LinearSystem system = {hessian, rhs, modes, loose_tolerance};
  const int linear_before = linear.effort().iterations;
  if (rhs.isZero(0)) {
    direction = rhs;
  } else {
    ScopedPhase phase(profile, Phase::linear_solve);
    if (options.record_system) options.record_system(system);
    if (!newton_direction(system, linear, options.stop, direction, record.linear_solves)) {
      iteration.outcome = Outcome::not_finite;
      return iteration;
    }
  }
  stop_if_requested(options.stop);
  ControlPath path = coordinates.path(q, direction);
  auto measure = [&] {
    const Coordinates::Motion motion = coordinates.largest_motion(path.step, options.tolerance);
    record.step_part = motion.part;
    record.step_size = motion.size;
    record.worst_control = motion.control;
    iteration.small = record.step_part <= 1 && objective.step_measure(q, path.step) <= 1;
  };
  measure();
  // Only a step that is known well may end a solve.
  if (iteration.small && linear.effort().loose && !rhs.isZero(0)) {
    ScopedPhase phase(profile, Phase::linear_solve);
    if (tighten(system, linear, direction, record)) {
      path = coordinates.path(q, direction);
      measure();
    }
  }
  record.linear_iterations += linear.effort().iterations - linear_before;
  const StepLimit limit = objective.largest_step(path);
  if (limit.step < record.smallest_step) {
    record.smallest_step = limit.step;
    record.smallest_cause = limit.cause;
  }
  std::vector<char> busy;
  if (!iteration.small) busy = objective.still_busy(q, path.step, options.tolerance);
  double fraction = limit.step;
  ScopedPhase phase(profile, Phase::line_search);
  Descent descent(objective, q, direction, -direction.dot(rhs));
  if (!descent.is_finite()) {
    iteration.outcome = Outcome::not_finite;
    return iteration;
  }
  const double smallest = smallest_fraction * limit.step;
  Vectors trial;
  bool reached = objective.reach(path, smallest, fraction, trial);
  while (reached && fraction >= smallest && !descent.leads_to(trial)) {
    stop_if_requested(options.stop);
    fraction /= 2;
    if (fraction >= smallest) reached = objective.reach(path, smallest, fraction, trial);
  }
  if (!reached || fraction < smallest) {
    // No decrease that doubles can show: at the minimum if the step is small, stuck if it is not.
    iteration.outcome = iteration.small ? Outcome::converged : Outcome::line_search_stalled;
    return iteration;
  }
  iteration.moved = true;
  iteration.busy = std::move(busy);
  q = trial;
  return iteration;
}

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
  while (record.iterations < options.max_iterations) {
    const Iteration done = iterate(objective, linear, q, options, profile, record);
    if (done.moved) ++record.iterations;
    if (!objective.focused()) {
      settled = record.step_part <= 1;
      moved_since = 0;
    } else {
      moved_since += record.step_part;
    }
    objective.prepare(q);
    const bool enough = done.moved && options.after_step && options.after_step(q);
    const bool whole = !objective.focused() || (settled && moved_since <= 1);
    if (enough || (done.moved ? done.small && whole : !objective.focused())) {
      if (!enough) record.outcome = done.outcome;
      objective.focus({});
      return record;
    }
    // Bodies that are where they belong rest until the others are, too.
    objective.focus(done.busy);
  }
  objective.focus({});
  record.outcome = Outcome::iteration_limit;
  return record;
}

}  // namespace bulwark
