// In-plane energy of one triangle of a shell:  volume * psi(F),  volume = area * thickness, with gradient and
// Hessian in its three vertices. F = Ds Dm^-1 is 3x2, from the flat rest triangle into space; C = F^T F, its
// principal stretches are s1 >= s2, J = s1 s2 is the change of area, E = (C - I)/2.
//   psi = mu/2 (tr C - 2) - mu ln J + lambda/2 (ln J)^2 + f(s1) + f(s2)
// is neo-Hookean elasticity for plane stress, mu = Y / (2 (1 + nu)), lambda = Y nu / (1 - nu^2): a triangle
// never loses its area. f is the strain limit, if there is one (strain_limit.hpp). With
//   x = J^2 - 1 = 2 tr E + 4 det E
// the first part is, without cancellation at small strains,
//   mu ((x - ln(1 + x))/2 - 2 det E) + lambda/8 ln(1 + x)^2,    P = F C^-1 (2 mu E + lambda ln J I).
// The Hessian has six eigenmatrices in the frame F = (u1 u2) diag(s1, s2) (v1 v2)^T: two stretches, flip and
// twist in the plane, and for a turn of v_i out of it along n = u1 x u2 the eigenvalue psi_i / s_i, negative
// under compression: this is what makes a sheet buckle.
#pragma once

#include <bulwark/math/symmetric_2x2.hpp>
#include <bulwark/stencils/elastic_models.hpp>
#include <bulwark/stencils/strain_limit.hpp>

#include <Eigen/Geometry>

namespace bulwark {

using Matrix32 = Eigen::Matrix<double, 3, 2>;

struct MembraneRest {
  Matrix2 inverse;  ///< Dm^-1 in an orthonormal frame of the rest triangle, whose first axis is X1 - X0
  double volume;    ///< area * thickness
};

struct MembraneMaterial {
  LameConstants lame;  ///< of plane stress
  StrainLimit limit;
};

BULWARK_HD inline LameConstants plane_stress_constants(double young, double poisson) {
  return {young / (2 * (1 + poisson)), young * poisson / (1 - poisson * poisson)};
}

BULWARK_HD inline MembraneRest membrane_rest(const Vector3* X, double thickness) {
  const Vector3 a = X[1] - X[0], b = X[2] - X[0];
  const double base = a.norm(), along = a.dot(b) / base, height = a.cross(b).norm() / base;
  Matrix2 inverse;
  inverse << 1 / base, -along / (base * height), 0, 1 / height;
  return {inverse, 0.5 * base * height * thickness};
}

BULWARK_HD inline Matrix32 deformation_gradient(const MembraneRest& rest, const Vector3* x) {
  Matrix32 ds;
  ds << x[1] - x[0], x[2] - x[0];
  return ds * rest.inverse;
}

/// Column i: the gradient of vertex i's shape function in the rest triangle.
BULWARK_HD inline Eigen::Matrix<double, 2, 3> shape_gradients(const MembraneRest& rest) {
  Eigen::Matrix<double, 2, 3> b;
  b.rightCols<2>() = rest.inverse.transpose();
  b.col(0) = -(b.col(1) + b.col(2));
  return b;
}

struct Svd32 {
  Matrix3 u;      ///< u1, u2, n
  Vector2 sigma;  ///< descending
  Matrix2 v;
};

BULWARK_HD inline Svd32 svd32(const Matrix32& F) {
  const SymmetricEigen<2> eigen = eigen_of_2x2(F.transpose() * F);
  const int first = eigen.values[0] >= eigen.values[1] ? 0 : 1;
  Svd32 svd;
  svd.v << eigen.vectors.col(first), eigen.vectors.col(1 - first);
  const Vector3 a = F * svd.v.col(0), b = F * svd.v.col(1);
  svd.sigma = {a.norm(), b.norm()};
  // b is orthogonal to a but for rounding, which matters where it is short.
  const Vector3 u1 = a / svd.sigma[0];
  Vector3 u2 = b - u1.dot(b) * u1;
  const double length = u2.norm();
  if (length > 0) {
    u2 /= length;
  } else {
    u2 = u1.unitOrthogonal();
  }
  svd.u << u1, u2, u1.cross(u2);
  return svd;
}

struct MembraneStrain {
  Matrix2 green;         ///< E
  double squared_shift;  ///< x
};

BULWARK_HD inline MembraneStrain membrane_strain(const Matrix32& F) {
  const Matrix2 E = 0.5 * (F.transpose() * F - Matrix2::Identity());
  return {E, 2 * E.trace() + 4 * (E(0, 0) * E(1, 1) - E(0, 1) * E(1, 0))};
}

/// The larger principal stretch.
BULWARK_HD inline double largest_stretch(const Matrix32& F) {
  const Matrix2 C = F.transpose() * F;
  const double mean = 0.5 * C.trace(), half = 0.5 * (C(0, 0) - C(1, 1));
  return std::sqrt(mean + std::sqrt(half * half + C(0, 1) * C(0, 1)));
}

BULWARK_HD inline double membrane_energy(const MembraneRest& rest, const MembraneMaterial& m,
                                         const Vector3* x) {
  const Matrix32 F = deformation_gradient(rest, x);
  const auto [E, shift] = membrane_strain(F);
  if (!(1 + shift > 0)) return std::numeric_limits<double>::infinity();
  const double log_J = 0.5 * std::log1p(shift), det = E(0, 0) * E(1, 1) - E(0, 1) * E(1, 0);
  double psi = m.lame.mu * (0.5 * minus_log1p(shift) - 2 * det) + m.lame.lambda / 2 * log_J * log_J;
  if (m.limit.active()) {
    const Svd32 svd = svd32(F);
    for (int i = 0; i < 2; ++i) psi += strain_limit_energy(m.limit, svd.sigma[i]);
  }
  return rest.volume * psi;
}

/// First Piola-Kirchhoff stress, 3x2.
BULWARK_HD inline Matrix32 membrane_stress(const MembraneMaterial& m, const Matrix32& F) {
  const auto [E, shift] = membrane_strain(F);
  const Matrix2 C = F.transpose() * F;
  Matrix2 adjugate;
  adjugate << C(1, 1), -C(0, 1), -C(1, 0), C(0, 0);
  const double log_J = 0.5 * std::log1p(shift);
  Matrix32 P =
      F * (adjugate / (1 + shift)) * (2 * m.lame.mu * E + m.lame.lambda * log_J * Matrix2::Identity());
  if (m.limit.active()) {
    const Svd32 svd = svd32(F);
    for (int i = 0; i < 2; ++i) {
      const double slope = strain_limit_first_derivative(m.limit, svd.sigma[i]);
      P += slope * svd.u.col(i) * svd.v.col(i).transpose();
    }
  }
  return P;
}

/// One column per vertex.
BULWARK_HD inline Matrix3 membrane_gradient(const MembraneRest& rest, const MembraneMaterial& m,
                                            const Vector3* x) {
  return rest.volume * membrane_stress(m, deformation_gradient(rest, x)) * shape_gradients(rest);
}

BULWARK_HD inline Eigen::Matrix<double, 9, 9> membrane_hessian(const MembraneRest& rest,
                                                               const MembraneMaterial& m, const Vector3* x,
                                                               Psd psd) {
  const Svd32 svd = svd32(deformation_gradient(rest, x));
  const Vector2& s = svd.sigma;
  const double mu = m.lame.mu, lambda = m.lame.lambda;
  const double pressure = lambda * std::log(s[0] * s[1]) - mu;
  const Vector2 slope(strain_limit_first_derivative(m.limit, s[0]),
                      strain_limit_first_derivative(m.limit, s[1]));
  Matrix2 stretch;
  stretch(0, 1) = stretch(1, 0) = lambda / (s[0] * s[1]);
  for (int i = 0; i < 2; ++i) {
    stretch(i, i) = mu + (lambda - pressure) / (s[i] * s[i]) + strain_limit_second_derivative(m.limit, s[i]);
  }
  const double gap = s[0] - s[1];
  const double limit_flip =
      gap > 1e-6 ? (slope[0] - slope[1]) / gap : strain_limit_second_derivative(m.limit, 0.5 * (s[0] + s[1]));
  const double flip = mu - pressure / (s[0] * s[1]) + limit_flip;
  const double twist = mu + pressure / (s[0] * s[1]) + (slope[0] + slope[1]) / (s[0] + s[1]);

  const Matrix2 in_plane = projected_2x2(stretch, psd);
  const double flipped = projected(flip, psd), twisted = projected(twist, psd);
  const double same = 0.5 * (flipped + twisted), other = 0.5 * (flipped - twisted);
  Vector2 out;
  for (int i = 0; i < 2; ++i) out[i] = projected(mu + pressure / (s[i] * s[i]) + slope[i] / s[i], psd);

  // In the frame, the block of the vertices i and j has the coefficients of v_i and v_j in the shape functions'
  // gradients. Those of vertex 0 follow, as nothing changes when all three vertices move together.
  const Matrix2 b = svd.v.transpose() * rest.inverse.transpose();
  auto block = [&](int i, int j) -> Matrix3 {
    const double b00 = b(0, i) * b(0, j), b01 = b(0, i) * b(1, j), b10 = b(1, i) * b(0, j),
                 b11 = b(1, i) * b(1, j);
    Matrix3 local = Matrix3::Zero();
    local(0, 0) = in_plane(0, 0) * b00 + same * b11;
    local(0, 1) = in_plane(0, 1) * b01 + other * b10;
    local(1, 0) = in_plane(1, 0) * b10 + other * b01;
    local(1, 1) = in_plane(1, 1) * b11 + same * b00;
    local(2, 2) = out[0] * b00 + out[1] * b11;
    return rest.volume * (svd.u * local * svd.u.transpose());
  };
  Eigen::Matrix<double, 9, 9> h;
  h.block<3, 3>(3, 3) = block(0, 0);
  h.block<3, 3>(3, 6) = block(0, 1);
  h.block<3, 3>(6, 3) = h.block<3, 3>(3, 6).transpose();
  h.block<3, 3>(6, 6) = block(1, 1);
  h.block<3, 6>(0, 3) = -(h.block<3, 6>(3, 3) + h.block<3, 6>(6, 3));
  h.block<6, 3>(3, 0) = h.block<3, 6>(0, 3).transpose();
  h.block<3, 3>(0, 0) = -(h.block<3, 3>(0, 3) + h.block<3, 3>(0, 6));
  return h;
}

/// A step t in [0, 1] along which the larger stretch keeps a tenth of its distance to the limit. On a line it
/// is a convex function of t, so that a chord never promises too much.
BULWARK_HD inline double membrane_largest_step(const MembraneRest& rest, const StrainLimit& limit,
                                               const Vector3* x, const Vector3* p) {
  const Matrix32 F = deformation_gradient(rest, x), dF = deformation_gradient(rest, p);
  const double start = largest_stretch(F), end = largest_stretch(F + dF);
  if (!(start < limit.stretch)) return 0;
  constexpr double kept = 0.1;
  const double wall = limit.stretch - kept * (limit.stretch - start);
  if (end <= wall) return 1;
  double low = (wall - start) / (end - start), high = 1;
  constexpr int bisections = 20;
  for (int i = 0; i < bisections; ++i) {
    const double middle = 0.5 * (low + high);
    (largest_stretch(F + middle * dF) <= wall ? low : high) = middle;
  }
  return low;
}

}  // namespace bulwark
