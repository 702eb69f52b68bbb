#include <bulwark/collision/exact_predicates.hpp>

#include <array>
#include <boost/multiprecision/gmp.hpp>
#include <cmath>
#include <limits>
#include <optional>

#include <Eigen/Geometry>

namespace bulwark::exact {
namespace {

using Rational = boost::multiprecision::mpq_rational;
using RationalVector = std::array<Rational, 3>;

constexpr double u = 0x1p-53;
/// Products round by up to 2^-1075 more where they underflow; a few of them, multiplied once by a coordinate.
constexpr double underflow = 1e-300;

template <class Number>
int sign(const Number& x) {
  return (x > 0) - (x < 0);
}

RationalVector rational(const Vector3& v) {
  return {Rational(v[0]), Rational(v[1]), Rational(v[2])};
}

RationalVector operator-(const RationalVector& a, const RationalVector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

Rational dot(const RationalVector& a, const RationalVector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

RationalVector cross(const RationalVector& a, const RationalVector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

bool is_zero(const RationalVector& a) {
  return a[0] == 0 && a[1] == 0 && a[2] == 0;
}

/// The sign of orientation() where floating point suffices for it.
std::optional<int> filtered_orientation(const Vector3& a, const Vector3& b, const Vector3& c,
                                        const Vector3& d) {
  const Vector3 x = b - a, y = c - a, z = d - a;
  // All four in one plane across an axis: a difference is zero only if it is exactly so.
  for (int i = 0; i < 3; ++i) {
    if (x[i] == 0 && y[i] == 0 && z[i] == 0) return 0;
  }
  const double yz = y[1] * z[2], zy = z[1] * y[2];
  const double zx = z[1] * x[2], xz = x[1] * z[2];
  const double xy = x[1] * y[2], yx = y[1] * x[2];
  const double volume = x[0] * (yz - zy) + y[0] * (zx - xz) + z[0] * (xy - yx);
  const double magnitude = std::abs(x[0]) * (std::abs(yz) + std::abs(zy)) +
                           std::abs(y[0]) * (std::abs(zx) + std::abs(xz)) +
                           std::abs(z[0]) * (std::abs(xy) + std::abs(yx));
  const double error =
      10 * u * magnitude + underflow * (1 + std::abs(x[0]) + std::abs(y[0]) + std::abs(z[0]));
  if (volume > error) return 1;
  if (volume < -error) return -1;
  return std::nullopt;
}

std::optional<int> filtered_orientation_along(int axis, const Vector3& a, const Vector3& b,
                                              const Vector3& c) {
  const int i = (axis + 1) % 3, j = (axis + 2) % 3;
  const double left = (b[i] - a[i]) * (c[j] - a[j]), right = (b[j] - a[j]) * (c[i] - a[i]);
  const double area = left - right;
  const double error = 6 * u * (std::abs(left) + std::abs(right)) + underflow;
  if (area > error) return 1;
  if (area < -error) return -1;
  if ((b[i] == a[i] && c[i] == a[i]) || (b[j] == a[j] && c[j] == a[j])) return 0;
  return std::nullopt;
}

/// Whether, seen along the axis, a line through two of the five points separates segment and triangle
/// strictly. Sign(axis, a, b, c) gives a sign or nothing, which then proves nothing. For a triangle with an
/// area along the axis, the lines tried are enough: Minkowski's difference of the two has only edges parallel
/// to one of theirs.
template <class Sign>
bool separated_along(int axis, const Vector3& p, const Vector3& q, const std::array<Vector3, 3>& t,
                     Sign&& sign_of) {
  const std::optional<int> turn = sign_of(axis, t[0], t[1], t[2]);
  if (turn && *turn != 0) {
    for (int k = 0; k < 3; ++k) {
      if (sign_of(axis, t[k], t[(k + 1) % 3], p) == -*turn &&
          sign_of(axis, t[k], t[(k + 1) % 3], q) == -*turn) {
        return true;
      }
    }
  }
  const std::optional<int> side = sign_of(axis, p, q, t[0]);
  return side && *side != 0 && sign_of(axis, p, q, t[1]) == side && sign_of(axis, p, q, t[2]) == side;
}

/// Whether two closed segments in space, each possibly a point, have a common point.
bool segments_meet(const RationalVector& p, const RationalVector& q, const RationalVector& a,
                   const RationalVector& b) {
  const RationalVector along = q - p, other = b - a, offset = a - p;
  const RationalVector normal = cross(along, other);
  if (!is_zero(normal)) {
    if (dot(offset, normal) != 0) return false;
    const Rational size = dot(normal, normal);
    const Rational s = dot(cross(offset, other), normal), r = dot(cross(offset, along), normal);
    return s >= 0 && s <= size && r >= 0 && r <= size;
  }
  // Parallel, or one is a point: they meet only on a common line, where intervals are compared.
  const bool point = is_zero(along);
  const RationalVector& direction = point ? other : along;
  if (is_zero(direction)) return is_zero(offset);
  if (!is_zero(cross(offset, direction))) return false;
  const Rational p1 = 0, q1 = dot(along, direction), a1 = dot(offset, direction),
                 b1 = a1 + dot(other, direction);
  return std::max(p1, q1) >= std::min(a1, b1) && std::max(a1, b1) >= std::min(p1, q1);
}

/// Whether two convex hulls of points are proven farther apart than r, by their heights along n, which need
/// not have unit length: floating point, with its rounding taken off.
template <std::size_t first, std::size_t second>
bool proven_apart(const std::array<Vector3, first>& a, const std::array<Vector3, second>& b, const Vector3& n,
                  double r) {
  double least = std::numeric_limits<double>::infinity(), size = 0;
  for (const Vector3& x : a) {
    for (const Vector3& y : b) {
      double height = 0, magnitude = 0;
      for (int i = 0; i < 3; ++i) {
        const double product = n[i] * (x[i] - y[i]);
        height += product;
        magnitude += std::abs(product);
      }
      if (!std::isfinite(magnitude)) return false;
      least = std::min(least, height);
      size = std::max(size, magnitude);
    }
  }
  const double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  return length > 0 && least > 8 * u * size + (1 + 8 * u) * r * length + underflow;
}

bool point_within(const RationalVector& p, const RationalVector& q, const Rational& squared) {
  const RationalVector d = p - q;
  return dot(d, d) <= squared;
}

/// Of the inside of the segment ab alone: its ends are points.
bool inner_segment_within(const RationalVector& p, const RationalVector& a, const RationalVector& b,
                          const Rational& squared) {
  const RationalVector along = b - a, offset = p - a;
  const Rational length = dot(along, along), foot = dot(offset, along);
  if (!(foot > 0 && foot < length)) return false;
  const RationalVector area = cross(along, offset);
  return dot(area, area) <= squared * length;
}

}  // namespace

bool segments_within(const Vector3& p, const Vector3& q, const Vector3& a, const Vector3& b, double r) {
  // Directions that mostly prove it: between the middles, across both, and across each in turn.
  const std::array<Vector3, 2> first = {p, q}, second = {a, b};
  const Vector3 middle = 0.5 * (p + q) - 0.5 * (a + b), along = q - p, other = b - a;
  const auto proven = [&](const Vector3& n) {
    return proven_apart(first, second, n, r) || proven_apart(first, second, -n, r);
  };
  if (proven(middle)) return false;
  if (p != q || a != b) {
    if (proven(along.cross(other))) return false;
    const auto across = [&](const Vector3& edge, const Vector3& from) -> Vector3 {
      return from - edge * (from.dot(edge) / edge.squaredNorm());
    };
    for (const Vector3& y : {a, b}) {
      if (p != q && proven(across(along, p - y))) return false;
    }
    for (const Vector3& x : {p, q}) {
      if (a != b && proven(across(other, x - a))) return false;
      for (const Vector3& y : {a, b}) {
        if (proven(x - y)) return false;
      }
    }
  }
  const RationalVector rp = rational(p), rq = rational(q), ra = rational(a), rb = rational(b);
  const Rational squared = Rational(r) * Rational(r);
  if (point_within(rp, ra, squared) || point_within(rp, rb, squared) || point_within(rq, ra, squared) ||
      point_within(rq, rb, squared) || inner_segment_within(rp, ra, rb, squared) ||
      inner_segment_within(rq, ra, rb, squared) || inner_segment_within(ra, rp, rq, squared) ||
      inner_segment_within(rb, rp, rq, squared))
    return true;
  // Insides of both: their lines are nearest to each other in them.
  const RationalVector s = rq - rp, t = rb - ra, offset = ra - rp, normal = cross(s, t);
  if (is_zero(normal)) return false;
  const Rational size = dot(normal, normal), at_s = dot(cross(offset, t), normal),
                 at_t = dot(cross(offset, s), normal), height = dot(offset, normal);
  return at_s >= 0 && at_s <= size && at_t >= 0 && at_t <= size && height * height <= squared * size;
}

bool point_triangle_within(const Vector3& p, const Vector3& a, const Vector3& b, const Vector3& c, double r) {
  const std::array<Vector3, 1> point = {p};
  const std::array<Vector3, 3> triangle = {a, b, c};
  const auto proven = [&](const Vector3& n) {
    return proven_apart(point, triangle, n, r) || proven_apart(point, triangle, -n, r);
  };
  if (proven((b - a).cross(c - a)) || proven(p - (a + b + c) / 3)) return false;
  for (int k = 0; k < 3; ++k) {
    const Vector3 from = p - triangle[k], edge = triangle[(k + 1) % 3] - triangle[k];
    if (proven(from) || proven(from - edge * (from.dot(edge) / edge.squaredNorm()))) return false;
  }
  const RationalVector rp = rational(p), ra = rational(a), rb = rational(b), rc = rational(c);
  const Rational squared = Rational(r) * Rational(r);
  for (const RationalVector& corner : {ra, rb, rc}) {
    if (point_within(rp, corner, squared)) return true;
  }
  if (inner_segment_within(rp, ra, rb, squared) || inner_segment_within(rp, rb, rc, squared) ||
      inner_segment_within(rp, rc, ra, squared))
    return true;
  const RationalVector normal = cross(rb - ra, rc - ra);
  if (is_zero(normal)) return false;
  const auto inside = [&](const RationalVector& x, const RationalVector& y) {
    return dot(cross(y - x, rp - x), normal) >= 0;
  };
  const Rational height = dot(rp - ra, normal);
  return inside(ra, rb) && inside(rb, rc) && inside(rc, ra) &&
         height * height <= squared * dot(normal, normal);
}

bool within_plane(const Vector3& x, const Vector3& point, const Vector3& normal, double r) {
  if (r == 0) return side_of_plane(x, point, normal) <= 0;
  if (proven_apart(std::array{x}, std::array{point}, normal, r)) return false;
  const RationalVector n = rational(normal);
  const Rational height = dot(n, rational(x) - rational(point));
  return height <= 0 || height * height <= Rational(r) * Rational(r) * dot(n, n);
}

int orientation(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d) {
  if (const auto filtered = filtered_orientation(a, b, c, d)) return *filtered;
  const RationalVector origin = rational(a);
  return sign(dot(rational(b) - origin, cross(rational(c) - origin, rational(d) - origin)));
}

int orientation_along(int axis, const Vector3& a, const Vector3& b, const Vector3& c) {
  if (const auto filtered = filtered_orientation_along(axis, a, b, c)) return *filtered;
  const int i = (axis + 1) % 3, j = (axis + 2) % 3;
  const Rational ai(a[i]), aj(a[j]);
  return sign(Rational((Rational(b[i]) - ai) * (Rational(c[j]) - aj) -
                       (Rational(b[j]) - aj) * (Rational(c[i]) - ai)));
}

int side_of_plane(const Vector3& x, const Vector3& point, const Vector3& normal) {
  double sum = 0, magnitude = 0;
  for (int i = 0; i < 3; ++i) {
    const double product = normal[i] * (x[i] - point[i]);
    sum += product;
    magnitude += std::abs(product);
  }
  const double error = 8 * u * magnitude + underflow;
  if (sum > error) return 1;
  if (sum < -error) return -1;
  return sign(dot(rational(normal), rational(x) - rational(point)));
}

bool segment_meets_triangle(const Vector3& p, const Vector3& q, const Vector3& a, const Vector3& b,
                            const Vector3& c) {
  const std::optional<int> quick_p = filtered_orientation(a, b, c, p),
                           quick_q = filtered_orientation(a, b, c, q);
  if (quick_p && quick_p == quick_q && *quick_p != 0) return false;

  // Segments in or near the triangle's plane are mostly beside it: seen along an axis, a line separates them.
  const std::array<Vector3, 3> triangle = {a, b, c};
  for (int axis = 0; axis < 3; ++axis) {
    if (separated_along(axis, p, q, triangle, filtered_orientation_along)) return false;
  }

  const int side_p = quick_p ? *quick_p : orientation(a, b, c, p);
  const int side_q = quick_q ? *quick_q : orientation(a, b, c, q);
  if (side_p * side_q > 0) return false;
  if (side_p != 0 || side_q != 0) {
    // The segment meets the plane in one point; it is in the triangle if the line turns one way around it.
    const int ab = orientation(p, q, a, b), bc = orientation(p, q, b, c), ca = orientation(p, q, c, a);
    return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
  }
  // All in one plane: what holds along an axis that the plane does not contain holds in the plane.
  for (int axis = 0; axis < 3; ++axis) {
    if (orientation_along(axis, a, b, c) == 0) continue;
    return !separated_along(axis, p, q, triangle, [](int along, const auto& x, const auto& y, const auto& z) {
      return std::optional<int>(orientation_along(along, x, y, z));
    });
  }
  // A triangle without area is the union of its edges.
  const RationalVector rp = rational(p), rq = rational(q), ra = rational(a), rb = rational(b),
                       rc = rational(c);
  return segments_meet(rp, rq, ra, rb) || segments_meet(rp, rq, rb, rc) || segments_meet(rp, rq, rc, ra);
}

}  // namespace bulwark::exact
