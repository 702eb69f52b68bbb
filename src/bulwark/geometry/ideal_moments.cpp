#include <bulwark/geometry/ideal_moments.hpp>

#include <cmath>
#include <numbers>

namespace bulwark {
namespace {

constexpr double pi = std::numbers::pi;

/// At density 1, where x, y and z are the second moments about the center per volume.
MassMoments moments(double volume, const Vector3& squares, const Vector3& center = Vector3::Zero()) {
  MassMoments result;
  result.volume = result.mass = volume;
  result.center = center;
  result.second = volume * squares.asDiagonal().toDenseMatrix();
  return result;
}

struct Ideal {
  using Result = std::optional<MassMoments>;

  /// A rounded box: the inner box, slabs on its sides, quarters of cylinders along its edges and eighths of a
  /// ball at its corners.
  Result operator()(const BoxShape& s) const {
    const double r = s.rounding;
    if (!(r > 0)) return {};
    const Vector3 half = 0.5 * s.sides - Vector3::Constant(r);
    std::vector<MassMoments> parts = {moments(8 * half.prod(), half.cwiseAbs2() / 3)};
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      Vector3 slab = half.cwiseAbs2() / 3;
      slab[i] = half[i] * half[i] + half[i] * r + r * r / 3;
      parts.push_back(moments(8 * half[j] * half[k] * r, slab));
      // Across a quarter of a disc from its corner: the mean distance is 4 r / (3 pi), its mean square r^2 / 4.
      const auto across = [&](int axis) {
        return half[axis] * half[axis] + 8 / (3 * pi) * half[axis] * r + r * r / 4;
      };
      Vector3 edge;
      edge[i] = half[i] * half[i] / 3;
      edge[j] = across(j);
      edge[k] = across(k);
      parts.push_back(moments(2 * pi * r * r * half[i], edge));
    }
    // Of an eighth of a ball, the mean distance from each of its flat sides is 3/8 r, its mean square r^2 / 5.
    const Vector3 corner = (half.array().square() + 0.75 * r * half.array() + r * r / 5).matrix();
    parts.push_back(moments(4.0 / 3 * pi * r * r * r, corner));
    return sum_of(parts);
  }
  Result operator()(const SphereShape& s) const {
    const double r = s.radius;
    return moments(4.0 / 3 * pi * r * r * r, Vector3::Constant(r * r / 5));
  }
  Result operator()(const CylinderShape& s) const {
    const double r = s.radius, h = s.height;
    return moments(pi * r * r * h, {r * r / 4, h * h / 12, r * r / 4});
  }
  Result operator()(const CapsuleShape& s) const {
    const double r = s.radius, half = s.height / 2 - r;  // of the straight part
    const MassMoments side = moments(2 * pi * r * r * half, {r * r / 4, half * half / 3, r * r / 4});
    // Half balls whose flat sides are at +-half, and whose centers of mass are 3/8 r further out.
    const double along = r * r / 5 + 0.75 * r * half + half * half;
    const MassMoments ends = moments(4.0 / 3 * pi * r * r * r, {r * r / 5, along, r * r / 5});
    return sum_of({side, ends});
  }
  Result operator()(const ConeShape& s) const {
    const double r = s.radius, h = s.height;
    return moments(pi * r * r * h / 3, {3 * r * r / 20, 3 * h * h / 80, 3 * r * r / 20}, {0, -h / 4, 0});
  }
  Result operator()(const TorusShape& s) const { return (*this)(RingShape{s.major, s.minor, 0}); }
  /// Two halves of a torus, each moved along x by half the length, and two rods along x.
  Result operator()(const RingShape& s) const {
    const double a = s.major, b = s.minor, half = s.length / 2;
    const double volume = 2 * pi * pi * a * b * b;
    const double flat = a * a / 2 + 3 * b * b / 8;
    const double center_of_half = 2 * pi * b * b * (a * a + b * b / 4) / (volume / 2);
    const MassMoments bends =
        moments(volume, {flat + 2 * half * center_of_half + half * half, b * b / 4, flat});
    const MassMoments sides = moments(4 * pi * b * b * half, {half * half / 3, b * b / 4, a * a + b * b / 4});
    return sum_of({bends, sides});
  }
  template <class Other>
  Result operator()(const Other&) const {
    return {};
  }
};

}  // namespace

std::optional<MassMoments> ideal_moments(const Shape& shape) {
  return std::visit(Ideal{}, shape);
}

MassMoments transformed(const Pose& pose, const MassMoments& moments) {
  const Matrix3 map = pose.rotation * pose.scale.asDiagonal();
  const double growth = pose.scale.prod();
  MassMoments result;
  result.volume = growth * moments.volume;
  result.mass = growth * moments.mass;
  result.center = pose.position + map * moments.center;
  result.second = growth * map * moments.second * map.transpose();
  return result;
}

MassMoments sum_of(const std::vector<MassMoments>& parts) {
  MassMoments sum;
  for (const MassMoments& part : parts) {
    sum.volume += part.volume;
    sum.mass += part.mass;
    sum.center += part.mass * part.center;
  }
  if (sum.mass != 0) sum.center /= sum.mass;
  for (const MassMoments& part : parts) {
    const Vector3 offset = part.center - sum.center;
    sum.second += part.second + part.mass * offset * offset.transpose();
  }
  return sum;
}

}  // namespace bulwark
