// The material of a deformable solid, as the scene file gives it.
#pragma once

#include <string>

namespace bulwark {

enum class ElasticModel { neo_hookean, fixed_corotational, svk, linear_elastic };

struct ElasticMaterial {
  ElasticModel model = ElasticModel::neo_hookean;
  double density = 1000;  ///< kg/m^3
  double young = 1e6;     ///< Pa
  double poisson = 0.4;
  double rayleigh_damping = 0;  ///< s: a force of -this times (stiffness matrix) times (velocity)
  double shear_viscosity = 0, bulk_viscosity = 0;  ///< Pa s, of Kelvin and Voigt
};

}  // namespace bulwark
