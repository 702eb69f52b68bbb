// What one time step minimises: 1/2 |q - target|^2_M + scale * sum of terms, over the free controls.
#pragma once

#include <bulwark/base/profile.hpp>
#include <bulwark/math/block_matrix.hpp>
#include <bulwark/terms/term.hpp>

#include <Eigen/SparseCore>
#include <vector>

namespace bulwark {

class Objective {
 public:
  /// The mass matrix is scalar: it acts alike on x, y and z.
  Objective(const Eigen::SparseMatrix<double>& mass, Profile& profile);

  /// Begins a time step.
  void begin_step(Vectors target, double scale) {
    assembler_.begin_step();
    target_ = std::move(target);
    scale_ = scale;
  }
  /// The terms of the sum; the caller keeps them.
  void set_terms(std::vector<Term*> terms) { terms_ = std::move(terms); }
  /// Controls with fixed[i] != 0 do not move.
  void set_fixed(const std::vector<char>& fixed);

  void prepare(const Vectors& q);
  double energy(const Vectors& q);
  /// Full gradient; entries of fixed controls are zero.
  Vectors gradient(const Vectors& q);
  /// Its two parts, fixed entries included: the inertia's, and scale times the terms', but for one of them.
  Vectors inertia_gradient(const Vectors& q) const { return (mass_ * (q - target_).transpose()).transpose(); }
  Vectors force_gradient(const Vectors& q, const Term* without = nullptr);
  const BlockMatrix& hessian(const Vectors& q, Psd psd);
  StepLimit largest_step(const Vectors& q, const Vectors& dq);
  /// The largest of the terms' own measures of a step.
  double step_measure(const Vectors& q, const Vectors& dq) const;

  const std::vector<int>& free_controls() const { return free_controls_; }
  double scale() const { return scale_; }

 private:
  Eigen::SparseMatrix<double> mass_;
  Profile& profile_;
  Vectors target_;
  double scale_ = 1;
  std::vector<Term*> terms_;
  std::vector<char> fixed_;
  std::vector<int> free_index_, free_controls_;
  BlockList mass_blocks_;
  std::vector<BlockList> term_blocks_;
  BlockAssembler assembler_;
};

}  // namespace bulwark
