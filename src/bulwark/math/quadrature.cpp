#include <bulwark/math/quadrature.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace bulwark {
namespace {

/// Adds the points whose barycentric coordinates are the permutations of these.
void add_orbit(QuadratureRule& rule, std::array<double, 4> coordinates, double weight) {
  std::sort(coordinates.begin(), coordinates.end());
  do {
    rule.push_back({Vector3(coordinates[1], coordinates[2], coordinates[3]), weight});
  } while (std::next_permutation(coordinates.begin(), coordinates.end()));
}

/// The fourth coordinate makes the sum 1.
std::array<double, 4> thrice(double a) {
  return {a, a, a, 1 - 3 * a};
}

/// The same on the triangle.
void add_triangle_orbit(QuadratureRule& rule, std::array<double, 3> coordinates, double weight) {
  std::sort(coordinates.begin(), coordinates.end());
  do {
    rule.push_back({Vector3(coordinates[1], coordinates[2], 0), weight});
  } while (std::next_permutation(coordinates.begin(), coordinates.end()));
}

}  // namespace

QuadratureRule interval_rule(int count) {
  QuadratureRule rule(count);
  for (int k = 0; k < count; ++k) {
    // Newton's method for the k-th root of the Legendre polynomial.
    double x = -std::cos(std::numbers::pi * (k + 0.75) / (count + 0.5)), slope = 0;
    for (int iteration = 0; iteration < 100; ++iteration) {
      double before = 1, value = x;
      for (int n = 2; n <= count; ++n) {
        const double next = ((2 * n - 1) * x * value - (n - 1) * before) / n;
        before = value;
        value = next;
      }
      slope = count * (x * value - before) / (x * x - 1);
      const double step = value / slope;
      x -= step;
      if (std::abs(step) < 1e-16) break;
    }
    if (2 * k + 1 == count) x = 0;
    rule[k] = {Vector3(x, 0, 0), 2 / ((1 - x * x) * slope * slope)};
  }
  return rule;
}

QuadratureRule cube_rule(int along_x, int along_y, int along_z) {
  QuadratureRule rule;
  for (const QuadraturePoint& x : interval_rule(along_x)) {
    for (const QuadraturePoint& y : interval_rule(along_y)) {
      for (const QuadraturePoint& z : interval_rule(along_z)) {
        rule.push_back({Vector3(x.place[0], y.place[0], z.place[0]), x.weight * y.weight * z.weight});
      }
    }
  }
  return rule;
}

QuadratureRule triangle_rule(int degree) {
  QuadratureRule rule;
  const auto twice = [](double a) { return std::array<double, 3>{a, a, 1 - 2 * a}; };
  if (degree <= 1) {
    rule.push_back({Vector3(1.0 / 3, 1.0 / 3, 0), 0.5});
  } else if (degree <= 2) {
    add_triangle_orbit(rule, twice(1.0 / 6), 1.0 / 6);
  } else if (degree <= 4) {
    add_triangle_orbit(rule, twice(0.44594849091596488632), 0.11169079483900573285);
    add_triangle_orbit(rule, twice(0.09157621350977074346), 0.05497587182766093382);
  } else if (degree <= 5) {
    const double root = std::sqrt(15.0);
    rule.push_back({Vector3(1.0 / 3, 1.0 / 3, 0), 9.0 / 80});
    add_triangle_orbit(rule, twice((6 + root) / 21), (155 + root) / 2400);
    add_triangle_orbit(rule, twice((6 - root) / 21), (155 - root) / 2400);
  } else if (degree <= 6) {
    constexpr double a = 0.05314504984481694735, b = 0.31035245103378440542;
    add_triangle_orbit(rule, twice(0.24928674517091042129), 0.05839313786318968301);
    add_triangle_orbit(rule, twice(0.06308901449150222834), 0.02542245318510340938);
    add_triangle_orbit(rule, {a, b, 1 - a - b}, 0.04142553780918678760);
  } else {
    const QuadratureRule line = interval_rule((degree + 3) / 2);
    for (const QuadraturePoint& first : line) {
      const double a = 0.5 * (1 + first.place[0]);
      for (const QuadraturePoint& second : line) {
        const double b = 0.5 * (1 + second.place[0]);
        rule.push_back({Vector3(a, (1 - a) * b, 0), first.weight * second.weight / 4 * (1 - a)});
      }
    }
  }
  return rule;
}

QuadratureRule tetrahedron_rule(int degree) {
  QuadratureRule rule;
  if (degree <= 1) {
    rule.push_back({Vector3::Constant(0.25), 1.0 / 6});
  } else if (degree <= 2) {
    add_orbit(rule, thrice((5 - std::sqrt(5.0)) / 20), 1.0 / 24);
  } else if (degree <= 3) {
    // Equal weights: the places are where the moments of degrees 2 and 3 are right.
    add_orbit(rule, thrice(0.1129567945125110286951), 1.0 / 48);
    add_orbit(rule, thrice(0.3288616499302029104003), 1.0 / 48);
  } else if (degree <= 5) {
    constexpr double edge = 0.045503704125649649492;
    add_orbit(rule, thrice(0.092735250310891226402), 0.012248840519393658257);
    add_orbit(rule, thrice(0.310885919263300609797), 0.018781320953002641800);
    add_orbit(rule, {edge, edge, 0.5 - edge, 0.5 - edge}, 0.007091003462846911073);
  } else if (degree <= 6) {
    constexpr double a = 0.063661001875017525299, b = 0.269672331458315808034;
    add_orbit(rule, thrice(0.214602871259152029289), 0.0066537917096945820166);
    add_orbit(rule, thrice(0.040673958534611353116), 0.0016795351758867738247);
    add_orbit(rule, thrice(0.322337890142275510344), 0.0092261969239424536825);
    add_orbit(rule, {a, a, b, 1 - 2 * a - b}, 0.0080357142857142857143);
  } else {
    // x = a, y = (1 - a) b, z = (1 - a)(1 - b) c, of degrees that grow by the Jacobian's own.
    const QuadratureRule line = interval_rule((degree + 4) / 2);
    for (const QuadraturePoint& first : line) {
      const double a = 0.5 * (1 + first.place[0]);
      for (const QuadraturePoint& second : line) {
        const double b = 0.5 * (1 + second.place[0]);
        for (const QuadraturePoint& third : line) {
          const double c = 0.5 * (1 + third.place[0]);
          const double weight = first.weight * second.weight * third.weight / 8 * (1 - a) * (1 - a) * (1 - b);
          rule.push_back({Vector3(a, (1 - a) * b, (1 - a) * (1 - b) * c), weight});
        }
      }
    }
  }
  return rule;
}

}  // namespace bulwark
