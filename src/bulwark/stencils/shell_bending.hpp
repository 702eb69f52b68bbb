// Bending energy of one triangle of a shell, from the dihedral angles at its three edges. The angles' changes
// since rest, d_i = theta_i - rest_i, make a curvature that is constant over the triangle,
//   Lambda = sum_i d_i / (2 A l_i) t_i t_i^T,   t_i = edge i turned by a right angle, of length l_i,
// and that has the energy of a plate,
//   V = A D/2 [(1 - nu) tr(Lambda^2) + nu (tr Lambda)^2] = 1/2 d^T K d,   D = Y_b t^3 / (12 (1 - nu^2)),
//   K_ij = D/(4 A) [(1 - nu) (e_i . e_j)^2 / (l_i l_j) + nu l_i l_j].
// The angles belong to hinges that two triangles share: a hinge's slope is the sum of both triangles' (K
// d)_i, V is half of the sum of slope times d over all hinges, and its Hessian is that of each hinge with its
// slope (dihedral_angle.hpp) plus G K G^T of each triangle, G its angles' gradients. What of K is diagonal
// anyway goes to the hinges, where the two can balance before they are projected. This is discrete shells
// with the coupling between a triangle's edges kept. Without it (one energy per edge) a sheet on a grid of
// squares gives way between the edges, and bends a fifth too easily.
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

/// A triangle at rest. Its hinges' angles count with the sign that each has from the triangle's side, 0 for a
/// free edge.
struct BendingRest {
  Matrix3 K;
  Matrix3 coupling;  ///< K less what the hinges have of its diagonal
  Vector3 own;       ///< that
};

BULWARK_HD inline BendingRest bending_rest(const Vector3* X, double stiffness, double poisson,
                                           const double* sign) {
  const Matrix3 K = bending_coupling(X, stiffness, poisson);
  const double part = removable_diagonal(K);
  BendingRest rest;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double signs = sign[i] * sign[j];
      rest.K(i, j) = K(i, j) * signs;
      rest.coupling(i, j) = K(i, j) * (signs * (i == j ? 1 - part : 1));
    }
    rest.own[i] = part * rest.K(i, i);
  }
  return rest;
}

/// Adds the triangle's part to the slopes of its hinges, K d.
BULWARK_HD inline void add_bending_slopes(const BendingRest& rest, const Vector3& d, Vector3& slopes) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) slopes[i] += rest.K(i, j) * d[j];
  }
}

/// A hinge's part of the energy.
BULWARK_HD inline double bending_energy(double slope, double d) {
  return 0.5 * slope * d;
}

/// The triangle's part of the Hessian over its six vertices, from its three angles' gradients there.
BULWARK_HD inline Eigen::Matrix<double, 18, 18> bending_hessian(const BendingRest& rest,
                                                                const Eigen::Matrix<double, 18, 3>& G) {
  const Eigen::Matrix<double, 18, 3> product = G.lazyProduct(rest.coupling);
  return product.lazyProduct(G.transpose());
}

}  // namespace bulwark
