// The material of a deformable solid, an ANCF beam or an ANCF shell, as the scene file gives it.
#pragma once

#include <array>
#include <optional>

namespace bulwark {

enum class ElasticModel { neo_hookean, fixed_corotational, svk, linear_elastic, mooney_rivlin, orthotropic };

struct ElasticMaterial {
  ElasticModel model = ElasticModel::neo_hookean;
  double density = 1000;  ///< kg/m^3
  /// Pa. Of models with other parameters, the modulus at small strains (the largest, where it has a direction).
  double young = 1e6;
  double poisson = 0.4;
  double c10 = 0, c01 = 0, bulk = 0;  ///< Pa, of Mooney and Rivlin's model
  /// Of an orthotropic one, along the element's axes 1, 2, 3: E1, E2, E3 (Pa), nu12, nu13, nu23, G23, G13, G12 (Pa).
  std::array<double, 3> youngs = {}, poissons = {}, shears = {};
  double rayleigh_damping = 0;  ///< s: a force of -this times (stiffness matrix) times (velocity)
  double shear_viscosity = 0, bulk_viscosity = 0;  ///< Pa s, of Kelvin and Voigt
  /// m, of ANCF elements: the cross-section of a beam, across its second and third axis; the thickness of a shell is
  /// the height.
  double width = 0, height = 0;
  /// Whether elements keep a positive volume at every point where the model alone lets them invert. Where it is absent
  /// all do but linear tetrahedra.
  std::optional<bool> prevent_inversion = std::nullopt;
  double plane_thickness = 1;  ///< m, of triangles in the plane z = 0: how far they reach along z
  bool plane_stress = false;   ///< of such triangles: no stress along z, instead of no strain
};

}  // namespace bulwark
