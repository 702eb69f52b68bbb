// What one time step minimises: 1/2 |q - target|^2_M + scale * sum of terms, over the unknowns that move the
// controls (coordinates.hpp).
#pragma once

#include <bulwark/base/profile.hpp>
#include <bulwark/math/block_matrix.hpp>
#include <bulwark/solve/coordinates.hpp>
#include <bulwark/solve/focus.hpp>
#include <bulwark/terms/term.hpp>

#include <Eigen/SparseCore>
#include <vector>

namespace bulwark {

/// A term with the factor that it counts by.
struct WeightedTerm {
  WeightedTerm(Term* counted, double by = 1) : term(counted), weight(by) {}
  Term* term;
  double weight;
};

class Objective {
 public:
  /// The mass matrix is scalar: it acts alike on x, y and z.
  Objective(const Eigen::SparseMatrix<double>& mass, const VectorX& lever,
            const std::vector<StiffBody>& stiff, Profile& profile);

  /// Begins a time step.
  void begin_step(Vectors target, double scale) {
    assembler_.begin_step();
    for (const WeightedTerm& counted : terms_) counted.term->begin_step();
    target_ = std::move(target);
    scale_ = scale;
    iterations_ = 0;
  }
  /// Goes on in the same step with another target and scale.
  void begin_round(Vectors target, double scale) {
    target_ = std::move(target);
    scale_ = scale;
    iterations_ = 0;
  }
  /// The terms of the sum; the caller keeps them.
  void set_terms(std::vector<WeightedTerm> terms) { terms_ = std::move(terms); }
  void set_followers(std::vector<Follower> followers, std::vector<Follower> placing) {
    coordinates_.set_followers(std::move(followers), std::move(placing));
  }
  void set_roles(std::vector<ControlRole> roles) { coordinates_.set_roles(std::move(roles)); }
  /// The axes along which each control does not move.
  void set_held(const std::vector<HeldAxes>& held) {
    held_ = held;
    coordinates_.set_held(held);
  }
  /// The stiff bodies that a step from q, where the terms are prepared, does not settle (focus.hpp), one flag
  /// each; empty where they are none, or too many to be worth a choice.
  std::vector<char> still_busy(const Vectors& q, const Vectors& step, const VectorX& tolerance);
  /// Lets only the flagged bodies move, and all others stand still until the next call; all move where there
  /// are no flags. The terms are prepared.
  void focus(std::vector<char> moving);
  bool focused() const { return !moving_.empty(); }

  void prepare(const Vectors& q);
  /// Begins an iteration of Newton's method at q, where the terms are prepared, and lets them note the
  /// iterate. Returns the model of the Hessian to go by: the quick one in the first iterations of a time
  /// step, then the thorough one.
  HessianModel begin_iteration(const Vectors& q, Psd psd);
  double energy(const Vectors& q) const { return energy_sum(q).value; }
  /// A sum, and that of its summands' sizes: what rounding is measured by.
  struct EnergySum {
    double value = 0, size = 0;
  };
  EnergySum energy_sum(const Vectors& q) const;
  /// Gradient in the unknowns at q, where the terms are prepared; the Hessian at q may be asked for
  /// afterwards.
  VectorX gradient(const Vectors& q);
  const BlockMatrix& hessian(const Vectors& q, const HessianModel& model);
  /// The two parts of the gradient in the controls: the inertia's, and scale times the terms', but for one of
  /// them.
  Vectors inertia_gradient(const Vectors& q) const;
  Vectors force_gradient(const Vectors& q, const Term* without = nullptr) const;
  /// The norm of a gradient in the controls over the unknowns at q, as a force (N); turns count by their torque (N m).
  double residual(const Vectors& q, const Vectors& gradient);
  StepLimit largest_step(const ControlPath& path);
  /// Lets the terms look ahead along the first `part` of a path from q (Term::foresee). False where they see nothing
  /// new; otherwise renewed_hessian() is the Hessian with what they saw, foreseen_gradient() its gradient at q.
  bool foresee(const ControlPath& path, double part);
  const BlockMatrix& renewed_hessian(const Vectors& q, const HessianModel& model);
  VectorX foreseen_gradient(const Vectors& q) const;
  /// Where the first `part` of a path ends, whose largest_step was asked for. Controls that follow others
  /// have another path for every part: it is filtered again, and the part shortened if need be. False when no
  /// part above `smallest` is free.
  bool reach(const ControlPath& path, double smallest, double& part, Vectors& end);
  /// The largest of the terms' own measures of a step.
  double step_measure(const Vectors& q, const Vectors& dq, std::vector<char>* unresolved = nullptr) const;

  const Coordinates& coordinates() const { return coordinates_; }
  /// The mass matrix's diagonal.
  VectorX control_masses() const { return mass_.diagonal(); }
  double scale() const { return scale_; }

 private:
  /// The Hessian from the blocks of all terms.
  const BlockMatrix& assembled(const Vectors& q, const HessianModel& model);
  /// The inertia's part of the gradient at one control.
  Vector3 inertia_force(const Vectors& q, Eigen::Index control) const;

  Eigen::SparseMatrix<double> mass_;
  Profile& profile_;
  Vectors target_;
  double scale_ = 1;
  int iterations_ = 0;  ///< of Newton's method since the time step began
  std::vector<WeightedTerm> terms_;
  Coordinates coordinates_;
  std::vector<HeldAxes> held_;
  Focus focus_;
  std::vector<char> moving_;  ///< per stiff body, while others stand still; else empty
  Vectors control_gradient_;
  BlockList mass_blocks_;
  std::vector<HessianBlocks> term_blocks_;
  std::vector<char> foreseen_;  ///< per term: whether it has seen something since the last Hessian
  BlockAssembler assembler_;
};

}  // namespace bulwark
