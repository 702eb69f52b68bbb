#include <bulwark/math/exact_polynomial.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace bulwark::exact {
namespace {

int sign(const Integer& x) {
  return x.sign();
}

Polynomial negative(const Polynomial& p) {
  return p * Integer(-1);
}

Polynomial derivative(const Polynomial& p) {
  std::vector<Integer> c;
  for (int i = 1; i <= p.degree(); ++i) c.push_back(p[i] * i);
  return Polynomial(std::move(c));
}

/// Divided by the greatest common divisor of its coefficients, which changes no sign.
Polynomial primitive(const Polynomial& p) {
  Integer divisor = 0;
  for (int i = 0; i <= p.degree(); ++i) divisor = gcd(divisor, p[i]);
  if (divisor <= 1) return p;
  std::vector<Integer> c;
  for (int i = 0; i <= p.degree(); ++i) c.push_back(p[i] / divisor);
  return Polynomial(std::move(c));
}

struct Division {
  Polynomial quotient, remainder;
};

/// Division of a positive multiple of a by b, in integers.
Division divide(const Polynomial& a, const Polynomial& b) {
  const Integer lead = abs(b[b.degree()]);
  const bool flip = b[b.degree()] < 0;
  std::vector<Integer> r, q(std::max(0, a.degree() - b.degree() + 1));
  for (int i = 0; i <= a.degree(); ++i) r.push_back(a[i]);
  for (int shift = a.degree() - b.degree(); shift >= 0; --shift) {
    Integer factor = r[shift + b.degree()];
    if (flip) factor = -factor;
    for (Integer& x : r) x *= lead;
    for (Integer& x : q) x *= lead;
    q[shift] += factor;
    for (int i = 0; i <= b.degree(); ++i) r[shift + i] -= factor * b[i];
  }
  return {Polynomial(std::move(q)), Polynomial(std::move(r))};
}

Polynomial common_divisor(Polynomial a, Polynomial b) {
  while (!b.is_zero()) {
    Polynomial rest = primitive(divide(a, b).remainder);
    a = std::move(b);
    b = std::move(rest);
  }
  return primitive(a);
}

Polynomial square_free(const Polynomial& p) {
  const Polynomial common = common_divisor(p, derivative(p));
  return common.degree() <= 0 ? primitive(p) : primitive(divide(p, common).quotient);
}

std::vector<Polynomial> sturm_sequence(const Polynomial& p) {
  std::vector<Polynomial> sequence = {p, primitive(derivative(p))};
  while (sequence.back().degree() > 0) {
    Polynomial rest = primitive(divide(sequence[sequence.size() - 2], sequence.back()).remainder);
    if (rest.is_zero()) break;
    sequence.push_back(negative(rest));
  }
  return sequence;
}

int sign_changes(const std::vector<Polynomial>& sequence, const Dyadic& t) {
  int changes = 0, last = 0;
  for (const Polynomial& p : sequence) {
    if (p.is_zero()) continue;
    const int s = sign_at(p, t);
    if (s != 0 && last != 0 && s != last) ++changes;
    if (s != 0) last = s;
  }
  return changes;
}

/// Roots in the half-open interval (n, n + 1] / 2^k, ascending.
void isolate(const std::vector<Polynomial>& sturm, const Dyadic& interval, int changes_left,
             int changes_right, std::vector<RealNumber>& roots) {
  const int count = changes_left - changes_right;
  if (count == 0) return;
  const Dyadic right = {interval.n + 1, interval.k};
  if (count == 1) {
    if (sign_at(sturm[0], right) == 0) {
      roots.emplace_back(right);
      return;
    }
    // The left end may be a root of its own, of the interval before; it must not be in the way.
    if (sign_at(sturm[0], interval) != 0) {
      roots.emplace_back(sturm[0], interval);
      return;
    }
  }
  const Dyadic left_half = {2 * interval.n, interval.k + 1},
               right_half = {2 * interval.n + 1, interval.k + 1};
  const int changes_middle = sign_changes(sturm, right_half);
  isolate(sturm, left_half, changes_left, changes_middle, roots);
  isolate(sturm, right_half, changes_middle, changes_right, roots);
}

double to_double(const Dyadic& x) {
  return static_cast<double>(boost::multiprecision::mpq_rational(x.n, Integer(1) << x.k));
}

}  // namespace

Polynomial::Polynomial(std::vector<Integer> coefficients) : c_(std::move(coefficients)) {
  while (!c_.empty() && c_.back() == 0) c_.pop_back();
}

Polynomial operator+(const Polynomial& a, const Polynomial& b) {
  std::vector<Integer> c(std::max(a.c_.size(), b.c_.size()));
  for (std::size_t i = 0; i < a.c_.size(); ++i) c[i] += a.c_[i];
  for (std::size_t i = 0; i < b.c_.size(); ++i) c[i] += b.c_[i];
  return Polynomial(std::move(c));
}

Polynomial operator-(const Polynomial& a, const Polynomial& b) {
  std::vector<Integer> c(std::max(a.c_.size(), b.c_.size()));
  for (std::size_t i = 0; i < a.c_.size(); ++i) c[i] += a.c_[i];
  for (std::size_t i = 0; i < b.c_.size(); ++i) c[i] -= b.c_[i];
  return Polynomial(std::move(c));
}

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  if (a.is_zero() || b.is_zero()) return {};
  std::vector<Integer> c(a.c_.size() + b.c_.size() - 1);
  for (std::size_t i = 0; i < a.c_.size(); ++i) {
    for (std::size_t j = 0; j < b.c_.size(); ++j) c[i + j] += a.c_[i] * b.c_[j];
  }
  return Polynomial(std::move(c));
}

Polynomial operator*(const Polynomial& a, const Integer& factor) {
  std::vector<Integer> c = a.c_;
  for (Integer& x : c) x *= factor;
  return Polynomial(std::move(c));
}

int sign_at(const Polynomial& p, const Dyadic& t) {
  // 2^(k d) p(n / 2^k), by Horner's rule.
  Integer value = 0;
  for (int i = p.degree(); i >= 0; --i) {
    value *= t.n;
    value += p[i] << (t.k * static_cast<unsigned>(p.degree() - i));
  }
  return sign(value);
}

int sign_over(const Polynomial& p, const Dyadic& interval) {
  const int degree = p.degree();
  if (degree < 0) return 0;
  // In s with t = (n + s) / 2^k, times 2^(k d).
  std::vector<Integer> c(degree + 1);
  for (int i = 0; i <= degree; ++i) c[i] = p[i] << (interval.k * static_cast<unsigned>(degree - i));
  auto shift = [&](const Integer& by) {
    if (by == 0) return;
    for (int i = 0; i < degree; ++i) {
      for (int j = degree - 1; j >= i; --j) c[j] += by * c[j + 1];
    }
  };
  shift(interval.n);
  // (1 + r)^d p(1 / (1 + r)): positive multiples of the Bernstein coefficients.
  std::reverse(c.begin(), c.end());
  shift(1);
  const int first = sign(c.front());
  if (first == 0 || sign(c.back()) != first) return 0;
  for (const Integer& x : c) {
    if (sign(x) == -first) return 0;
  }
  return first;
}

void RealNumber::refine() {
  if (is_dyadic()) return;
  const Dyadic left = place_, middle = {2 * place_.n + 1, place_.k + 1};
  const int at_middle = sign_at(root_of_, middle);
  if (at_middle == 0) {
    root_of_ = {};
    place_ = middle;
  } else if (at_middle == sign_at(root_of_, left)) {
    place_ = middle;
  } else {
    place_ = {2 * left.n, left.k + 1};
  }
}

int RealNumber::sign_of(const Polynomial& p) {
  if (p.is_zero()) return 0;
  if (!is_dyadic()) {
    // A common root is rare, and the common divisor dear.
    for (int i = 0; i < 12 && !is_dyadic(); ++i) {
      const int over = sign_over(p, place_);
      if (over != 0) return over;
      refine();
    }
    if (is_dyadic()) return sign_at(p, place_);
    const Polynomial common = common_divisor(root_of_, p);
    // The ends of the interval are no roots of root_of_, so none of its divisor.
    if (common.degree() > 0 && sign_at(common, place_) != sign_at(common, {place_.n + 1, place_.k})) return 0;
    while (!is_dyadic()) {
      const int refined = sign_over(p, place_);
      if (refined != 0) return refined;
      refine();
    }
  }
  return sign_at(p, place_);
}

double RealNumber::lower() {
  while (!is_dyadic() && place_.k < 60) refine();
  return std::nextafter(to_double(place_), -1);
}

double RealNumber::upper() {
  while (!is_dyadic() && place_.k < 60) refine();
  return std::nextafter(to_double(is_dyadic() ? place_ : Dyadic{place_.n + 1, place_.k}), 2);
}

std::vector<RealNumber> roots_in_unit_interval(const Polynomial& p) {
  std::vector<RealNumber> roots;
  const Dyadic unit = {0, 0};
  if (p.degree() <= 0 || sign_over(p, unit) != 0) return roots;
  const Polynomial reduced = square_free(p);
  const std::vector<Polynomial> sturm = sturm_sequence(reduced);
  if (sign_at(reduced, unit) == 0) roots.emplace_back(unit);
  isolate(sturm, unit, sign_changes(sturm, unit), sign_changes(sturm, {1, 0}), roots);
  return roots;
}

}  // namespace bulwark::exact
