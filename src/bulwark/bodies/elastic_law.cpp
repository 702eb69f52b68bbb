#include <bulwark/bodies/elastic_law.hpp>

#include <Eigen/LU>

namespace bulwark {
namespace {

using Matrix6 = Eigen::Matrix<double, 6, 6>;

/// E1, E2, E3, nu12, nu13, nu23, G23, G13, G12 of any material that has parts.
ElasticMaterial with_axes(const ElasticMaterial& m) {
  if (m.model == ElasticModel::orthotropic) return m;
  ElasticMaterial result = m;
  const double shear = lame_constants(m.young, m.poisson).mu;
  result.youngs = {m.young, m.young, m.young};
  result.poissons = {m.poisson, m.poisson, m.poisson};
  result.shears = {shear, shear, shear};
  return result;
}

/// The normal strains by the normal stresses.
Matrix3 compliance(const ElasticMaterial& m) {
  const auto& E = m.youngs;
  const auto& nu = m.poissons;
  Matrix3 s;
  s << 1 / E[0], -nu[0] / E[0], -nu[1] / E[0],  //
      -nu[0] / E[0], 1 / E[1], -nu[2] / E[1],   //
      -nu[1] / E[0], -nu[2] / E[1], 1 / E[2];
  return s;
}

Matrix6 with_shears(const Matrix3& normal, const ElasticMaterial& m) {
  Matrix6 C = Matrix6::Zero();
  C.topLeftCorner<3, 3>() = normal;
  for (int k = 0; k < 3; ++k) C(3 + k, 3 + k) = m.shears[k];
  return C;
}

/// C without what couples strains along a beam or shell with those across.
Matrix6 uncoupled_stiffness(const ElasticMaterial& m, ElementType type) {
  Matrix3 normal = Matrix3::Zero();
  for (int k = 0; k < 3; ++k) normal(k, k) = m.youngs[k];
  if (type == ElementType::ancf_shell)
    normal.topLeftCorner<2, 2>() = compliance(m).topLeftCorner<2, 2>().inverse();
  return with_shears(normal, m);
}

}  // namespace

Matrix3 cauchy_stress(const ElasticLaw& law, const Matrix3& F) {
  return std::visit(
      [&]<class M>(const Law<M>& of) {
        const Matrix3 P = M::stress(of.parameters, F);
        return std::is_same_v<M, LinearElastic> ? P : Matrix3(P * F.transpose() / determinant(F));
      },
      law);
}

double von_mises(const Matrix3& stress) {
  return std::sqrt(1.5) * deviator(stress).norm();
}

Matrix6 orthotropic_stiffness(const ElasticMaterial& material) {
  const ElasticMaterial m = with_axes(material);
  return with_shears(compliance(m).inverse(), m);
}

bool is_stable_orthotropic(const ElasticMaterial& material) {
  return is_positive_definite<3>(compliance(with_axes(material)), 0);
}

int law_part_count(const ElasticMaterial& material, ElementType type) {
  const bool quadratic = material.model == ElasticModel::svk || material.model == ElasticModel::orthotropic;
  return is_ancf(type) && quadratic ? 2 : 1;
}

std::vector<ElasticLaw> law_parts(const ElasticMaterial& m, ElementType type) {
  if (law_part_count(m, type) > 1) {
    const Matrix6 uncoupled = uncoupled_stiffness(with_axes(m), type);
    return {Law<Anisotropic>{{uncoupled}}, Law<Anisotropic>{{orthotropic_stiffness(m) - uncoupled}}};
  }
  const LameConstants lame = lame_constants(m.young, m.poisson);
  switch (m.model) {
    case ElasticModel::neo_hookean:
      return {Law<NeoHookean>{lame}};
    case ElasticModel::fixed_corotational:
      return {Law<FixedCorotational>{lame}};
    case ElasticModel::svk:
      return {Law<SaintVenantKirchhoff>{lame}};
    case ElasticModel::linear_elastic:
      return {Law<LinearElastic>{lame}};
    case ElasticModel::mooney_rivlin:
      return {Law<MooneyRivlin>{{m.c10, m.c01, m.bulk}}};
    case ElasticModel::orthotropic:
      break;
  }
  return {Law<Anisotropic>{{orthotropic_stiffness(m)}}};
}

}  // namespace bulwark
