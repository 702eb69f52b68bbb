// The models of stencils/elastic_models.hpp with the parameters of a material. The energy of most materials is one such
// law. That of ANCF elements of St. Venant-Kirchhoff or orthotropic material has three parts with integration rules of
// their own, or the elements would lock: their slopes across can follow neither the contraction that bending brings
// about (with all of C at every point a beam bends a third too little at nu = 0.33), nor the turning of the middle
// surface within an element (which then counts as shear).
//   1. over the volume: normal strains, uncoupled; of a shell, plane stress in its surface and the shear G12 in it
//   2. on the middle line or surface: what couples normal strains along and across
//   3. at two points along each side: the shears across, of a beam all shears
#pragma once

#include <bulwark/bodies/element.hpp>
#include <bulwark/stencils/elastic_models.hpp>

#include <cstddef>
#include <variant>
#include <vector>

namespace bulwark {

/// A model with its parameters.
template <class M>
struct Law {
  using Model = M;
  typename M::Parameters parameters;
};
using ElasticLaw = std::variant<Law<NeoHookean>, Law<FixedCorotational>, Law<SaintVenantKirchhoff>,
                                Law<LinearElastic>, Law<MooneyRivlin>, Law<Anisotropic>>;

/// The part that counts on the middle line or surface.
inline constexpr std::size_t coupling_part = 1;
int law_part_count(const ElasticMaterial& material, ElementType type);
std::vector<ElasticLaw> law_parts(const ElasticMaterial& material, ElementType type);

/// Whether the law counts strains along the element's own axes.
inline bool has_axes(const ElasticLaw& law) {
  return std::holds_alternative<Law<Anisotropic>>(law);
}

/// The Cauchy stress P F^T / J, of linear elasticity the stress itself (Pa).
Matrix3 cauchy_stress(const ElasticLaw& law, const Matrix3& F);
double von_mises(const Matrix3& stress);

/// C of an orthotropic material, or of an isotropic one by `young` and `poisson` (Pa).
Eigen::Matrix<double, 6, 6> orthotropic_stiffness(const ElasticMaterial& material);
/// Whether C is that of a stable material: positive definite.
bool is_stable_orthotropic(const ElasticMaterial& material);

}  // namespace bulwark
