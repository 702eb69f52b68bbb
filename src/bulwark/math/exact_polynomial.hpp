// Polynomials in one variable with integer coefficients, and the exact signs and real roots of them on
// [0, 1]. The CCD oracle decides with these.
#pragma once

#include <boost/multiprecision/gmp.hpp>

#include <vector>

namespace bulwark::exact {

using Integer = boost::multiprecision::mpz_int;

/// sum_i c[i] t^i, without leading zeros; the zero polynomial is empty.
class Polynomial {
 public:
  Polynomial() = default;
  explicit Polynomial(std::vector<Integer> coefficients);

  bool is_zero() const { return c_.empty(); }
  int degree() const { return static_cast<int>(c_.size()) - 1; }
  const Integer& operator[](std::size_t i) const { return c_[i]; }

  friend Polynomial operator+(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator-(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator*(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator*(const Polynomial& a, const Integer& factor);

 private:
  std::vector<Integer> c_;
};

/// The number n / 2^k.
struct Dyadic {
  Integer n;
  unsigned k = 0;
};

/// Sign (-1, 0, 1) of the polynomial at a number.
int sign_at(const Polynomial& p, const Dyadic& t);

/// The sign of the polynomial on the closed interval [n, n + 1] / 2^k where its Bernstein coefficients prove
/// that it has one; 0 where they don't.
int sign_over(const Polynomial& p, const Dyadic& interval);

/// A real number in [0, 1]: n / 2^k itself, or the only root of a square-free polynomial in the open interval
/// (n, n + 1) / 2^k.
class RealNumber {
 public:
  explicit RealNumber(Dyadic value) : place_(std::move(value)) {}
  RealNumber(Polynomial square_free, Dyadic interval)
      : root_of_(std::move(square_free)), place_(std::move(interval)) {}

  bool is_dyadic() const { return root_of_.is_zero(); }
  const Dyadic& place() const { return place_; }
  /// Halves the interval.
  void refine();
  /// Sign of another polynomial at this number.
  int sign_of(const Polynomial& p);
  /// Doubles around it, after refinement to 2^-60.
  double lower();
  double upper();

 private:
  Polynomial root_of_;  ///< zero for a dyadic number
  Dyadic place_;
};

/// All real roots in [0, 1], ascending. The polynomial must not be zero.
std::vector<RealNumber> roots_in_unit_interval(const Polynomial& p);

}  // namespace bulwark::exact
