// The models of stencils/elastic_models.hpp with the parameters of a material. The energy of most materials is one such
// law. That of ANCF elements of St. Venant-Kirchhoff or orthotropic material is that of a beam or shell, in parts with
// integration rules of their own (energy_rule): slopes across are linear in the element, so that with all of C at every
// point it could follow neither the contraction that bending brings about nor a curvature that changes.
//   bending_part    over the volume: E1 of a beam and its twist, plane stress in the surface of a shell
//   section_part    at the nodes: what is left of C's normal strains, which keeps the section to Poisson's effect. It is
//                   least, zero, where that is as free as beam and shell theory have it
//   shear_part      on the middle line or surface, shear across. Its modulus k G, k = 5/6, is made so soft that it has the
//                   deflection which linear slopes lack (MacNeal's residual bending flexibility, 1978):
//                   1/(k G) + L^2 / (E t^2), with the length L of the element and its thickness t
// A beam's section stays plane where a real one warps: the shear of its twist, which is what the shear at a point has
// more than that on the middle line, counts by the factor that makes it Saint-Venant's.
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
using ElasticLaw = std::variant<Law<NeoHookean>, Law<FixedCorotational>, Law<SaintVenantKirchhoff>,
                                Law<LinearElastic>, Law<MooneyRivlin>, Law<Anisotropic>>;

inline constexpr int bending_part = 0, section_part = 1, shear_part = 2;
bool has_law_parts(const ElasticMaterial& material, ElementType type);
/// `size` is length, width and height of an ANCF element.
std::vector<ElasticLaw> law_parts(const ElasticMaterial& material, ElementType type, const Vector3& size);

/// Whether `plane_stress` is known of the model: of those that are linear in a strain, where the stress along z vanishes
/// by a smaller first Lame constant, lambda* = 2 lambda mu / (lambda + 2 mu).
bool has_plane_stress(ElasticModel model);
/// F_33 of a planar element whose material has plane stress, from the rest of F.
double stretch_without_stress(const ElasticMaterial& material, const Matrix3& F);

/// Saint-Venant's torsion constant of a rectangle (m^4): a twist of k (1/m) needs the torque G J k.
double torsion_constant(double width, double height);

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
