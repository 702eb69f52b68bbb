#include <bulwark/base/parallel.hpp>
#include <bulwark/solve/objective.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace bulwark {

Objective::Objective(const Eigen::SparseMatrix<double>& mass, const VectorX& lever,
                     const std::vector<StiffBody>& stiff, Profile& profile)
    : mass_(mass), profile_(profile), coordinates_(lever, stiff) {
  for (int j = 0; j < mass_.outerSize(); ++j) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(mass_, j); it; ++it) {
      if (it.row() > it.col()) continue;
      mass_blocks_.key.push_back(BlockList::make_key(static_cast<int>(it.row()), static_cast<int>(it.col())));
      mass_blocks_.value.push_back(it.value() * Matrix3::Identity());
    }
  }
}

void Objective::prepare(const Vectors& q) {
  for (const WeightedTerm& counted : terms_) counted.term->prepare(q);
}

HessianModel Objective::begin_iteration(const Vectors& q, Psd psd) {
  ScopedPhase phase(profile_, Phase::assembly);
  // Hard impacts need the bending of the normals too; the quick Hessian stalls there.
  constexpr int quick_iterations = 40;
  for (const WeightedTerm& counted : terms_) counted.term->note_iterate(q);
  return ++iterations_ > quick_iterations ? HessianModel::thorough(psd) : HessianModel::quick(psd);
}

Objective::EnergySum Objective::energy_sum(const Vectors& q) const {
  const double sum = parallel_sum(q.cols(), [&](std::size_t i) {
    const auto column = static_cast<Eigen::Index>(i);
    return 0.5 * (q.col(column) - target_.col(column)).dot(inertia_force(q, column));
  });
  double terms = 0, sizes = 0;
  for (const WeightedTerm& counted : terms_) {
    const double own = counted.weight * counted.term->energy(q);
    terms += own;
    sizes += std::abs(own);
  }
  return {sum + scale_ * terms, sum + scale_ * sizes};
}

Vector3 Objective::inertia_force(const Vectors& q, Eigen::Index control) const {
  // The matrix is symmetric: a column is a row.
  Vector3 force = Vector3::Zero();
  for (Eigen::SparseMatrix<double>::InnerIterator it(mass_, control); it; ++it)
    force += it.value() * (q.col(it.row()) - target_.col(it.row()));
  return force;
}

Vectors Objective::inertia_gradient(const Vectors& q) const {
  Vectors gradient(3, q.cols());
  parallel_for(q.cols(), [&](std::size_t i) {
    gradient.col(static_cast<Eigen::Index>(i)) = inertia_force(q, static_cast<Eigen::Index>(i));
  });
  return gradient;
}

Vectors Objective::force_gradient(const Vectors& q, const Term* without) const {
  Vectors gradient = Vectors::Zero(3, q.cols());
  for (const WeightedTerm& counted : terms_) {
    if (counted.term == without) continue;
    if (counted.weight == 1) {
      counted.term->add_gradient(q, gradient);
      continue;
    }
    Vectors own = Vectors::Zero(3, q.cols());
    counted.term->add_gradient(q, own);
    gradient += counted.weight * own;
  }
  return scale_ * gradient;
}

VectorX Objective::gradient(const Vectors& q) {
  ScopedPhase phase(profile_, Phase::assembly);
  coordinates_.linearise(q);
  control_gradient_ = force_gradient(q) + inertia_gradient(q);
  return coordinates_.reduced(control_gradient_);
}

double Objective::residual(const Vectors& q, const Vectors& gradient) {
  coordinates_.linearise(q);
  return coordinates_.reduced(gradient).norm() / scale_;
}

const BlockMatrix& Objective::hessian(const Vectors& q, const HessianModel& model) {
  ScopedPhase phase(profile_, Phase::assembly);
  term_blocks_.resize(terms_.size());
  foreseen_.assign(terms_.size(), 0);
  for (std::size_t t = 0; t < terms_.size(); ++t)
    terms_[t].term->hessian(q, model, coordinates_.map(), term_blocks_[t]);
  return assembled(q, model);
}

const BlockMatrix& Objective::assembled(const Vectors& q, const HessianModel& model) {
  std::vector<BlockAssembler::Source> sources = {{&mass_blocks_, 1.0}};
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    const double factor = scale_ * terms_[t].weight;
    sources.push_back({&term_blocks_[t].controls, factor});
    sources.push_back({&term_blocks_[t].unknowns, factor, true});
  }
  BlockMatrix& hessian = assembler_.assemble(sources, coordinates_.map());
  coordinates_.complete(q, control_gradient_, model.psd, hessian);
  return hessian;
}

bool Objective::foresee(const ControlPath& path, double part) {
  bool any = false;
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    if (!terms_[t].term->foresee(path, part)) continue;
    foreseen_[t] = 1;
    any = true;
  }
  return any;
}

const BlockMatrix& Objective::renewed_hessian(const Vectors& q, const HessianModel& model) {
  ScopedPhase phase(profile_, Phase::assembly);
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    if (std::exchange(foreseen_[t], 0))
      terms_[t].term->hessian(q, model, coordinates_.map(), term_blocks_[t]);
  }
  return assembled(q, model);
}

double Objective::step_measure(const Vectors& q, const Vectors& dq, std::vector<char>* unresolved) const {
  double largest = 0;
  for (const WeightedTerm& counted : terms_)
    largest = std::max(largest, counted.term->step_measure(q, dq, unresolved));
  return largest;
}

namespace {

/// Fewer bodies than these are not worth a choice.
constexpr std::size_t fewest_bodies = 50;
/// Part of the bodies above which all may as well move.
constexpr double largest_part = 0.7;
/// A choice that is not smaller by this is not worth a change.
constexpr double worth_leaving = 0.5;

bool are_few(std::size_t moving, std::size_t all) {
  return static_cast<double>(moving) <= largest_part * static_cast<double>(all);
}

std::size_t number_of(const std::vector<char>& moving) {
  return static_cast<std::size_t>(std::count(moving.begin(), moving.end(), 1));
}

}  // namespace

std::vector<char> Objective::still_busy(const Vectors& q, const Vectors& step, const VectorX& tolerance) {
  const std::vector<StiffBody>& stiff = coordinates_.stiff();
  if (coordinates_.any_followers() || stiff.size() < fewest_bodies) return {};
  std::vector<double> motion(stiff.size());
  std::size_t busy = 0;
  for (std::size_t b = 0; b < stiff.size(); ++b) {
    motion[b] = Coordinates::motion_of(stiff[b], step) / tolerance[stiff[b].first_control];
    if (motion[b] > 1) ++busy;
  }
  if (!are_few(busy, stiff.size())) return {};
  if (moving_.empty()) focus_.set_neighbours(stiff, assembler_.matrix(), coordinates_.map());
  std::vector<char> unresolved(q.cols(), 0);
  step_measure(q, step, &unresolved);
  for (std::size_t b = 0; b < stiff.size(); ++b) {
    const auto first = unresolved.begin() + stiff[b].first_control;
    if (std::find(first, first + 4, 1) != first + 4) motion[b] = std::max(motion[b], 2.0);
  }
  std::vector<char> moving = focus_.choose(motion);
  const std::size_t count = number_of(moving);
  if (count == 0 || !are_few(count, stiff.size())) return {};
  return moving;
}

void Objective::focus(std::vector<char> moving) {
  if (moving == moving_) return;
  const std::vector<StiffBody>& stiff = coordinates_.stiff();
  if (!moving.empty() && !moving_.empty()) {
    const bool fewer = std::equal(moving.begin(), moving.end(), moving_.begin(), std::less_equal<>());
    if (fewer &&
        static_cast<double>(number_of(moving)) > worth_leaving * static_cast<double>(number_of(moving_)))
      return;
  }
  moving_ = std::move(moving);
  std::vector<HeldAxes> held = held_;
  for (std::size_t b = 0; b < moving_.size(); ++b) {
    if (!moving_[b]) std::fill_n(held.begin() + stiff[b].first_control, 4, all_axes);
  }
  coordinates_.set_held(held);
  for (const WeightedTerm& counted : terms_) counted.term->focus(coordinates_.map(), moving_.empty());
}

VectorX Objective::foreseen_gradient(const Vectors& q) const {
  Vectors gradient = Vectors::Zero(3, q.cols());
  for (const WeightedTerm& counted : terms_) {
    Vectors own = Vectors::Zero(3, q.cols());
    counted.term->add_foreseen_gradient(own);
    gradient += counted.weight * own;
  }
  return coordinates_.reduced(scale_ * gradient);
}

StepLimit Objective::largest_step(const ControlPath& path) {
  StepLimit limit;
  for (const WeightedTerm& counted : terms_) {
    // Each term sees only what the others left of the path.
    const StepLimit own =
        limit.step < 1 ? counted.term->largest_step(path.part(limit.step)) : counted.term->largest_step(path);
    if (own.step < 1) limit = {own.step * limit.step, own.cause};
  }
  return limit;
}

bool Objective::reach(const ControlPath& path, double smallest, double& part, Vectors& end) {
  if (!coordinates_.any_followers()) {
    end = path.at(part);
    return true;
  }
  ControlPath own = path;
  for (bool filtered = part >= 1; !filtered;) {
    if (part < smallest) return false;
    own = coordinates_.followed(path.part(part));
    const double allowed = largest_step(own).step;
    filtered = allowed >= 1;
    if (!filtered) part *= allowed;
  }
  end = own.at(1);
  coordinates_.follow(end);
  return true;
}

}  // namespace bulwark
