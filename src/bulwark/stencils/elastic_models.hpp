// Isotropic elastic energy densities psi(F): value and first Piola-Kirchhoff stress P = dpsi/dF, and the
// parts of the Hessian in the frame of the singular value decomposition F = U diag(s) V^T, s = principal
// stretches:
//   stretch = d2psi/ds2,   flip_k = (psi_i - psi_j) / (s_i - s_j),   twist_k = (psi_i + psi_j) / (s_i + s_j),
// with (i, j) the two indices beside k, each in a form without the division. J = det F; mu, lambda are Lame's
// constants. A model says what its parameters are (Model::Parameters); those here have Lame's constants.
//
// Stiff materials live at strains of 1e-6 and less, where psi is a tiny difference of large numbers. All
// models are therefore written in the Green strain E = (F^T F - I)/2 or in e = s - 1, without that
// cancellation.
#pragma once

#include <bulwark/base/host_device.hpp>
#include <bulwark/math/svd3.hpp>
#include <bulwark/math/types.hpp>

#include <cmath>
#include <limits>

namespace bulwark {

struct LameConstants {
  double mu, lambda;
};

BULWARK_HD inline LameConstants lame_constants(double young, double poisson) {
  return {young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))};
}

struct PrincipalHessian {
  Matrix3 stretch;
  Vector3 flip, twist;
};

BULWARK_HD inline Matrix3 green_strain(const Matrix3& F) {
  return 0.5 * (F.transpose() * F - Matrix3::Identity());
}

BULWARK_HD inline Vector3 strains(const Vector3& s) {
  return {s[0] - 1, s[1] - 1, s[2] - 1};
}

/// J - 1.
BULWARK_HD inline double volume_change(const Vector3& e) {
  return e[0] + e[1] + e[2] + e[0] * e[1] + e[1] * e[2] + e[2] * e[0] + e[0] * e[1] * e[2];
}

/// x - ln(1 + x), by its series near 0.
BULWARK_HD inline double minus_log1p(double x) {
  if (std::abs(x) > 0.02) return x - std::log1p(x);
  double sum = 0;
  for (int n = 11; n >= 2; --n) sum = (n % 2 == 0 ? 1.0 : -1.0) / n + x * sum;
  return x * x * sum;
}

BULWARK_HD inline double determinant(const Matrix3& a) {
  return a.col(0).dot(a.col(1).cross(a.col(2)));
}

/// The transposed inverse, by cofactors.
BULWARK_HD inline Matrix3 inverse_transpose(const Matrix3& a) {
  Matrix3 cofactors;
  cofactors << a.col(1).cross(a.col(2)), a.col(2).cross(a.col(0)), a.col(0).cross(a.col(1));
  return cofactors / a.col(0).dot(cofactors.col(0));
}

/// psi = mu/2 (tr F^T F - 3) - mu ln J + lambda/2 (ln J)^2; infinite for J <= 0.
/// With the invariants of E and x = J^2 - 1 = 2 I1 + 4 I2 + 8 I3:
///   psi = mu ((x - ln(1 + x))/2 - 2 I2 - 4 I3) + lambda/8 ln(1 + x)^2,   P = F^-T (2 mu E + lambda ln J I).
struct NeoHookean {
  using Parameters = LameConstants;
  static constexpr bool resists_inversion = true;

  BULWARK_HD static double energy(const LameConstants& m, const Matrix3& F) {
    if (!(determinant(F) > 0)) return std::numeric_limits<double>::infinity();
    const Matrix3 E = green_strain(F);
    const double I1 = E.trace(), I2 = 0.5 * (I1 * I1 - E.squaredNorm()), I3 = determinant(E);
    const double x = 2 * I1 + 4 * I2 + 8 * I3;
    const double log_J = 0.5 * std::log1p(x);
    return m.mu * (0.5 * minus_log1p(x) - 2 * I2 - 4 * I3) + m.lambda / 2 * log_J * log_J;
  }
  BULWARK_HD static Matrix3 stress(const LameConstants& m, const Matrix3& F) {
    const Matrix3 E = green_strain(F);
    const double I1 = E.trace(), I2 = 0.5 * (I1 * I1 - E.squaredNorm()), I3 = determinant(E);
    const double log_J = 0.5 * std::log1p(2 * I1 + 4 * I2 + 8 * I3);
    return inverse_transpose(F) * (2 * m.mu * E + m.lambda * log_J * Matrix3::Identity());
  }
  BULWARK_HD static PrincipalHessian hessian(const LameConstants& m, const Vector3& s) {
    const double pressure = m.lambda * std::log1p(volume_change(strains(s))) - m.mu;
    const Vector3 inverse(1 / s[0], 1 / s[1], 1 / s[2]);
    PrincipalHessian h;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) h.stretch(i, j) = m.lambda * inverse[i] * inverse[j];
      h.stretch(i, i) += m.mu - pressure * inverse[i] * inverse[i];
      const double pair = pressure * inverse[(i + 1) % 3] * inverse[(i + 2) % 3];
      h.flip[i] = m.mu - pair;
      h.twist[i] = m.mu + pair;
    }
    return h;
  }
};

/// psi = mu |F - R|^2 + lambda/2 (J - 1)^2, R the rotation in F; |F - R|^2 = sum (s - 1)^2.
struct FixedCorotational {
  using Parameters = LameConstants;
  static constexpr bool resists_inversion = false;

  BULWARK_HD static double energy(const LameConstants& m, const Matrix3& F) {
    const Vector3 e = strains(svd3(F).sigma);
    const double volume = volume_change(e);
    return m.mu * e.squaredNorm() + m.lambda / 2 * volume * volume;
  }
  BULWARK_HD static Matrix3 stress(const LameConstants& m, const Matrix3& F) {
    const Svd3 svd = svd3(F);
    const Vector3& s = svd.sigma;
    const Vector3 e = strains(s);
    const double pressure = m.lambda * volume_change(e);
    const Vector3 principal(2 * m.mu * e[0] + pressure * s[1] * s[2],
                            2 * m.mu * e[1] + pressure * s[0] * s[2],
                            2 * m.mu * e[2] + pressure * s[0] * s[1]);
    return svd.u * principal.asDiagonal() * svd.v.transpose();
  }
  BULWARK_HD static PrincipalHessian hessian(const LameConstants& m, const Vector3& s) {
    const double pressure = m.lambda * volume_change(strains(s));
    const Vector3 dJ(s[1] * s[2], s[0] * s[2], s[0] * s[1]);
    PrincipalHessian h;
    h.stretch = m.lambda * dJ * dJ.transpose();
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      h.stretch(k, k) += 2 * m.mu;
      h.stretch(i, j) += pressure * s[k];
      h.stretch(j, i) += pressure * s[k];
      h.flip[k] = 2 * m.mu - pressure * s[k];
      // The rotation is undefined where s_i + s_j = 0; keep the value finite there.
      const double sum = s[i] + s[j];
      const double safe = std::abs(sum) > 1e-8 ? sum : (sum < 0 ? -1e-8 : 1e-8);
      h.twist[k] = 2 * m.mu * (1 - 2 / safe) + pressure * s[k];
    }
    return h;
  }
};

/// St. Venant-Kirchhoff: psi = lambda/2 (tr E)^2 + mu tr(E^2).
struct SaintVenantKirchhoff {
  using Parameters = LameConstants;
  static constexpr bool resists_inversion = false;

  BULWARK_HD static double energy(const LameConstants& m, const Matrix3& F) {
    const Matrix3 E = green_strain(F);
    return m.lambda / 2 * E.trace() * E.trace() + m.mu * E.squaredNorm();
  }
  BULWARK_HD static Matrix3 stress(const LameConstants& m, const Matrix3& F) {
    const Matrix3 E = green_strain(F);
    return F * (m.lambda * E.trace() * Matrix3::Identity() + 2 * m.mu * E);
  }
  BULWARK_HD static PrincipalHessian hessian(const LameConstants& m, const Vector3& s) {
    const Vector3 e = strains(s);
    const double trace = (e[0] * (2 + e[0]) + e[1] * (2 + e[1]) + e[2] * (2 + e[2])) / 2;
    PrincipalHessian h;
    h.stretch = m.lambda * s * s.transpose();
    for (int k = 0; k < 3; ++k) {
      const double si = s[(k + 1) % 3], sj = s[(k + 2) % 3];
      h.stretch(k, k) += m.lambda * trace + m.mu * (3 * s[k] * s[k] - 1);
      h.flip[k] = m.lambda * trace + m.mu * (si * si + si * sj + sj * sj - 1);
      h.twist[k] = m.lambda * trace + m.mu * (si * si - si * sj + sj * sj - 1);
    }
    return h;
  }
};

}  // namespace bulwark
