// The force of a contact patch within one step, as an energy of u, the displacement of the first body against the
// second at the patch since the step began. n is the patch's normal out of the second body, P = I - n n^T.
//   normal:     N = max(0, F - k n.u),                 F at the step's start, k the stiffness of spring and dashpot
//   tangential: T = T_0 + k_t P u, shortened to |T| <= L, L from Coulomb's law;  and the drag D = r P u of what sticks
// The force on the first body is N n - T - D, and the energy
//   phi(N) + psi(T) + r/2 |P u|^2,   phi = (N^2 - F^2)/(2k),   psi = |T|^2/(2 k_t) up to L, and L (|T| - L/2)/k_t beyond,
// is convex. A dashpot's resistance c enters k and r as c/h: in a step of length h it moves by v h.
#pragma once

#include <bulwark/base/host_device.hpp>
#include <bulwark/math/types.hpp>

#include <cmath>

namespace bulwark {

struct PatchSpring {
  Vector3 normal;
  double force;                 ///< F, N
  double stiffness;             ///< k, N/m; above 0
  Vector3 traction;             ///< T_0, N, across the normal
  double tangential_stiffness;  ///< k_t, N/m; above 0 where there is a limit
  double limit;                 ///< L, N; 0 where nothing rubs
  double drag;                  ///< r, N/m
};

BULWARK_HD inline double patch_normal_force(const PatchSpring& s, const Vector3& u) {
  const double force = s.force - s.stiffness * s.normal.dot(u);
  return force > 0 ? force : 0;
}

/// T before it is shortened.
BULWARK_HD inline Vector3 patch_trial_traction(const PatchSpring& s, const Vector3& u) {
  return s.traction + s.tangential_stiffness * (u - s.normal.dot(u) * s.normal);
}

/// T + D.
BULWARK_HD inline Vector3 patch_traction(const PatchSpring& s, const Vector3& u) {
  const Vector3 drag = s.drag * (u - s.normal.dot(u) * s.normal);
  if (!(s.limit > 0)) return drag;
  const Vector3 trial = patch_trial_traction(s, u);
  const double size = trial.norm();
  return drag + (size > s.limit ? s.limit / size : 1.0) * trial;
}

BULWARK_HD inline double patch_energy(const PatchSpring& s, const Vector3& u) {
  const double force = patch_normal_force(s, u);
  const double along = s.normal.dot(u), across = (u - along * s.normal).squaredNorm();
  double energy = 0.5 * (force - s.force) * (force + s.force) / s.stiffness + 0.5 * s.drag * across;
  if (s.limit > 0) {
    const double size = patch_trial_traction(s, u).norm();
    energy +=
        (size > s.limit ? s.limit * (size - 0.5 * s.limit) : 0.5 * size * size) / s.tangential_stiffness;
  }
  return energy;
}

BULWARK_HD inline Vector3 patch_gradient(const PatchSpring& s, const Vector3& u) {
  return patch_traction(s, u) - patch_normal_force(s, u) * s.normal;
}

/// Never negative.
BULWARK_HD inline Matrix3 patch_hessian(const PatchSpring& s, const Vector3& u) {
  const Matrix3 along = s.normal * s.normal.transpose();
  Matrix3 h = Matrix3::Zero();
  if (patch_normal_force(s, u) > 0) h += s.stiffness * along;
  const Matrix3 across = Matrix3::Identity() - along;
  h += s.drag * across;
  if (!(s.limit > 0)) return h;
  const Vector3 trial = patch_trial_traction(s, u);
  const double size = trial.norm();
  if (size <= s.limit) {
    h += s.tangential_stiffness * across;
  } else {
    h += (s.tangential_stiffness * s.limit / size) * (across - trial * trial.transpose() / (size * size));
  }
  return h;
}

}  // namespace bulwark
