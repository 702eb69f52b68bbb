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

/// psi = mu/2 (sum s^2 - 3) - mu ln J + lambda/2 (ln J)^2; infinite for J <= 0.
struct NeoHookean {
  static constexpr bool resists_inversion = true;

  BULWARK_HD static double energy(const LameConstants& m, const Vector3& s) {
    const double J = s[0] * s[1] * s[2];
    if (!(J > 0)) return std::numeric_limits<double>::infinity();
    const double log_J = std::log(J);
    return m.mu / 2 * (s.squaredNorm() - 3) - m.mu * log_J + m.lambda / 2 * log_J * log_J;
  }
  BULWARK_HD static Vector3 gradient(const LameConstants& m, const Vector3& s) {
    const double pressure = m.lambda * std::log(s[0] * s[1] * s[2]) - m.mu;
    return {m.mu * s[0] + pressure / s[0], m.mu * s[1] + pressure / s[1], m.mu * s[2] + pressure / s[2]};
  }
  BULWARK_HD static Matrix3 hessian(const LameConstants& m, const Vector3& s) {
    const double pressure = m.lambda * std::log(s[0] * s[1] * s[2]) - m.mu;
    Matrix3 h;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        h(i, j) = i == j ? m.mu + (m.lambda - pressure) / (s[i] * s[i]) : m.lambda / (s[i] * s[j]);
      }
    }
    return h;
  }
  BULWARK_HD static double flip(const LameConstants& m, const Vector3& s, int i, int j, int) {
    return m.mu - (m.lambda * std::log(s[0] * s[1] * s[2]) - m.mu) / (s[i] * s[j]);
  }
  BULWARK_HD static double twist(const LameConstants& m, const Vector3& s, int i, int j, int) {
    return m.mu + (m.lambda * std::log(s[0] * s[1] * s[2]) - m.mu) / (s[i] * s[j]);
  }
};

/// psi = mu sum (s - 1)^2 + lambda/2 (J - 1)^2.
struct FixedCorotational {
  static constexpr bool resists_inversion = false;

  BULWARK_HD static double energy(const LameConstants& m, const Vector3& s) {
    const double J = s[0] * s[1] * s[2];
    return m.mu * (s - Vector3::Ones()).squaredNorm() + m.lambda / 2 * (J - 1) * (J - 1);
  }
  BULWARK_HD static Vector3 gradient(const LameConstants& m, const Vector3& s) {
    const double pressure = m.lambda * (s[0] * s[1] * s[2] - 1);
    return {2 * m.mu * (s[0] - 1) + pressure * s[1] * s[2], 2 * m.mu * (s[1] - 1) + pressure * s[0] * s[2],
            2 * m.mu * (s[2] - 1) + pressure * s[0] * s[1]};
  }
  BULWARK_HD static Matrix3 hessian(const LameConstants& m, const Vector3& s) {
    const double J = s[0] * s[1] * s[2], pressure = m.lambda * (J - 1);
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
    return 2 * m.mu - m.lambda * (s[0] * s[1] * s[2] - 1) * s[k];
  }
  BULWARK_HD static double twist(const LameConstants& m, const Vector3& s, int i, int j, int k) {
    // The rotation is undefined where s_i + s_j = 0; keep the value finite there.
    const double sum = s[i] + s[j];
    const double safe = std::abs(sum) > 1e-8 ? sum : (sum < 0 ? -1e-8 : 1e-8);
    return 2 * m.mu * (1 - 2 / safe) + m.lambda * (s[0] * s[1] * s[2] - 1) * s[k];
  }
};

/// St. Venant-Kirchhoff: psi = lambda/2 (tr E)^2 + mu tr(E^2), E_i = (s_i^2 - 1)/2.
struct SaintVenantKirchhoff {
  static constexpr bool resists_inversion = false;

  BULWARK_HD static double trace(const Vector3& s) { return (s.squaredNorm() - 3) / 2; }
  BULWARK_HD static double energy(const LameConstants& m, const Vector3& s) {
    double squares = 0;
    for (int i = 0; i < 3; ++i) squares += (s[i] * s[i] - 1) * (s[i] * s[i] - 1) / 4;
    return m.lambda / 2 * trace(s) * trace(s) + m.mu * squares;
  }
  BULWARK_HD static Vector3 gradient(const LameConstants& m, const Vector3& s) {
    Vector3 g;
    for (int i = 0; i < 3; ++i) g[i] = s[i] * (m.lambda * trace(s) + m.mu * (s[i] * s[i] - 1));
    return g;
  }
  BULWARK_HD static Matrix3 hessian(const LameConstants& m, const Vector3& s) {
    Matrix3 h = m.lambda * s * s.transpose();
    for (int i = 0; i < 3; ++i) h(i, i) += m.lambda * trace(s) + m.mu * (3 * s[i] * s[i] - 1);
    return h;
  }
  BULWARK_HD static double flip(const LameConstants& m, const Vector3& s, int i, int j, int) {
    return m.lambda * trace(s) + m.mu * (s[i] * s[i] + s[i] * s[j] + s[j] * s[j] - 1);
  }
  BULWARK_HD static double twist(const LameConstants& m, const Vector3& s, int i, int j, int) {
    return m.lambda * trace(s) + m.mu * (s[i] * s[i] - s[i] * s[j] + s[j] * s[j] - 1);
  }
};

}  // namespace bulwark
