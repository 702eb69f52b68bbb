// Mass, center of mass and second moments of a body given by its surface, wires and points.
//
// A closed, outward oriented surface encloses a solid: with the tetrahedra (0, a, b, c) over its triangles,
// of signed volume v = a . (b x c) / 6 and s = a + b + c,
//   mass = rho sum v,   integral X = rho sum v s / 4,   integral X X^T = rho sum v (s s^T + sum x x^T) / 20.
// What is not closed has a thickness t: a sheet weighs rho t per area, a wire rho pi t^2 / 4 per length, a
// point is a ball of diameter t. The thickness enters the second moments too (t^2/12 across a sheet, t^2/16
// across a wire, t^2/20 in a ball), so that they are never singular. Wires and points with a radius of their own
// are capsules and balls of that.
#pragma once

#include <bulwark/geometry/mesh.hpp>

namespace bulwark {

struct MassMoments {
  double mass = 0;
  double volume = 0;
  Vector3 center = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();  ///< integral of rho (X - center)(X - center)^T
};

/// Whether every edge of the surface belongs to two triangles that pass it in opposite directions, and
/// nothing but triangles is there: then the surface encloses a solid.
bool is_closed(const SurfaceMesh& mesh);

/// Moments of a solid where the surface is closed, of sheets, wires and points of the given thickness where
/// it is not. The mass of a closed surface that is oriented inward is negative.
MassMoments mass_moments(const SurfaceMesh& mesh, double density, double thickness);

/// Inertia tensor about the center, from second moments: tr(S) I - S.
inline Matrix3 inertia_tensor(const Matrix3& second) {
  return second.trace() * Matrix3::Identity() - second;
}

}  // namespace bulwark
