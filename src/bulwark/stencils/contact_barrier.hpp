// The barrier energy of one contact pair:  k e b(D - xi^2),  with e the edge mollifier (1 for all other
// pairs) and k the pair's strength (J/m^4), and its derivatives. Energy and gradient are made of the barrier
// in the difference of the closest points (NormalBarrier), which is known once for all of them.
//
// With the sliding frame of closest_points.hpp the Hessian of phi(D) is
//   (4 phi'' D + 2 phi') (w x r^)(w x r^)^T + 2 phi' sum_rest (w x e)(w x e)^T
//     - 2 phi' sum_k [ (w x q_k)(omega_k x r)^T + transposed + (omega_k x r)(omega_k x r)^T ]
// (x: Kronecker product). It lives in a space of at most five dimensions, plus "rest" directions that only
// push down where phi' < 0, so that the projection to a semi-definite matrix costs a 5x5 eigenproblem instead of a 12x12
// one.
#pragma once

#include <bulwark/math/psd.hpp>
#include <bulwark/stencils/barrier.hpp>
#include <bulwark/stencils/closest_points.hpp>
#include <bulwark/stencils/edge_mollifier.hpp>

namespace bulwark {

using Vector12 = Eigen::Matrix<double, 12, 1>;
using Matrix12 = Eigen::Matrix<double, 12, 12>;

/// The barrier of a point and a plane, whose distance has a sign.
BULWARK_HD inline NormalBarrier plane_barrier(const ClosestPoints& c, const Vector3& normal,
                                              const BarrierRange& range) {
  NormalBarrier b = normal_barrier(c.squared_distance(), range);
  if (!(c.r.dot(normal) > 0)) b.energy = std::numeric_limits<double>::infinity();
  return b;
}

/// Of a mollified pair, `strength` has the mollifier in it: where that is zero, what is infinite stays so.
BULWARK_HD inline double contact_energy(const NormalBarrier& b, double strength) {
  return b.energy < std::numeric_limits<double>::infinity() ? strength * b.energy : b.energy;
}

/// Gradient with respect to the pair's vertices; entries past 3 * c.vertices are zero.
BULWARK_HD inline Vector12 contact_gradient(const ClosestPoints& c, const NormalBarrier& b, double strength) {
  const Vector3 g = strength * b.slope * c.r;
  Vector12 all;
  for (int i = 0; i < 4; ++i) all.segment<3>(3 * i) = c.weight[i] * g;
  return all;
}

/// The barrier's curvature along the normal, in the difference of the closest points; none where a pair is
/// taken off (strength < 0), as it is never negative.
BULWARK_HD inline Matrix3 contact_normal_hessian(const ClosestPoints& c, const NormalBarrier& b,
                                                 double strength) {
  return (strength > 0 ? strength : 0.0) * b.curvature * c.r * c.r.transpose();
}

/// Hessian of phi(D) for first and second derivatives phi1 and phi2.
BULWARK_HD inline Matrix12 distance_function_hessian(const SlidingPoints& c, double phi1, double phi2,
                                                     Psd psd) {
  const double D = c.squared_distance();
  const double d = std::sqrt(D);
  const Vector3 normal = c.r / d;
  const double weight_norm = c.weight.norm();

  // Orthonormal basis f of span{w, omega_1, omega_2} in the space of weights, and omega in it.
  Eigen::Matrix<double, 4, 3> f = Eigen::Matrix<double, 4, 3>::Zero();
  f.col(0) = c.weight / weight_norm;
  Eigen::Matrix<double, 3, 2> omega_f = Eigen::Matrix<double, 3, 2>::Zero();
  for (int k = 0; k < c.parameters; ++k) {
    Eigen::Vector4d rest = c.omega.col(k);
    for (int pass = 0; pass < 2; ++pass) {
      for (int j = 0; j <= k; ++j) {
        const double along = f.col(j).dot(rest);
        omega_f(j, k) += along;
        rest -= along * f.col(j);
      }
    }
    const double length = rest.norm();
    if (length > 1e-12 * c.omega.col(k).norm()) {
      f.col(k + 1) = rest / length;
      omega_f(k + 1, k) = length;
    }
  }

  // The Hessian in the basis (f_0 x r^, f_1 x r^, f_2 x r^, w^ x q_1, w^ x q_2).
  Eigen::Matrix<double, 5, 5> s = Eigen::Matrix<double, 5, 5>::Zero();
  s(0, 0) = (4 * phi2 * D + 2 * phi1) * weight_norm * weight_norm;
  for (int k = 0; k < c.parameters; ++k) {
    const Vector3 o = d * omega_f.col(k);
    s.topLeftCorner<3, 3>() -= 2 * phi1 * o * o.transpose();
    s.block<3, 1>(0, 3 + k) -= 2 * phi1 * weight_norm * o;
    s.block<1, 3>(3 + k, 0) -= 2 * phi1 * weight_norm * o.transpose();
  }
  if (c.parameters == 0) {
    s(0, 0) = projected(s(0, 0), psd);
  } else {
    s = projected<5>(s, psd);
  }

  Matrix12 h;
  for (int j = 0; j < 4; ++j) {
    // Rows (f_j. , w_j): the coefficients of vertex j on the normal and sliding directions.
    const double wj = c.weight[j] / weight_norm;
    for (int i = 0; i <= j; ++i) {
      const double wi = c.weight[i] / weight_norm;
      const Eigen::RowVector3d fi = f.row(i), fj = f.row(j);
      const double nn = fi * s.topLeftCorner<3, 3>() * fj.transpose();
      const Eigen::RowVector2d nq = fi * s.topRightCorner<3, 2>() * wj;
      const Vector2 qn = wi * (s.bottomLeftCorner<2, 3>() * fj.transpose());
      const Matrix2 qq = wi * wj * s.bottomRightCorner<2, 2>();
      Matrix3 block = nn * normal * normal.transpose();
      block += normal * (nq * c.q.transpose()) + (c.q * qn) * normal.transpose();
      block += c.q * qq * c.q.transpose();
      h.block<3, 3>(3 * i, 3 * j) = block;
      if (i != j) h.block<3, 3>(3 * j, 3 * i) = block.transpose();
    }
  }

  // Directions in which neither the closest points slide nor the distance changes to first order.
  const double rest_value = projected(2 * phi1, psd);
  if (!c.fixed_normal && c.parameters < 2 && rest_value != 0) {
    Matrix3 rest = Matrix3::Identity() - normal * normal.transpose();
    if (c.parameters == 1) rest -= c.q.col(0) * c.q.col(0).transpose();
    for (int j = 0; j < 4; ++j) {
      for (int i = 0; i < 4; ++i) {
        h.block<3, 3>(3 * i, 3 * j) += rest_value * c.weight[i] * c.weight[j] * rest;
      }
    }
  }
  return h;
}

/// Per unit of strength; of a pair that is taken off, `sign` is -1 (shared_features.hpp).
BULWARK_HD inline Matrix12 contact_hessian(const SlidingPoints& c, const BarrierRange& range, Psd psd,
                                           double sign = 1) {
  const double D = range.argument(c.squared_distance());
  return distance_function_hessian(c, sign * barrier_first_derivative(D, range.end()),
                                   sign * barrier_second_derivative(D, range.end()), psd);
}

/// Projects a 12x12 Hessian that does not change when all four vertices move together: 9 dimensions suffice.
BULWARK_HD inline Matrix12 projected_translation_invariant(const Matrix12& h, Psd psd) {
  if (psd == Psd::none) return h;
  // Orthonormal columns, each orthogonal to (1,1,1,1).
  const double basis[4][3] = {{0.5, 0.5, 0.5}, {0.5, -0.5, -0.5}, {-0.5, 0.5, -0.5}, {-0.5, -0.5, 0.5}};
  Eigen::Matrix<double, 9, 9> reduced = Eigen::Matrix<double, 9, 9>::Zero();
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
          reduced.block<3, 3>(3 * a, 3 * b) += basis[i][a] * basis[j][b] * h.block<3, 3>(3 * i, 3 * j);
        }
      }
    }
  }
  // Mostly there is nothing to project, and a Cholesky factorisation shows it at a tenth of the cost.
  if (is_positive_definite<9>(reduced, 1e-12 * reduced.trace())) return h;
  const Eigen::Matrix<double, 9, 9> clamped = projected<9>(reduced, psd);
  Matrix12 result = Matrix12::Zero();
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
          result.block<3, 3>(3 * i, 3 * j) += basis[i][a] * basis[j][b] * clamped.block<3, 3>(3 * a, 3 * b);
        }
      }
    }
  }
  return result;
}

/// A mollified edge-edge pair: vertices x0 x1; x2 x3, closest features of any kind, threshold eps. Its energy
/// is that of the strength times the mollifier.
BULWARK_HD inline Vector12 mollified_contact_gradient(const Vector3* x, const ClosestPoints& c, double eps,
                                                      const NormalBarrier& b, double strength) {
  const MollifierGradient m = edge_mollifier_gradient(x, eps);
  const double energy = strength * b.energy;
  Vector12 g = contact_gradient(c, b, strength * m.value);
  g.segment<3>(0) -= energy * m.u;
  g.segment<3>(3) += energy * m.u;
  g.segment<3>(6) -= energy * m.v;
  g.segment<3>(9) += energy * m.v;
  return g;
}

/// Per unit of strength.
BULWARK_HD inline Matrix12 mollified_contact_hessian(const Vector3* x, const SlidingPoints& c, double eps,
                                                     const BarrierRange& range, Psd psd) {
  const MollifierDerivatives m = edge_mollifier_derivatives(x, eps);
  const NormalBarrier b = normal_barrier(c.squared_distance(), range);
  const Vector12 gradient = contact_gradient(c, b, 1);
  Matrix12 h = b.energy * m.hessian;
  h += m.gradient * gradient.transpose() + gradient * m.gradient.transpose();
  h += m.value * contact_hessian(c, range, Psd::none);
  return projected_translation_invariant(h, psd);
}

}  // namespace bulwark
