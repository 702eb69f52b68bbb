// Isotropic elastic energy densities psi(F): value and first Piola-Kirchhoff stress P = dpsi/dF, and the
// parts of the Hessian in the frame of the singular value decomposition F = U diag(s) V^T, s = principal
// stretches:
//   stretch = d2psi/ds2,   flip_k = (psi_i - psi_j) / (s_i - s_j),   twist_k = (psi_i + psi_j) / (s_i + s_j),
// with (i, j) the two indices beside k, each in a form without the division. J = det F; mu, lambda are Lame's
// constants. A model says what its parameters are (Model::Parameters).
// Models that are not isotropic, or need no principal stretches, have a `tangent` of their own in place of these
// parts; elastic_tangent() gives that of any model.
//
// Stiff materials live at strains of 1e-6 and less, where psi is a tiny difference of large numbers. All
// models are therefore written in the Green strain E = (F^T F - I)/2 or in e = s - 1, without that
// cancellation.
#pragma once

#include <bulwark/base/host_device.hpp>
#include <bulwark/math/psd.hpp>
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

/// exp(z) - 1 - z, by its series near 0.
BULWARK_HD inline double expm1_minus(double z) {
  if (std::abs(z) > 0.02) return std::expm1(z) - z;
  double sum = 0;
  for (int n = 11; n >= 2; --n) sum = 1.0 / n * (1 + z * sum);
  return z * z * sum;
}

BULWARK_HD inline Matrix3 deviator(const Matrix3& a) {
  return a - a.trace() / 3 * Matrix3::Identity();
}

struct MooneyRivlinConstants {
  double c10, c01, bulk;  ///< Pa; at small strains the shear modulus is 2 (c10 + c01)
};

/// psi = c10 (J^-2/3 I1 - 3) + c01 (J^-4/3 I2 - 3) + bulk/2 (J - 1)^2, I1 and I2 of C = F^T F; infinite for J <= 0.
/// With the invariants e1, e2, e3 of E, x = J^2 - 1 and L = ln(1 + x):
///   J^-2/3 I1 - 3 =  (x - L) + 3 g(-L/3)  - 4 e2 - 8 e3  + 2 e1 (J^-2/3 - 1),            g(z) = exp(z) - 1 - z
///   J^-4/3 I2 - 3 = 2(x - L) + 3 g(-2L/3) - 4 e2 - 16 e3 + 4 (e1 + e2) (J^-4/3 - 1)
///   P = F^-T [ 4 c10 J^-2/3 dev E + 4 c01 J^-4/3 ((1 + 2 e1) dev E - 2 dev E^2) + bulk (J - 1) J I ].
struct MooneyRivlin {
  using Parameters = MooneyRivlinConstants;
  static constexpr bool resists_inversion = true;

  struct Invariants {
    double e1, e2, e3, x, log;
  };
  BULWARK_HD static Invariants invariants(const Matrix3& E) {
    const double e1 = E.trace(), e2 = 0.5 * (e1 * e1 - E.squaredNorm()), e3 = determinant(E);
    const double x = 2 * e1 + 4 * e2 + 8 * e3;
    return {e1, e2, e3, x, std::log1p(x)};
  }
  BULWARK_HD static double energy(const Parameters& m, const Matrix3& F) {
    if (!(determinant(F) > 0)) return std::numeric_limits<double>::infinity();
    const Invariants i = invariants(green_strain(F));
    const double excess = minus_log1p(i.x);
    const double first =
        excess + 3 * expm1_minus(-i.log / 3) - 4 * i.e2 - 8 * i.e3 + 2 * i.e1 * std::expm1(-i.log / 3);
    const double second = 2 * excess + 3 * expm1_minus(-2 * i.log / 3) - 4 * i.e2 - 16 * i.e3 +
                          4 * (i.e1 + i.e2) * std::expm1(-2 * i.log / 3);
    const double volume = std::expm1(i.log / 2);
    return m.c10 * first + m.c01 * second + m.bulk / 2 * volume * volume;
  }
  BULWARK_HD static Matrix3 stress(const Parameters& m, const Matrix3& F) {
    const Matrix3 E = green_strain(F);
    const Invariants i = invariants(E);
    const double J = std::exp(i.log / 2), a = std::exp(-i.log / 3), b = a * a;
    const Matrix3 dev = deviator(E), dev_squared = deviator(E * E);
    return inverse_transpose(F) *
           (4 * m.c10 * a * dev + 4 * m.c01 * b * ((1 + 2 * i.e1) * dev - 2 * dev_squared) +
            m.bulk * std::expm1(i.log / 2) * J * Matrix3::Identity());
  }
  BULWARK_HD static PrincipalHessian hessian(const Parameters& m, const Vector3& s) {
    const Vector3 squares(s[0] * s[0], s[1] * s[1], s[2] * s[2]);
    const double I1 = squares[0] + squares[1] + squares[2];
    const double I2 = squares[0] * squares[1] + squares[1] * squares[2] + squares[2] * squares[0];
    const double J = s[0] * s[1] * s[2], root = std::cbrt(J), a = 1 / (root * root), b = a * a;
    const double A = m.c10 * a, B = m.c01 * b, pressure = m.bulk * volume_change(strains(s)) * J;
    PrincipalHessian h;
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      const double product = s[i] * s[j], inverse = 1 / product;
      h.flip[k] = A * (2 + 2.0 / 3 * I1 * inverse) +
                  B * (2 * (squares[k] - product) + 4.0 / 3 * I2 * inverse) - pressure * inverse;
      h.twist[k] = A * (2 - 2.0 / 3 * I1 * inverse) +
                   B * (2 * (squares[k] + product) - 4.0 / 3 * I2 * inverse) + pressure * inverse;
      h.stretch(k, k) = A * (10.0 / 9 * I1 / squares[k] - 2.0 / 3) +
                        B * (28.0 / 9 * I2 / squares[k] - 10.0 / 3 * (I1 - squares[k])) +
                        m.bulk * product * product;
      h.stretch(i, j) = h.stretch(j, i) =
          A * inverse * (4.0 / 9 * I1 - 4.0 / 3 * (squares[i] + squares[j])) +
          B * (4 * product +
               inverse * (16.0 / 9 * I2 -
                          8.0 / 3 * (squares[j] * (I1 - squares[j]) + squares[i] * (I1 - squares[i])))) +
          (m.bulk * J * J + pressure) * inverse;
    }
    return h;
  }
};

/// dP/dF. Column 3 J + L has the 3x3 block of derivatives of column J of P by column L of F.
using ElasticTangent = Eigen::Matrix<double, 9, 9>;

BULWARK_HD inline void set_block(ElasticTangent& tangent, int J, int L, const Matrix3& block) {
  for (int k = 0; k < 9; ++k) tangent(k, 3 * J + L) = block(k % 3, k / 3);
}

/// Linear elasticity, small strains e = sym(F) - I: psi = mu e:e + lambda/2 (tr e)^2. Not rotation-invariant.
struct LinearElastic {
  using Parameters = LameConstants;
  static constexpr bool resists_inversion = false;

  BULWARK_HD static Matrix3 strain(const Matrix3& F) {
    return 0.5 * (F + F.transpose()) - Matrix3::Identity();
  }
  BULWARK_HD static double energy(const LameConstants& m, const Matrix3& F) {
    const Matrix3 e = strain(F);
    return m.mu * e.squaredNorm() + m.lambda / 2 * e.trace() * e.trace();
  }
  BULWARK_HD static Matrix3 stress(const LameConstants& m, const Matrix3& F) {
    const Matrix3 e = strain(F);
    return 2 * m.mu * e + m.lambda * e.trace() * Matrix3::Identity();
  }
  BULWARK_HD static ElasticTangent tangent(const LameConstants& m, const Matrix3&, Psd) {
    ElasticTangent result;
    for (int J = 0; J < 3; ++J) {
      for (int L = 0; L < 3; ++L) {
        Matrix3 block = Matrix3::Zero();
        if (J == L) block.diagonal().setConstant(m.mu);
        block(L, J) += m.mu;
        block(J, L) += m.lambda;
        set_block(result, J, L, block);
      }
    }
    return result;
  }
};

/// St. Venant-Kirchhoff with any stiffness: psi = 1/2 e . C e, e = (E11, E22, E33, 2 E23, 2 E13, 2 E12) in the
/// material's axes.
struct Anisotropic {
  struct Parameters {
    Eigen::Matrix<double, 6, 6> stiffness;  ///< C (Pa)
  };
  static constexpr bool resists_inversion = false;

  using Vector6 = Eigen::Matrix<double, 6, 1>;
  BULWARK_HD static Vector6 strain(const Matrix3& F) {
    const Matrix3 E = green_strain(F);
    Vector6 e;
    e << E(0, 0), E(1, 1), E(2, 2), 2 * E(1, 2), 2 * E(0, 2), 2 * E(0, 1);
    return e;
  }
  /// The second Piola-Kirchhoff stress S.
  BULWARK_HD static Matrix3 second_stress(const Parameters& m, const Matrix3& F) {
    const Vector6 s = m.stiffness * strain(F);
    Matrix3 S;
    S << s[0], s[5], s[4], s[5], s[1], s[3], s[4], s[3], s[2];
    return S;
  }
  BULWARK_HD static double energy(const Parameters& m, const Matrix3& F) {
    const Vector6 e = strain(F);
    return 0.5 * e.dot(m.stiffness * e);
  }
  BULWARK_HD static Matrix3 stress(const Parameters& m, const Matrix3& F) { return F * second_stress(m, F); }
  /// The parts that come from S and from C are made semi-definite one by one, C only if it is.
  BULWARK_HD static ElasticTangent tangent(const Parameters& m, const Matrix3& F, Psd psd) {
    const Matrix3 S = projected<3>(second_stress(m, F), psd);
    // Columns 3 J + d: the derivative of e by F(d, J).
    constexpr int place[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
    Eigen::Matrix<double, 6, 9> change = Eigen::Matrix<double, 6, 9>::Zero();
    for (int J = 0; J < 3; ++J) {
      for (int I = 0; I < 3; ++I) {
        for (int d = 0; d < 3; ++d) change(place[I][J], 3 * J + d) += F(d, I);
      }
    }
    const Eigen::Matrix<double, 6, 9> stressed = m.stiffness * change;
    ElasticTangent result;
    for (int J = 0; J < 3; ++J) {
      for (int L = 0; L < 3; ++L) {
        Matrix3 block = change.middleCols<3>(3 * J).transpose() * stressed.middleCols<3>(3 * L);
        block.diagonal().array() += S(J, L);
        set_block(result, J, L, block);
      }
    }
    return result;
  }
};

/// dP/dF of any model. That of isotropic ones is known in the frame of the singular value decomposition F = U S V^T,
/// where its nine eigenmatrices are diag(e), e an eigenvector of d2psi/ds2, and (E_ij +- E_ji)/sqrt 2: so its
/// projection to a semi-definite matrix is exact and costs one 3x3 eigenproblem. In that frame only
///   (aa, cc): stretch_ac,     (ac, ac): (flip + twist)/2,     (ac, ca): (flip - twist)/2
/// differ from zero; V turns the columns and U the rows.
template <class Model>
BULWARK_HD ElasticTangent elastic_tangent(const typename Model::Parameters& m, const Matrix3& F, Psd psd) {
  if constexpr (requires { Model::tangent(m, F, psd); }) {
    return Model::tangent(m, F, psd);
  } else {
    const Svd3 svd = svd3(F);
    const PrincipalHessian principal = Model::hessian(m, svd.sigma);
    const Matrix3 stretch = projected<3>(principal.stretch, psd);
    Matrix3 same = Matrix3::Zero(), swapped = Matrix3::Zero();  // by a and c
    for (int k = 0; k < 3; ++k) {
      const int a = (k + 1) % 3, c = (k + 2) % 3;
      const double flip = projected(principal.flip[k], psd), twist = projected(principal.twist[k], psd);
      same(a, c) = same(c, a) = 0.5 * (flip + twist);
      swapped(a, c) = swapped(c, a) = 0.5 * (flip - twist);
    }
    ElasticTangent result;
    for (int J = 0; J < 3; ++J) {
      for (int L = J; L < 3; ++L) {
        const auto v = svd.v.row(J), w = svd.v.row(L);
        Matrix3 rows;
        for (int a = 0; a < 3; ++a) {
          const int c = (a + 1) % 3, d = (a + 2) % 3;
          rows(a, a) = stretch(a, a) * v[a] * w[a] + same(a, c) * v[c] * w[c] + same(a, d) * v[d] * w[d];
          rows(a, c) = stretch(a, c) * v[a] * w[c] + swapped(a, c) * v[c] * w[a];
          rows(a, d) = stretch(a, d) * v[a] * w[d] + swapped(a, d) * v[d] * w[a];
        }
        const Matrix3 block = svd.u * rows * svd.u.transpose();
        set_block(result, J, L, block);
        if (L > J) set_block(result, L, J, block.transpose());
      }
    }
    return result;
  }
}

}  // namespace bulwark
