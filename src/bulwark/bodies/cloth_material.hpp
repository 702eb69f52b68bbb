// The material of a shell, as the scene file gives it.
#pragma once

#include <limits>

namespace bulwark {

struct ClothMaterial {
  double density = 300;        ///< kg/m^3
  double thickness = 5e-4;     ///< m; of mass and stiffness, not of contact
  double young = 1e5;          ///< Pa, in the plane
  double poisson = 0.3;        ///<
  double bending_young = 1e4;  ///< Pa, of bending
  double strain_limit = std::numeric_limits<double>::infinity();  ///< largest stretch; infinite for none
  double rayleigh_damping = 0;  ///< s: a force of -this times (stiffness matrix) times (velocity)

  /// D = Y_b t^3 / (12 (1 - nu^2)), J.
  double bending_stiffness() const {
    return bending_young * thickness * thickness * thickness / (12 * (1 - poisson * poisson));
  }
};

}  // namespace bulwark
