#include <bulwark/bodies/point_stress.hpp>

#include <cmath>

namespace bulwark {

bool PointStress::is_finite() const {
  return cauchy.allFinite() && second.allFinite() && strain.allFinite() && std::isfinite(energy_density);
}

namespace {

/// Adds the second stress and the energy that a law has at `from`, by the share; components along the material's axes
/// are those at `to`.
void add_stress(const ElasticLaw& law, const PointDeformation& from, const PointDeformation& to, double share,
                PointStress& sum) {
  std::visit(
      [&]<class M>(const Law<M>& of) {
        const bool in_axes = has_axes(law);
        const Matrix3 F = in_axes ? Matrix3(from.F * from.axes) : from.F;
        const Matrix3 P = M::stress(of.parameters, F);
        Matrix3 S = std::is_same_v<M, LinearElastic> ? P : Matrix3(inverse_transpose(F).transpose() * P);
        if (in_axes) S = to.axes * S * to.axes.transpose();
        sum.second += share * S;
        sum.energy_density += share * M::energy(of.parameters, F);
      },
      law);
}

void set_cauchy(const PointDeformation& point, PointStress& stress) {
  stress.strain = green_strain(point.F);
  stress.cauchy = point.F * stress.second * point.F.transpose() / determinant(point.F);
}

}  // namespace

PointStress point_stress(const ElasticLaw& law, const PointDeformation& point) {
  PointStress result;
  add_stress(law, point, point, 1, result);
  if (std::holds_alternative<Law<LinearElastic>>(law)) {
    result.cauchy = result.second;
    result.strain = LinearElastic::strain(point.F);
  } else {
    set_cauchy(point, result);
  }
  return result;
}

PointStress point_stress(std::span<const ElasticLaw> parts, const PointDeformation& point,
                         const PointDeformation& middle, std::span<const SharedDeformation> nodes) {
  PointStress result;
  add_stress(parts[bending_part], point, point, 1, result);
  for (const SharedDeformation& node : nodes)
    add_stress(parts[section_part], node.at, point, node.share, result);
  add_stress(parts[shear_part], middle, point, 1, result);
  set_cauchy(point, result);
  return result;
}

}  // namespace bulwark
