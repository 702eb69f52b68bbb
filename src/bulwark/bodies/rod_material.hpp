// The material of a rod with a round cross-section, as the scene file gives it.
#pragma once

#include <numbers>

namespace bulwark {

struct RodMaterial {
  double density = 1000;        ///< kg/m^3
  double radius = 1e-3;         ///< m; of mass and stiffness, not of contact
  double young = 1e6;           ///< Pa, of stretching
  double bending_young = 1e6;   ///< Pa
  double twisting_shear = 4e5;  ///< Pa
  double rayleigh_damping = 0;  ///< s: a force of -this times (stiffness matrix) times (velocity)

  double area() const { return std::numbers::pi * radius * radius; }
  double stretching_stiffness() const { return young * area(); }                               ///< N
  double bending_stiffness() const { return bending_young * area() * radius * radius / 4; }    ///< EI, N m^2
  double twisting_stiffness() const { return twisting_shear * area() * radius * radius / 2; }  ///< GJ, N m^2
};

}  // namespace bulwark
