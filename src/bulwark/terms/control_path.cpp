#include <bulwark/math/rotation.hpp>
#include <bulwark/terms/control_path.hpp>

#include <Eigen/Geometry>

namespace bulwark {

Vectors ControlPath::at(double t) const {
  Vectors q = from + t * step;
  for (const Turn& turn : turns) {
    const Matrix3 A = from.middleCols<3>(turn.first_control + 1);
    const Vector3 w = t * turn.rotation;
    for (int k = 0; k < 3; ++k) {
      const Vector3 a = A.col(k), first = w.cross(a);
      // exp([w]) a - a - w x a, added to a + t da.
      const RodriguesCoefficients c = rodrigues_coefficients(w.norm());
      q.col(turn.first_control + 1 + k) += (c.a - 1) * first + c.b * w.cross(first);
    }
  }
  return q;
}

ControlPath ControlPath::part(double t) const {
  ControlPath result = {from, t * step, turns};
  for (Turn& turn : result.turns) turn.rotation *= t;
  return result;
}

}  // namespace bulwark
