// Everything that changes from step to step. Saving it and loading it back continues a run bit by bit.
#pragma once

#include <bulwark/math/types.hpp>

#include <cstdint>

namespace bulwark {

struct State {
  std::int64_t step = 0;
  double time = 0;
  Vectors position, velocity, acceleration;      ///< of the controls
  Vectors previous_position, previous_velocity;  ///< one step earlier; empty before the first (BDF-2)
  double barrier_stiffness = 0;                  ///< of the last solve, J/m^4; 0 before the first
  VectorX joint_coordinates;                     ///< m or rad, turns counted
  VectorX joint_multipliers;                     ///< N or N m, of the first coordinates; 0 for the others
};

}  // namespace bulwark
