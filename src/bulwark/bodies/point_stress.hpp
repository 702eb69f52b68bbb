// Stress and strain at one point of a solid element, by the laws of its material. In the axes of the rest shape,
//   E = (F^T F - I) / 2,   S = F^-1 P,   sigma = F S F^T / J,
// with P = dpsi/dF and psi the energy by volume at rest. For linear elasticity all three stresses are P and the
// strain is the small one, sym(F) - I.
//
// Materials in parts (elastic_law.hpp) have each part's stress where that part counts: that of bending at the point, that of
// shear on the middle line or surface beside it, that of the section as the mean of the element's nodes; the components
// along the material's axes add up.
#pragma once

#include <bulwark/bodies/elastic_law.hpp>

#include <span>

namespace bulwark {

/// How an element deforms at a point.
struct PointDeformation {
  Matrix3 F = Matrix3::Identity();
  Matrix3 axes = Matrix3::Identity();  ///< of the material, at rest
};

struct PointStress {
  Matrix3 cauchy = Matrix3::Zero(), second = Matrix3::Zero();  ///< sigma and S (Pa)
  Matrix3 strain = Matrix3::Zero();                            ///< E
  double energy_density = 0;                                   ///< psi (J/m^3)

  /// Not where a law has no stress, such as in an inverted element.
  bool is_finite() const;
};

/// Of a material that is one law.
PointStress point_stress(const ElasticLaw& law, const PointDeformation& point);

/// The deformation at one of an element's nodes, with its share in the point.
struct SharedDeformation {
  PointDeformation at;
  double share;
};
/// Of a material in parts.
PointStress point_stress(std::span<const ElasticLaw> parts, const PointDeformation& point,
                         const PointDeformation& middle, std::span<const SharedDeformation> nodes);

}  // namespace bulwark
