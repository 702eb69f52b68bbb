// Where two pressure fields are equal: a plane in two tetrahedra that overlap, and the polygon of it that lies in
// both.
//   p_A(x) = p_B(x)  is the plane  n . (x - x0) = 0,   n ~ grad p_A - grad p_B
// n points into A, where the pressure of A grows and that of B falls: A is pushed along n, B against it.
#pragma once

#include <bulwark/math/types.hpp>

#include <array>
#include <optional>

namespace bulwark {

/// One tetrahedron of a pressure field, where it is now.
struct PressureCell {
  std::array<Vector3, 4> x;
  std::array<double, 4> pressure;  ///< Pa
};

struct EqualPressure {
  Vector3 center;  ///< centroid of the polygon
  Vector3 normal;  ///< into A
  double area = 0;
  double pressure = 0;              ///< at the center, Pa
  double slope_a = 0, slope_b = 0;  ///< of the pressures, into their bodies, Pa/m; infinite of what is rigid
  Eigen::Vector4d weight_a, weight_b;  ///< barycentric coordinates of the center; of a plane (1, 0, 0, 0)
};

/// None where the two do not meet, or where a pressure does not grow into its body.
std::optional<EqualPressure> equal_pressure(const PressureCell& a, const PressureCell& b);

/// The same with a rigid half-space: the polygon of its surface in the tetrahedron. `normal` points out of it.
std::optional<EqualPressure> pressure_on_plane(const PressureCell& a, const Vector3& point,
                                               const Vector3& normal);

}  // namespace bulwark
