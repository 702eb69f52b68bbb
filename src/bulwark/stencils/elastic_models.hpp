// Isotropic elastic energy densities as functions of the principal stretches s = (s0, s1, s2), with the
// eigenvalues of the Hessian in the deformation gradient that mix two of them:
//   flip(i,j)  = (psi_i - psi_j) / (s_i - s_j),   twist(i,j) = (psi_i + psi_j) / (s_i + s_j),
// each in a form without the division (k is the third index). J = s0 s1 s2; mu, lambda are Lame's constants.
#pragma once

#include <bulwark/base/host_device.hpp>
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

/// Stiff materials live at strains of 1e-6 and less, where psi is a tiny difference of large numbers. All models
/// are therefore written in e = s - 1, without that cancellation.
BULWARK_HD inline Vector3 strains(const Vector3& s) {
  return {s[0] - 1, s[1] - 1, s[2] - 1};
}

/// J - 1.
BULWARK_HD inline double volume_change(const Vector3& e) {
  return e[0] + e[1] + e[2] + e[0] * e[1] + e[1] * e[2] + e[2] * e[0] + e[0] * e[1] * e[2];
}

/// e - ln(1 + e), by its series near 0.
BULWARK_HD inline double minus_log1p_tail(double e) {
  if (std::abs(e) > 0.02) return e - std::log1p(e);
  double sum = 0;
  for (int n = 11; n >= 2; --n) sum = (n % 2 == 0 ? 1.0 : -1.0) / n + e * sum;
  return e * e * sum;
}

/// psi = mu/2 (sum s^2 - 3) - mu ln J + lambda/2 (ln J)^2; infinite for J <= 0.
struct NeoHookean {
  static constexpr bool resists_inversion = true;

  BULWARK_HD static double log_volume(const Vector3& s) { return std::log1p(volume_change(strains(s))); }
  BULWARK_HD static double energy(const LameConstants& m, const Vector3& s) {
    if (!(s[2] > 0)) return std::numeric_limits<double>::infinity();
    const Vector3 e = strains(s);
    const double log_J = log_volume(s);
    double shear = 0;  // sum of (s^2 - 1)/2 - ln s
    for (int i = 0; i < 3; ++i) shear += e[i] * e[i] / 2 + minus_log1p_tail(e[i]);
    return m.mu * shear + m.lambda / 2 * log_J * log_J;
  }
  BULWARK_HD static Vector3 gradient(const LameConstants& m, const Vector3& s) {
    const Vector3 e = strains(s);
    const double pressure = m.lambda * log_volume(s);
    Vector3 g;
    for (int i = 0; i < 3; ++i) g[i] = (m.mu * e[i] * (2 + e[i]) + pressure) / s[i];
    return g;
  }
  BULWARK_HD static Matrix3 hessian(const LameConstants& m, const Vector3& s) {
    const double pressure = m.lambda * log_volume(s) - m.mu;
    Matrix3 h;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        h(i, j) = i == j ? m.mu + (m.lambda - pressure) / (s[i] * s[i]) : m.lambda / (s[i] * s[j]);
      }
    }
    return h;
  }
  BULWARK_HD static double flip(const LameConstants& m, const Vector3& s, int i, int j, int) {
    return m.mu - (m.lambda * log_volume(s) - m.mu) / (s[i] * s[j]);
  }
  BULWARK_HD static double twist(const LameConstants& m, const Vector3& s, int i, int j, int) {
    return m.mu + (m.lambda * log_volume(s) - m.mu) / (s[i] * s[j]);
  }
};

/// psi = mu sum (s - 1)^2 + lambda/2 (J - 1)^2.
struct FixedCorotational {
  static constexpr bool resists_inversion = false;

  BULWARK_HD static double energy(const LameConstants& m, const Vector3& s) {
    const Vector3 e = strains(s);
    const double volume = volume_change(e);
    return m.mu * e.squaredNorm() + m.lambda / 2 * volume * volume;
  }
  BULWARK_HD static Vector3 gradient(const LameConstants& m, const Vector3& s) {
    const Vector3 e = strains(s);
    const double pressure = m.lambda * volume_change(e);
    return {2 * m.mu * e[0] + pressure * s[1] * s[2], 2 * m.mu * e[1] + pressure * s[0] * s[2],
            2 * m.mu * e[2] + pressure * s[0] * s[1]};
  }
  BULWARK_HD static Matrix3 hessian(const LameConstants& m, const Vector3& s) {
    const double pressure = m.lambda * volume_change(strains(s));
    const Vector3 dJ(s[1] * s[2], s[0] * s[2], s[0] * s[1]);
    Matrix3 h = m.lambda * dJ * dJ.transpose();
    for (int i = 0; i < 3; ++i) {
      h(i, i) += 2 * m.mu;
      for (int j = 0; j < 3; ++j) {
        if (i != j) h(i, j) += pressure * s[3 - i - j];
      }
    }
    return h;
  }
  BULWARK_HD static double flip(const LameConstants& m, const Vector3& s, int, int, int k) {
    return 2 * m.mu - m.lambda * volume_change(strains(s)) * s[k];
  }
  BULWARK_HD static double twist(const LameConstants& m, const Vector3& s, int i, int j, int k) {
    // The rotation is undefined where s_i + s_j = 0; keep the value finite there.
    const double sum = s[i] + s[j];
    const double safe = std::abs(sum) > 1e-8 ? sum : (sum < 0 ? -1e-8 : 1e-8);
    return 2 * m.mu * (1 - 2 / safe) + m.lambda * volume_change(strains(s)) * s[k];
  }
};

/// St. Venant-Kirchhoff: psi = lambda/2 (tr E)^2 + mu tr(E^2), E_i = (s_i^2 - 1)/2.
struct SaintVenantKirchhoff {
  static constexpr bool resists_inversion = false;

  BULWARK_HD static Vector3 green(const Vector3& s) {
    const Vector3 e = strains(s);
    return {e[0] * (2 + e[0]) / 2, e[1] * (2 + e[1]) / 2, e[2] * (2 + e[2]) / 2};
  }
  BULWARK_HD static double energy(const LameConstants& m, const Vector3& s) {
    const Vector3 E = green(s);
    return m.lambda / 2 * E.sum() * E.sum() + m.mu * E.squaredNorm();
  }
  BULWARK_HD static Vector3 gradient(const LameConstants& m, const Vector3& s) {
    const Vector3 E = green(s);
    const double pressure = m.lambda * E.sum();
    return {s[0] * (pressure + 2 * m.mu * E[0]), s[1] * (pressure + 2 * m.mu * E[1]),
            s[2] * (pressure + 2 * m.mu * E[2])};
  }
  BULWARK_HD static Matrix3 hessian(const LameConstants& m, const Vector3& s) {
    const double pressure = m.lambda * green(s).sum();
    Matrix3 h = m.lambda * s * s.transpose();
    for (int i = 0; i < 3; ++i) h(i, i) += pressure + m.mu * (3 * s[i] * s[i] - 1);
    return h;
  }
  BULWARK_HD static double flip(const LameConstants& m, const Vector3& s, int i, int j, int) {
    return m.lambda * green(s).sum() + m.mu * (s[i] * s[i] + s[i] * s[j] + s[j] * s[j] - 1);
  }
  BULWARK_HD static double twist(const LameConstants& m, const Vector3& s, int i, int j, int) {
    return m.lambda * green(s).sum() + m.mu * (s[i] * s[i] - s[i] * s[j] + s[j] * s[j] - 1);
  }
};

}  // namespace bulwark
