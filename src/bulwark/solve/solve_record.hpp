// What a solve leaves, whichever method did it.
#pragma once

#include <bulwark/solve/outcome.hpp>
#include <bulwark/terms/step_limit.hpp>

namespace bulwark {

/// How a solve went.
struct SolveRecord {
  Outcome outcome = Outcome::converged;
  int iterations = 0, linear_solves = 0;
  int linear_iterations = 0;  ///< of conjugate gradients in them
  double step_part = 0;       ///< largest motion of any point in the last Newton step over its tolerance
  double step_size = 0;       ///< that motion (m); of AdamW, the motion that the residual would make
  double residual = 0;        ///< norm of the gradient where it was last computed, as a force (N)
  int worst_control = -1;     ///< and where it was
  double smallest_step = 1;   ///< smallest step that a filter allowed in a line search
  LimitCause smallest_cause;  ///< and what did
};

}  // namespace bulwark
