// The models of stencils/elastic_models.hpp with the parameters of a material. The energy of most materials is one such
// law. That of ANCF elements of St. Venant-Kirchhoff or orthotropic material has two parts with integration rules of
// their own: their slopes across can't follow the contraction that bending brings about, so that with all of C at
// every point a beam would bend a third too little at nu = 0.33.
//   1. over the volume: C0, in which normal strains are uncoupled; of a shell, plane stress in its surface
//   2. on the middle line or surface: C - C0, what couples strains along and across
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
