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

#include <Eigen/Geometry>

namespace bulwark {

/// [r] M.
BULWARK_HD inline Matrix3 crossed(const Vector3& r, const Matrix3& M) {
  Matrix3 result;
  for (int j = 0; j < 3; ++j) result.col(j) = r.cross(M.col(j));
  return result;
}

struct RigidPairSum {
  Matrix3 K = Matrix3::Zero();                                               ///< sum of K
  Matrix3 lever_a = Matrix3::Zero(), lever_b = Matrix3::Zero();              ///< of [r] K
  Matrix3 aa = Matrix3::Zero(), ab = Matrix3::Zero(), bb = Matrix3::Zero();  ///< of [r] K [r]^T

  BULWARK_HD void add(const Vector3& r_a, const Vector3& r_b, const Matrix3& contact) {
    const Matrix3 at_a = crossed(r_a, contact), at_b = crossed(r_b, contact);
    K += contact;
    lever_a += at_a;
    lever_b += at_b;
    aa += crossed(r_a, at_a.transpose());
    ab += crossed(r_a, at_b.transpose());
    bb += crossed(r_b, at_b.transpose());
  }
  /// Adds a Hessian in a vector u of body a and a vector v of body b, which turn with them.
  BULWARK_HD void add_vectors(const Vector3& u, const Vector3& v, const Matrix3& uu, const Matrix3& uv,
                              const Matrix3& vv) {
    aa += crossed(u, crossed(u, uu).transpose());
    ab -= crossed(u, crossed(v, uv.transpose()).transpose());
    bb += crossed(v, crossed(v, vv).transpose());
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
