#include <bulwark/collision/exact_ccd.hpp>
#include <bulwark/math/exact_polynomial.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace bulwark::exact {
namespace {

using PolynomialVector = std::array<Polynomial, 3>;

Polynomial dot(const PolynomialVector& a, const PolynomialVector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

PolynomialVector cross(const PolynomialVector& a, const PolynomialVector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

PolynomialVector operator-(const PolynomialVector& a, const PolynomialVector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

/// Four moving points and the minimum distance, all times the same power of two.
struct ScaledMotion {
  std::array<PolynomialVector, 4> x;
  Integer distance;
};

ScaledMotion scaled(const std::array<Vector3, 4>& start, const std::array<Vector3, 4>& end, double distance) {
  constexpr int mantissa_bits = 53;
  int smallest = std::numeric_limits<int>::max();
  auto look = [&](double value) {
    int exponent;
    if (std::frexp(value, &exponent) != 0) smallest = std::min(smallest, exponent - mantissa_bits);
  };
  auto integer = [&](double value) -> Integer {
    int exponent;
    const double fraction = std::frexp(value, &exponent);
    if (fraction == 0) return 0;
    return Integer(std::ldexp(fraction, mantissa_bits))
           << static_cast<unsigned>(exponent - mantissa_bits - smallest);
  };
  for (int i = 0; i < 4; ++i) {
    for (int c = 0; c < 3; ++c) {
      look(start[i][c]);
      look(end[i][c]);
    }
  }
  look(distance);
  ScaledMotion motion;
  motion.distance = integer(distance);
  for (int i = 0; i < 4; ++i) {
    for (int c = 0; c < 3; ++c) {
      const Integer from = integer(start[i][c]);
      motion.x[i][c] = Polynomial({from, integer(end[i][c]) - from});
    }
  }
  return motion;
}

enum class Relation { zero, not_negative, positive };

struct Condition {
  Polynomial polynomial;
  Relation relation;
};

bool holds(int sign, Relation relation) {
  return relation == Relation::zero ? sign == 0 : relation == Relation::positive ? sign > 0 : sign >= 0;
}

bool all_hold(RealNumber& t, const std::vector<Condition>& conditions) {
  return std::all_of(conditions.begin(), conditions.end(),
                     [&](const Condition& c) { return holds(t.sign_of(c.polynomial), c.relation); });
}

/// A number strictly between two roots of one polynomial, the smaller first.
RealNumber between(RealNumber a, RealNumber b) {
  for (;;) {
    const unsigned k = std::max(a.place().k, b.place().k);
    const Integer a_upper = (a.place().n + (a.is_dyadic() ? 0 : 1)) << (k - a.place().k);
    const Integer b_lower = b.place().n << (k - b.place().k);
    if (a_upper < b_lower || (a_upper == b_lower && !a.is_dyadic() && !b.is_dyadic())) {
      return RealNumber(Dyadic{a_upper + b_lower, k + 1});
    }
    a.refine();
    b.refine();
  }
}

/// The first time in [0, 1] at which all conditions hold.
///
/// The times at which they hold make intervals. Each has an end that is 0, 1 or a root of a condition and
/// belongs to it; or both ends are roots of a strict condition and excluded, and there is no other root of
/// that one between. So it is enough to try those. (Where the first time of an interval is excluded, a later
/// one is returned; but then other features, degenerate there, touch at the first.)
Impact first_time(std::vector<Condition> conditions) {
  const Dyadic unit = {0, 0};
  // Conditions that hold always are dropped; one that never does is the answer.
  std::vector<Condition> open;
  for (Condition& c : conditions) {
    if (c.polynomial.is_zero()) {
      if (!holds(0, c.relation)) return {};
      continue;
    }
    const int sign = sign_over(c.polynomial, unit);
    if (sign == 0) {
      open.push_back(std::move(c));
    } else if (!holds(sign, c.relation)) {
      return {};
    }
  }
  if (open.empty()) return {true, 0, 0};

  const auto equation =
      std::min_element(open.begin(), open.end(), [](const Condition& a, const Condition& b) {
        if ((a.relation == Relation::zero) != (b.relation == Relation::zero))
          return a.relation == Relation::zero;
        return a.polynomial.degree() < b.polynomial.degree();
      });
  std::vector<RealNumber> times;
  if (equation->relation == Relation::zero) {
    times = roots_in_unit_interval(equation->polynomial);
  } else {
    times = {RealNumber(unit), RealNumber(Dyadic{1, 0})};
    for (const Condition& c : open) {
      const std::vector<RealNumber> roots = roots_in_unit_interval(c.polynomial);
      times.insert(times.end(), roots.begin(), roots.end());
      if (c.relation != Relation::positive) continue;
      for (std::size_t i = 1; i < roots.size(); ++i) times.push_back(between(roots[i - 1], roots[i]));
    }
  }
  Impact first;
  for (RealNumber& t : times) {
    const double lower = std::max(0.0, t.lower()), upper = std::min(1.0, t.upper());
    if (first.hit && lower >= first.not_after) continue;
    if (!all_hold(t, open)) continue;
    first = {true, first.hit ? std::min(first.not_before, lower) : lower,
             first.hit ? std::min(first.not_after, upper) : upper};
  }
  return first;
}

void keep_earlier(Impact& impact, const Impact& other) {
  if (!other.hit) return;
  if (!impact.hit) {
    impact = other;
    return;
  }
  impact.not_before = std::min(impact.not_before, other.not_before);
  impact.not_after = std::min(impact.not_after, other.not_after);
}

/// |value| <= distance * sqrt(squared_length).
void add_nearness(std::vector<Condition>& conditions, const PolynomialVector& value,
                  const Polynomial& squared_length, const Integer& distance) {
  if (distance == 0) {
    for (const Polynomial& component : value) conditions.push_back({component, Relation::zero});
  } else {
    conditions.push_back(
        {squared_length * Integer(distance * distance) - dot(value, value), Relation::not_negative});
  }
}

Impact point_point(const PolynomialVector& a, const PolynomialVector& b, const Integer& distance) {
  std::vector<Condition> conditions;
  add_nearness(conditions, a - b, Polynomial({Integer(1)}), distance);
  return first_time(std::move(conditions));
}

/// The point near the line of the edge, between its ends.
Impact point_edge(const PolynomialVector& p, const PolynomialVector& a, const PolynomialVector& b,
                  const Integer& distance) {
  const PolynomialVector e = b - a, q = p - a;
  const Polynomial along = dot(q, e), length = dot(e, e);
  std::vector<Condition> conditions = {{length, Relation::positive},
                                       {along, Relation::not_negative},
                                       {length - along, Relation::not_negative}};
  add_nearness(conditions, cross(e, q), length, distance);
  return first_time(std::move(conditions));
}

/// Two features with a common normal, near each other along it, whose feet lie inside: all of `inside` at
/// least 0.
Impact along_normal(const PolynomialVector& normal, const Polynomial& volume,
                    const std::vector<Polynomial>& inside, const Integer& distance) {
  const Polynomial area = dot(normal, normal);
  std::vector<Condition> conditions = {{area, Relation::positive}};
  for (const Polynomial& p : inside) conditions.push_back({p, Relation::not_negative});
  if (distance == 0) {
    conditions.push_back({volume, Relation::zero});
  } else {
    conditions.push_back({area * Integer(distance * distance) - volume * volume, Relation::not_negative});
  }
  return first_time(std::move(conditions));
}

/// Whether some coordinate keeps all vertices of the first primitive more than the distance away from all of
/// the second, on one side: a linear function of time is extreme at its ends.
bool separated_along_an_axis(const ScaledMotion& m, int first_count) {
  for (int c = 0; c < 3; ++c) {
    for (int side = 0; side < 2; ++side) {
      bool apart = true;
      for (int i = 0; i < first_count && apart; ++i) {
        for (int j = first_count; j < 4 && apart; ++j) {
          const Polynomial difference = side == 0 ? m.x[i][c] - m.x[j][c] : m.x[j][c] - m.x[i][c];
          Integer at_start = difference.is_zero() ? Integer(0) : difference[0];
          const Integer at_end = difference.degree() == 1 ? Integer(at_start + difference[1]) : at_start;
          apart = at_start > m.distance && at_end > m.distance;
        }
      }
      if (apart) return true;
    }
  }
  return false;
}

}  // namespace

Impact point_triangle_impact(const std::array<Vector3, 4>& start, const std::array<Vector3, 4>& end,
                             double minimum_distance) {
  const ScaledMotion m = scaled(start, end, minimum_distance);
  if (separated_along_an_axis(m, 1)) return {};
  const auto& [p, a, b, c] = m.x;
  const PolynomialVector ab = b - a, ac = c - a, ap = p - a, normal = cross(ab, ac);
  const Polynomial volume = dot(normal, ap);
  // Whatever touches lies in one plane.
  if (m.distance == 0 && sign_over(volume, {0, 0}) != 0) return {};
  const Polynomial beta = dot(cross(ap, ac), normal), gamma = dot(cross(ab, ap), normal);
  Impact impact = along_normal(normal, volume, {beta, gamma, dot(normal, normal) - beta - gamma}, m.distance);
  for (const auto& [from, to] : {std::pair(1, 2), std::pair(2, 3), std::pair(3, 1)}) {
    keep_earlier(impact, point_edge(p, m.x[from], m.x[to], m.distance));
    keep_earlier(impact, point_point(p, m.x[from], m.distance));
  }
  return impact;
}

Impact edge_edge_impact(const std::array<Vector3, 4>& start, const std::array<Vector3, 4>& end,
                        double minimum_distance) {
  const ScaledMotion m = scaled(start, end, minimum_distance);
  if (separated_along_an_axis(m, 2)) return {};
  const auto& [a0, a1, b0, b1] = m.x;
  const PolynomialVector u = a1 - a0, v = b1 - b0, w = b0 - a0, normal = cross(u, v);
  const Polynomial volume = dot(normal, w);
  if (m.distance == 0 && sign_over(volume, {0, 0}) != 0) return {};
  const Polynomial area = dot(normal, normal), along_a = dot(cross(w, v), normal),
                   along_b = dot(cross(w, u), normal);
  Impact impact =
      along_normal(normal, volume, {along_a, area - along_a, along_b, area - along_b}, m.distance);
  for (int i = 0; i < 2; ++i) {
    keep_earlier(impact, point_edge(m.x[i], b0, b1, m.distance));
    keep_earlier(impact, point_edge(m.x[2 + i], a0, a1, m.distance));
    for (int j = 2; j < 4; ++j) keep_earlier(impact, point_point(m.x[i], m.x[j], m.distance));
  }
  return impact;
}

}  // namespace bulwark::exact
