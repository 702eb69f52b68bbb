#include <bulwark/solve/objective.hpp>

namespace bulwark {

Objective::Objective(const Eigen::SparseMatrix<double>& mass, Profile& profile)
    : mass_(mass), profile_(profile) {
  for (int j = 0; j < mass_.outerSize(); ++j) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(mass_, j); it; ++it) {
      if (it.row() > it.col()) continue;
      mass_blocks_.key.push_back(BlockList::make_key(static_cast<int>(it.row()), static_cast<int>(it.col())));
      mass_blocks_.value.push_back(it.value() * Matrix3::Identity());
    }
  }
  set_fixed(std::vector<char>(mass_.rows(), 0));
}

void Objective::set_fixed(const std::vector<char>& fixed) {
  if (fixed == fixed_ && !free_index_.empty()) return;
  fixed_ = fixed;
  free_index_.assign(fixed.size(), -1);
  free_controls_.clear();
  for (std::size_t i = 0; i < fixed.size(); ++i) {
    if (fixed[i]) continue;
    free_index_[i] = static_cast<int>(free_controls_.size());
    free_controls_.push_back(static_cast<int>(i));
  }
}

void Objective::prepare(const Vectors& q) {
  for (Term* term : terms_) term->prepare(q);
}

double Objective::energy(const Vectors& q) {
  const Vectors away = q - target_;
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const VectorX component = away.row(axis).transpose();
    sum += 0.5 * component.dot(mass_ * component);
  }
  double terms = 0;
  for (Term* term : terms_) terms += term->energy(q);
  return sum + scale_ * terms;
}

Vectors Objective::force_gradient(const Vectors& q, const Term* without) {
  Vectors gradient = Vectors::Zero(3, q.cols());
  for (Term* term : terms_) {
    if (term != without) term->add_gradient(q, gradient);
  }
  return scale_ * gradient;
}

Vectors Objective::gradient(const Vectors& q) {
  ScopedPhase phase(profile_, Phase::assembly);
  Vectors gradient = force_gradient(q) + inertia_gradient(q);
  for (std::size_t i = 0; i < fixed_.size(); ++i) {
    if (fixed_[i]) gradient.col(i).setZero();
  }
  return gradient;
}

const BlockMatrix& Objective::hessian(const Vectors& q, Psd psd) {
  ScopedPhase phase(profile_, Phase::assembly);
  term_blocks_.resize(terms_.size());
  std::vector<BlockAssembler::Source> sources = {{&mass_blocks_, 1.0}};
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    terms_[t]->hessian(q, psd, term_blocks_[t]);
    sources.push_back({&term_blocks_[t], scale_});
  }
  return assembler_.assemble(sources, free_index_, static_cast<int>(free_controls_.size()));
}

double Objective::step_measure(const Vectors& q, const Vectors& dq) const {
  double largest = 0;
  for (const Term* term : terms_) largest = std::max(largest, term->step_measure(q, dq));
  return largest;
}

StepLimit Objective::largest_step(const Vectors& q, const Vectors& dq) {
  StepLimit limit;
  for (Term* term : terms_) {
    // Each term sees only what the others left of the step.
    const StepLimit own = term->largest_step(q, limit.step * dq);
    if (own.step < 1) limit = {own.step * limit.step, own.cause};
  }
  return limit;
}

}  // namespace bulwark
