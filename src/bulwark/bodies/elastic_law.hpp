// The models of stencils/elastic_models.hpp with the parameters of a material. The energy of most materials is one such law; that of ANCF elements of
// St. Venant-Kirchhoff or orthotropic material has two parts, which are integrated by rules of their own: the
// slopes of these elements can't follow the strain that bending brings about across, so that all of C at every point
// would lock (at nu = 0.33, a beam bends a third too little). With the strains uncoupled in C0,
//   C0 of a beam: E1, E2, E3 and the shear moduli on the diagonal;  of a shell: plane stress in its surface, E3, shears
// the first part is C0, over the volume, and the second C - C0, on the middle line or surface.
#pragma once

#include <bulwark/bodies/element.hpp>
#include <bulwark/stencils/elastic_models.hpp>

#include <variant>
#include <vector>

namespace bulwark {

/// A model with its parameters.
template <class M>
struct Law {
  using Model = M;
  typename M::Parameters parameters;
};
using ElasticLaw = std::variant<Law<NeoHookean>, Law<FixedCorotational>, Law<SaintVenantKirchhoff>, Law<LinearElastic>,
                                Law<MooneyRivlin>, Law<Anisotropic>>;

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
