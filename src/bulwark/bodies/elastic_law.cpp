#include <bulwark/bodies/elastic_law.hpp>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>

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

/// What twists a beam, over what would twist it if its section stayed plane. By scaling the height, that of a section whose
/// shear moduli differ is found from that of one with equal ones.
double twist_share(const ElasticMaterial& m, double width, double height) {
  const double along_width = m.shears[2], along_height = m.shears[1];
  const double scale = std::sqrt(along_width / along_height);
  const double plane = width * height * (along_height * width * width + along_width * height * height) / 12;
  return along_height / scale * torsion_constant(width, height * scale) / plane;
}

std::vector<ElasticLaw> ancf_parts(const ElasticMaterial& m, ElementType type, const Vector3& size) {
  const bool beam = type == ElementType::ancf_beam;
  constexpr double shear_factor = 5.0 / 6;
  constexpr int of_23 = 3, of_13 = 4, of_12 = 5;  // places of the shears in C
  Matrix6 bending = Matrix6::Zero(), section = Matrix6::Zero(), shear = Matrix6::Zero();
  // Shear across along a side of the length L, where the body is `thick` in its direction; `stiffness` is that of stretching.
  auto add_shear = [&](int place, double modulus, double length, double thick, double stiffness) {
    const double corrected = shear_factor * modulus;
    shear(place, place) += corrected / (1 + corrected * length * length / (stiffness * thick * thick));
  };
  const Matrix3 normal = compliance(m).inverse();
  if (beam) {
    bending(0, 0) = m.youngs[0];
    const double twist = twist_share(m, size[1], size[2]);
    for (const int place : {of_13, of_12}) {
      const double modulus = m.shears[place - 3];
      bending(place, place) = twist * modulus;
      shear(place, place) = -twist * modulus;
      add_shear(place, modulus, size[0], place == of_13 ? size[2] : size[1], m.youngs[0]);
    }
    section(of_23, of_23) = m.shears[0];
  } else {
    bending.topLeftCorner<2, 2>() = compliance(m).topLeftCorner<2, 2>().inverse();
    bending(of_12, of_12) = m.shears[2];
    add_shear(of_13, m.shears[1], size[0], size[2], bending(0, 0));
    add_shear(of_23, m.shears[0], size[1], size[2], bending(1, 1));
  }
  section.topLeftCorner<3, 3>() = normal - bending.topLeftCorner<3, 3>();
  return {Law<Anisotropic>{{bending}}, Law<Anisotropic>{{section}}, Law<Anisotropic>{{shear}}};
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

double torsion_constant(double width, double height) {
  const double a = std::max(width, height), b = std::min(width, height);
  constexpr double pi = std::numbers::pi;
  double sum = 0;
  for (int n = 1; n < 40; n += 2) sum += std::tanh(n * pi * a / (2 * b)) / std::pow(n, 5);
  return a * b * b * b * (1.0 / 3 - 64 / std::pow(pi, 5) * b / a * sum);
}

bool has_law_parts(const ElasticMaterial& material, ElementType type) {
  const bool quadratic = material.model == ElasticModel::svk || material.model == ElasticModel::orthotropic;
  return is_ancf(type) && quadratic;
}

bool has_plane_stress(ElasticModel model) {
  return model == ElasticModel::svk || model == ElasticModel::linear_elastic;
}

double stretch_without_stress(const ElasticMaterial& m, const Matrix3& F) {
  const LameConstants lame = lame_constants(m.young, m.poisson);
  const double ratio = lame.lambda / (lame.lambda + 2 * lame.mu);
  if (m.model == ElasticModel::linear_elastic) return 1 - ratio * (F(0, 0) + F(1, 1) - 2);
  const Matrix3 strain = green_strain(F);
  return std::sqrt(1 - 2 * ratio * (strain(0, 0) + strain(1, 1)));
}

std::vector<ElasticLaw> law_parts(const ElasticMaterial& m, ElementType type, const Vector3& size) {
  if (has_law_parts(m, type)) return ancf_parts(with_axes(m), type, size);
  LameConstants lame = lame_constants(m.young, m.poisson);
  if (m.plane_stress && is_planar(type)) lame.lambda *= 2 * lame.mu / (lame.lambda + 2 * lame.mu);
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
