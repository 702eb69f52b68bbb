// Projected Newton with a filtered, backtracking line search.
#pragma once

#include <bulwark/base/stop_request.hpp>
#include <bulwark/solve/linear_solver.hpp>
#include <bulwark/solve/newton_rule.hpp>
#include <bulwark/solve/objective.hpp>
#include <bulwark/solve/solve_record.hpp>

#include <functional>

namespace bulwark {

struct NewtonOptions {
  VectorX tolerance;  ///< per control: largest motion in the Newton step that counts as none (m)
  NewtonRule rule;
  int max_iterations = 1000;
  Psd psd = Psd::clamp;
  /// Called after every accepted step with the new iterate; may change the terms (stiffness). Returning true
  /// ends the solve as converged.
  std::function<bool(const Vectors& q)> after_step;
  /// Gets the linear systems before they are solved.
  std::function<void(const LinearSystem&)> record_system;
  StopRequest stop;  ///< asked in every iteration and trial; a solve that is to stop throws Interrupted
};

/// Minimises the objective from q, which is left at the last good iterate whatever happens.
SolveRecord minimise(Objective& objective, LinearSolver& linear, Vectors& q, const NewtonOptions& options,
                     Profile& profile);

}  // namespace bulwark
