// Mass properties of a stiff body that are stated (as measured, or computed elsewhere) instead of integrated
// over its shape. With the inertia tensor J about the center of mass, J = tr(S) I - S, the second moments are
//   S = 1/2 tr(J) I - J,
// and are positive definite exactly when each principal moment of J is less than the sum of the other two.
#pragma once

#include <bulwark/math/types.hpp>

namespace bulwark {

struct GivenMass {
  double mass = 1;                            ///< kg
  Vector3 center = Vector3::Zero();           ///< m, in the body's axes before its pose
  Matrix3 inertia = Matrix3::Identity() / 6;  ///< J, kg m^2, about the center, in the same axes
};

inline Matrix3 second_moment_of(const Matrix3& inertia) {
  return 0.5 * inertia.trace() * Matrix3::Identity() - inertia;
}

/// The least ratio of the smallest to the largest second moment that a body may have: below it the body is as
/// flat as a sheet of a 10000th of its width, and rounding takes over.
inline constexpr double least_moment_ratio = 1e-8;

}  // namespace bulwark
