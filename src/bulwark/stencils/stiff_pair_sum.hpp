// Hessians of the contacts between two rigid or two affine bodies, summed over all contacts of the pair.
//
// A contact Hessian K (3x3, symmetric) acts in the difference x_a - x_b of two material points. A point of a
// rigid body moves by dx = dc + dw x r with the body's center c and rotation w, r = x - c, so that the
// Hessian of the pair in (c_a, w_a; c_b, w_b) has the blocks
//   K        K [r_a]^T         -K         -K [r_b]^T
//            [r_a] K [r_a]^T   -[r_a] K   -[r_a] K [r_b]^T
//                               K          K [r_b]^T
//                                          [r_b] K [r_b]^T
// with [r] v = r x v. A point of an affine body is sum_i s_i e_i over its four controls, and the blocks are
// s_i s_j K.
#pragma once

#include <bulwark/base/host_device.hpp>
#include <bulwark/math/types.hpp>

namespace bulwark {

// The sums are written out in numbers: 3x3 matrices that pass through memory in halves and wholes would cost
// more than all their products.
struct RigidPairSum {
  Matrix3 K = Matrix3::Zero();                                               ///< sum of K
  Matrix3 lever_a = Matrix3::Zero(), lever_b = Matrix3::Zero();              ///< of [r] K
  Matrix3 aa = Matrix3::Zero(), ab = Matrix3::Zero(), bb = Matrix3::Zero();  ///< of [r] K [r]^T

  BULWARK_HD void add(const Vector3& r_a, const Vector3& r_b, const Matrix3& contact) {
    double at_a[3][3], at_b[3][3];  // columns of [r] K
    for (int j = 0; j < 3; ++j) {
      const double x = contact(0, j), y = contact(1, j), z = contact(2, j);
      cross(r_a, x, y, z, at_a[j]);
      cross(r_b, x, y, z, at_b[j]);
      for (int i = 0; i < 3; ++i) {
        K(i, j) += contact(i, j);
        lever_a(i, j) += at_a[j][i];
        lever_b(i, j) += at_b[j][i];
      }
    }
    for (int j = 0; j < 3; ++j) {
      add_cross(r_a, at_a[0][j], at_a[1][j], at_a[2][j], aa, j);
      add_cross(r_a, at_b[0][j], at_b[1][j], at_b[2][j], ab, j);
      add_cross(r_b, at_b[0][j], at_b[1][j], at_b[2][j], bb, j);
    }
  }
  /// Adds a Hessian in a vector u of body a and a vector v of body b, which turn with them.
  BULWARK_HD void add_vectors(const Vector3& u, const Vector3& v, const Matrix3& uu, const Matrix3& uv,
                              const Matrix3& vv) {
    double at_u[3][3], at_v[3][3], mutual[3][3];  // columns of [u] uu, [v] vv and [v] uv^T
    for (int j = 0; j < 3; ++j) {
      cross(u, uu(0, j), uu(1, j), uu(2, j), at_u[j]);
      cross(v, vv(0, j), vv(1, j), vv(2, j), at_v[j]);
      cross(v, -uv(j, 0), -uv(j, 1), -uv(j, 2), mutual[j]);
    }
    for (int j = 0; j < 3; ++j) {
      add_cross(u, at_u[0][j], at_u[1][j], at_u[2][j], aa, j);
      add_cross(u, mutual[0][j], mutual[1][j], mutual[2][j], ab, j);
      add_cross(v, at_v[0][j], at_v[1][j], at_v[2][j], bb, j);
    }
  }

 private:
  BULWARK_HD static void cross(const Vector3& r, double x, double y, double z, double* result) {
    result[0] = r[1] * z - r[2] * y;
    result[1] = r[2] * x - r[0] * z;
    result[2] = r[0] * y - r[1] * x;
  }
  BULWARK_HD static void add_cross(const Vector3& r, double x, double y, double z, Matrix3& sum, int column) {
    sum(0, column) += r[1] * z - r[2] * y;
    sum(1, column) += r[2] * x - r[0] * z;
    sum(2, column) += r[0] * y - r[1] * x;
  }
};

struct AffinePairSum {
  using Symmetric = Eigen::Matrix<double, 6, 1>;                           ///< xx, xy, xz, yy, yz, zz
  Eigen::Matrix<double, 6, 10> aa = Eigen::Matrix<double, 6, 10>::Zero();  ///< i <= j, by rows
  Eigen::Matrix<double, 6, 10> bb = Eigen::Matrix<double, 6, 10>::Zero();
  Eigen::Matrix<double, 6, 16> ab = Eigen::Matrix<double, 6, 16>::Zero();  ///< by rows

  BULWARK_HD void add(const Eigen::Vector4d& s_a, const Eigen::Vector4d& s_b, const Matrix3& contact) {
    Symmetric k;
    k << contact(0, 0), contact(0, 1), contact(0, 2), contact(1, 1), contact(1, 2), contact(2, 2);
    int own = 0, mutual = 0;
    for (int i = 0; i < 4; ++i) {
      const Symmetric at_a = s_a[i] * k, at_b = s_b[i] * k;
      for (int j = i; j < 4; ++j, ++own) {
        aa.col(own) += s_a[j] * at_a;
        bb.col(own) += s_b[j] * at_b;
      }
      for (int j = 0; j < 4; ++j, ++mutual) ab.col(mutual) += s_b[j] * at_a;
    }
  }

  BULWARK_HD static Matrix3 block(const Symmetric& k) {
    Matrix3 m;
    m << k[0], k[1], k[2], k[1], k[3], k[4], k[2], k[4], k[5];
    return m;
  }
};

}  // namespace bulwark
