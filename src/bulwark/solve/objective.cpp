#include <bulwark/solve/objective.hpp>

namespace bulwark {

Objective::Objective(const Eigen::SparseMatrix<double>& mass, const std::vector<StiffBody>& stiff,
                     Profile& profile)
    : mass_(mass), profile_(profile), coordinates_(static_cast<int>(mass.rows()), stiff) {
  for (int j = 0; j < mass_.outerSize(); ++j) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(mass_, j); it; ++it) {
      if (it.row() > it.col()) continue;
      mass_blocks_.key.push_back(BlockList::make_key(static_cast<int>(it.row()), static_cast<int>(it.col())));
      mass_blocks_.value.push_back(it.value() * Matrix3::Identity());
    }
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

VectorX Objective::gradient(const Vectors& q) {
  ScopedPhase phase(profile_, Phase::assembly);
  coordinates_.linearise(q);
  control_gradient_ = force_gradient(q) + inertia_gradient(q);
  return coordinates_.reduced(control_gradient_);
}

const BlockMatrix& Objective::hessian(const Vectors& q, Psd psd) {
  ScopedPhase phase(profile_, Phase::assembly);
  term_blocks_.resize(terms_.size());
  std::vector<BlockAssembler::Source> sources = {{&mass_blocks_, 1.0}};
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    terms_[t]->hessian(q, psd, coordinates_.map(), term_blocks_[t]);
    sources.push_back({&term_blocks_[t].controls, scale_});
    sources.push_back({&term_blocks_[t].unknowns, scale_, true});
  }
  BlockMatrix& hessian = assembler_.assemble(sources, coordinates_.map());
  coordinates_.complete(q, control_gradient_, psd, hessian);
  return hessian;
}

bool Objective::bound_curvature(bool on) {
  bool any = false;
  for (Term* term : terms_) any |= term->bound_curvature(on);
  return any;
}

double Objective::step_measure(const Vectors& q, const Vectors& dq) const {
  double largest = 0;
  for (const Term* term : terms_) largest = std::max(largest, term->step_measure(q, dq));
  return largest;
}

StepLimit Objective::largest_step(const ControlPath& path) {
  StepLimit limit;
  for (Term* term : terms_) {
    // Each term sees only what the others left of the path.
    const StepLimit own =
        limit.step < 1 ? term->largest_step(path.part(limit.step)) : term->largest_step(path);
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
