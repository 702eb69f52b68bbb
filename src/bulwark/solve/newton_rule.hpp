// Rules by the gradient that end a solve of Newton's method beside its own, the size of the Newton step (newton.hpp).
#pragma once

namespace bulwark {

/// The scene's `solver.newton`. A rule that is 0 is off; any one that holds ends a solve.
struct NewtonRule {
  double gradient_tolerance = 0;  ///< N: norm of the gradient
  double relative_tolerance = 0;  ///< the same, over that at the solve's start
};

}  // namespace bulwark
