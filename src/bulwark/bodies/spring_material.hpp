// The material of springs between particles, as the scene file gives it.
#pragma once

namespace bulwark {

struct SpringMaterial {
  double stiffness = 1000;      ///< N/m, of each spring
  double rayleigh_damping = 0;  ///< s: a force of -this times (stiffness matrix) times (velocity)
};

}  // namespace bulwark
