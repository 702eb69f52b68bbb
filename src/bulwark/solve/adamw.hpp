// AdamW, a minimiser of the first order: steps along a gradient whose components are divided by what they were before
// (adamw_rule.hpp). It needs no Hessian and no linear solve, but many more iterations than Newton's method.
//
// The steps are filtered like those of Newton's method, and halved until the objective does not rise. Where one was shortened the
// rate falls, otherwise it grows; where the step does not lead downhill the weight decay is left out, then the gradients'
// mean is forgotten. The moments are zero when a solve begins. The decay is in proportion to the gradient's norm, so that it
// does not move the minimum.
//
// A solve has converged when the motion that the residual forces would make within the step, if nothing but the masses resisted, is
// within the tolerance of Newton's method, as are the terms' own measures of it. As all convex terms only add to
// the masses' resistance, that motion is above the Newton step, as a rule, and the rule the stricter one.
#pragma once

#include <bulwark/base/stop_request.hpp>
#include <bulwark/solve/adamw_rule.hpp>
#include <bulwark/solve/objective.hpp>
#include <bulwark/solve/solve_record.hpp>

#include <functional>

namespace bulwark {

struct AdamwOptions {
  AdamwRule rule;
  double time_step = 1;    ///< s: what makes a speed a motion
  VectorX tolerance;       ///< per control: largest motion by the residual that counts as none (m)
  int max_iterations = 1;  ///< of this solve
  /// Called after every accepted step with the new iterate; may change the terms (stiffness). Returning true
  /// ends the solve as converged.
  std::function<bool(const Vectors& q)> after_step;
  StopRequest stop;  ///< asked in every iteration and trial; a solve that is to stop throws Interrupted
};

/// Minimises the objective from q, which is left at the last good iterate whatever happens.
SolveRecord minimise_by_adamw(Objective& objective, Vectors& q, const AdamwOptions& options,
                              Profile& profile);

}  // namespace bulwark
