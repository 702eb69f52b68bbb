#include <bulwark/base/parallel.hpp>
#include <bulwark/solve/adamw.hpp>
#include <bulwark/solve/descent.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace bulwark {
namespace {

/// Part of the allowed step below which a line search gives up.
constexpr double least_fraction = 1e-10;
/// The first rate, of the speed at which the first residual would move what is freest.
constexpr double first_rate = 0.1;
/// Factor of the rate after a step that was shortened. Where it went along the gradient alone, the rate falls with the step.
constexpr double shortened = 0.8;
/// Searches in succession that may fail: each leaves a rate that is smaller by ten digits.
constexpr int most_failures = 3;

class AdamwSolve {
 public:
  AdamwSolve(Objective& objective, Vectors& q, const AdamwOptions& options, Profile& profile)
      : objective_(objective), q_(q), options_(options), rule_(options.rule), profile_(profile) {}

  SolveRecord go() {
    begin();
    while (true) {
      stop_if_requested(options_.stop);
      if (!gradient_.allFinite()) return end(Outcome::not_finite);
      const bool last = record_.iterations >= options_.max_iterations;
      if ((last || record_.iterations % rule_.check_interval == 0) && has_converged())
        return end(Outcome::converged);
      if (last) return end(Outcome::iteration_limit);
      if (!descend()) {
        objective_.prepare(q_);
        renew_gradient();  // trials have left theirs
        // From fresh moments the step is along the gradient's signs: no decrease that doubles can show.
        const bool fresh = since_mean_ <= 1;
        if (!fresh || ++failures_ < most_failures) {
          forget_mean();
          continue;
        }
        return end(has_converged() ? Outcome::converged : stalled_);
      }
      ++record_.iterations;
      objective_.prepare(q_);
      if (options_.after_step) {
        energy_.reset();  // it may change the terms
        if (options_.after_step(q_)) return end(Outcome::converged);
      }
      renew_gradient();
    }
  }

 private:
  void begin() {
    objective_.prepare(q_);
    renew_gradient();
    weights_ = objective_.coordinates().weights(objective_.control_masses());
    const Eigen::Index count = gradient_.size();
    moments_.assign(count, {});
    moved_ = VectorX::Zero(count);
    direction_ = VectorX::Zero(count);
    first_norm_ = gradient_norm();
    first_largest_ = gradient_.cwiseAbs().maxCoeff();
    if (!gradient_.allFinite()) return;
    measure();
    rate_ = rule_.rate.value_or(first_rate * record_.step_size / options_.time_step);
  }

  SolveRecord end(Outcome outcome) {
    record_.outcome = outcome;
    record_.residual = gradient_norm() / objective_.scale();
    return record_;
  }

  void renew_gradient() { gradient_ = objective_.gradient(q_); }

  double gradient_norm() const {
    return std::sqrt(parallel_sum(gradient_.size(), [&](std::size_t i) {
      const double g = gradient_[static_cast<Eigen::Index>(i)];
      return g * g;
    }));
  }

  /// The motion that the residual would make; returns the terms' own measures of it.
  double measure() {
    VectorX free(gradient_.size());
    parallel_for(gradient_.size(), [&](std::size_t k) {
      const auto i = static_cast<Eigen::Index>(k);
      free[i] = weights_.mass[i] > 0 ? -gradient_[i] / weights_.mass[i] : 0.0;
    });
    const ControlPath path = objective_.coordinates().path(q_, free);
    const Coordinates::Motion motion = objective_.coordinates().largest_motion(path.step, options_.tolerance);
    record_.step_part = motion.part;
    record_.step_size = motion.size;
    record_.worst_control = motion.control;
    return objective_.step_measure(q_, path.step);
  }

  bool has_converged() {
    const double own = measure();
    if (record_.step_part <= 1 && own <= 1) return true;
    const double norm = gradient_norm();
    // What is small as a force at the start may still be all of a light body's motion.
    if (record_.iterations == 0) {
      if (rule_.decrease_tolerance > 0) checked_energy_ = objective_.energy(q_);
      return norm == 0;
    }
    if (norm / objective_.scale() <= rule_.gradient_tolerance) return true;
    if (norm <= rule_.relative_tolerance * first_norm_) return true;
    if (!(rule_.decrease_tolerance > 0)) return false;
    const double energy = energy_ ? energy_->value : objective_.energy(q_);
    const double fell = std::exchange(checked_energy_, energy) - energy;
    // Only steps tell: not a second look at the same place, nor a rise by terms that were changed on the way.
    const bool moved = std::exchange(checked_at_, record_.iterations) < record_.iterations;
    return moved && fell >= 0 && fell <= rule_.decrease_tolerance * std::abs(energy);
  }

  /// The next step goes along the gradient, component by component over what it was.
  void forget_mean() {
    for (AdamwMoments& moments : moments_) moments.first = 0;
    since_mean_ = 0;
  }

  /// The direction by the moments with the gradient in them; returns the slope along it, which is below zero where it
  /// leads downhill.
  double turn() {
    ++since_mean_;
    ++since_square_;
    AdamwIteration now;
    now.beta1 = rule_.beta1;
    now.beta2 = rule_.beta2;
    now.first_correction = 1 - std::pow(rule_.beta1, since_mean_);
    now.second_correction = 1 - std::pow(rule_.beta2, since_square_);
    now.rate = rate_;
    now.epsilon = rule_.epsilon * first_largest_;
    parallel_for(gradient_.size(), [&](std::size_t k) {
      const auto i = static_cast<Eigen::Index>(k);
      const double lever = weights_.lever[i];
      direction_[i] =
          adamw_step(now, gradient_[i], lever > 0 ? options_.time_step / lever : 0.0, moments_[k]);
    });
    return slope();
  }

  double slope() const {
    return parallel_sum(gradient_.size(), [&](std::size_t i) {
      return gradient_[static_cast<Eigen::Index>(i)] * direction_[static_cast<Eigen::Index>(i)];
    });
  }

  /// One iteration; false where there is no lower place.
  bool descend() {
    double downhill = turn();
    if (!(downhill < 0)) {
      forget_mean();
      downhill = turn();
    }
    if (!(downhill < 0)) {
      stalled_ = Outcome::line_search_stalled;
      return false;
    }
    const double decay =
        first_norm_ > 0 ? std::min(rate_ * rule_.weight_decay * gradient_norm() / first_norm_, 1.0) : 0.0;
    const double pull = -decay * gradient_.dot(moved_);
    if (downhill + pull < 0) {
      direction_ -= decay * moved_;
      downhill += pull;
    }
    return search(downhill);
  }

  bool search(double downhill) {
    const ControlPath path = objective_.coordinates().path(q_, direction_);
    const StepLimit limit = objective_.largest_step(path);
    if (limit.step < record_.smallest_step) {
      record_.smallest_step = limit.step;
      record_.smallest_cause = limit.cause;
    }
    ScopedPhase phase(profile_, Phase::line_search);
    if (!energy_) energy_ = objective_.energy_sum(q_);
    Descent descent(objective_, direction_, downhill, *energy_);
    stalled_ = descent.is_finite() ? Outcome::line_search_stalled : Outcome::not_finite;
    if (!descent.is_finite()) return false;
    double fraction = limit.step;
    const double smallest = least_fraction * fraction;
    Vectors there;
    bool reached = objective_.reach(path, smallest, fraction, there);
    while (reached && fraction >= smallest && !descent.leads_to(there)) {
      stop_if_requested(options_.stop);
      fraction /= 2;
      if (fraction >= smallest) reached = objective_.reach(path, smallest, fraction, there);
    }
    rate_ *= rule_.rate_decay;
    if (fraction >= 1) {
      rate_ *= rule_.rate_growth;
    } else if (since_mean_ == 1) {
      rate_ *= shortened * std::min(1.0, 2 * fraction);
    } else {
      rate_ *= shortened;  // the mean may point at a steep wall, which says little of the rate
    }
    if (!reached || !(fraction >= smallest)) return false;
    failures_ = 0;
    q_ = std::move(there);
    moved_ += fraction * direction_;
    energy_ = descent.reached();
    return true;
  }

  Objective& objective_;
  Vectors& q_;
  const AdamwOptions& options_;
  const AdamwRule& rule_;
  Profile& profile_;
  Coordinates::Weights weights_;
  SolveRecord record_;
  VectorX gradient_, direction_;
  VectorX moved_;  ///< of the unknowns, since the solve began
  std::vector<AdamwMoments> moments_;
  int since_mean_ = 0, since_square_ = 0;  ///< iterations since the moments were zero
  int checked_at_ = 0;                     ///< the iteration of the last look at the energy
  int failures_ = 0;                       ///< of searches from fresh moments, in succession
  double rate_ = 0, first_norm_ = 0, first_largest_ = 0, checked_energy_ = 0;
  std::optional<Objective::EnergySum> energy_;  ///< at q, where it is known
  Outcome stalled_ = Outcome::line_search_stalled;
};

}  // namespace

SolveRecord minimise_by_adamw(Objective& objective, Vectors& q, const AdamwOptions& options,
                              Profile& profile) {
  if (objective.coordinates().unknowns() == 0) return {};
  return AdamwSolve(objective, q, options, profile).go();
}

}  // namespace bulwark
