#include <bulwark/bodies/point_stress.hpp>

#include <cmath>

namespace bulwark {

bool PointStress::is_finite() const {
  return cauchy.allFinite() && second.allFinite() && strain.allFinite() && std::isfinite(energy_density);
}

PointStress point_stress(std::span<const ElasticLaw> parts, const PointDeformation& point,
                         const PointDeformation& middle) {
  PointStress result;
  bool linear = false;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const PointDeformation& at = part == coupling_part ? middle : point;
    std::visit(
        [&]<class M>(const Law<M>& law) {
          linear = std::is_same_v<M, LinearElastic>;
          const Matrix3 axes = has_axes(parts[part]) ? at.axes : Matrix3(Matrix3::Identity());
          const Matrix3 F = at.F * axes;
          const Matrix3 P = M::stress(law.parameters, F);
          const Matrix3 S = linear ? P : Matrix3(inverse_transpose(F).transpose() * P);
          const Matrix3 to = has_axes(parts[part]) ? point.axes : axes;
          result.second += to * S * to.transpose();
          result.energy_density += M::energy(law.parameters, F);
        },
        parts[part]);
  }
  if (linear) {
    result.cauchy = result.second;
    result.strain = LinearElastic::strain(point.F);
    return result;
  }
  result.strain = green_strain(point.F);
  result.cauchy = point.F * result.second * point.F.transpose() / determinant(point.F);
  return result;
}

}  // namespace bulwark
