// What is known of a joint after a step.
#pragma once

#include <bulwark/math/types.hpp>

namespace bulwark {

/// A joint at the end of a step.
struct JointState {
  double coordinate = 0;  ///< the first one: rad or m, turns counted; 0 where it has none
  double error = 0;       ///< of its equations, m (or without unit, of directions)
  Vector3 force = Vector3::Zero(), torque = Vector3::Zero();  ///< on the first body, at the joint's point
};

}  // namespace bulwark
