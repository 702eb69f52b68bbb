// Bending energy of one triangle of a shell, from the dihedral angles at its three edges. The angles' changes
// since rest, d_i = theta_i - rest_i, make a curvature that is constant over the triangle,
//   Lambda = sum_i d_i / (2 A l_i) t_i t_i^T,   t_i = edge i turned by a right angle, of length l_i,
// and that has the energy of a plate,
//   V = A D/2 [(1 - nu) tr(Lambda^2) + nu (tr Lambda)^2] = 1/2 d^T K d,   D = Y_b t^3 / (12 (1 - nu^2)),
//   K_ij = D/(4 A) [(1 - nu) (e_i . e_j)^2 / (l_i l_j) + nu l_i l_j].
// This is discrete shells with the coupling between a triangle's edges kept. Without it (one energy per edge)
// a sheet on a grid of squares gives way between the edges, and bends a fifth too easily.
#pragma once

#include <bulwark/math/psd.hpp>

#include <Eigen/Geometry>

namespace bulwark {

/// K of a triangle with the vertices X at rest; edge i runs from X[i] to X[i + 1].
BULWARK_HD inline Matrix3 bending_coupling(const Vector3* X, double stiffness, double poisson) {
  const Vector3 e[3] = {X[1] - X[0], X[2] - X[1], X[0] - X[2]};
  const double area = 0.5 * e[0].cross(e[1]).norm();
  Matrix3 K;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double lengths = e[i].norm() * e[j].norm(), along = e[i].dot(e[j]);
      K(i, j) = stiffness / (4 * area) * ((1 - poisson) * along * along / lengths + poisson * lengths);
    }
  }
  return K;
}

/// The largest part r of K's diagonal that can be taken away with K - r diag(K) still semi-definite.
BULWARK_HD inline double removable_diagonal(const Matrix3& K) {
  Matrix3 scaled;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) scaled(i, j) = K(i, j) / std::sqrt(K(i, i) * K(j, j));
  }
  const Vector3 values = jacobi_eigen<3>(scaled).values;
  const double smallest = values.minCoeff();
  return smallest > 0 ? smallest : 0;
}

}  // namespace bulwark
