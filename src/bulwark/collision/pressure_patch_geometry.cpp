#include <bulwark/collision/pressure_patch_geometry.hpp>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace bulwark {
namespace {

/// A tetrahedron whose volume is this part of its longest edge's cube is flat: its gradients are rounding.
constexpr double flat_volume = 1e-12;
/// Values that are this part of the largest of a tetrahedron are 0.
constexpr double rounding = 1e-12;
/// Polygons whose area is this part of the square of an edge carry nothing.
constexpr double smallest_area = 1e-16;
/// A polygon in the common face of two tetrahedra is that of the one behind which this direction lies: no mesh has
/// a face along it but by chance.
const Vector3 generic_direction(0.4817630, 0.6217384, 0.6174913);

/// Barycentric coordinates as affine functions: lambda_i(x) = gradient_i . (x - x_0), and + 1 of the first.
struct Barycentric {
  Eigen::Matrix<double, 4, 3> gradient;
  Vector3 origin;
  double length = 0;
  bool flat = false;

  explicit Barycentric(const std::array<Vector3, 4>& x) : origin(x[0]) {
    Matrix3 edges;
    for (int k = 0; k < 3; ++k) {
      edges.col(k) = x[k + 1] - x[0];
      length = std::max(length, edges.col(k).norm());
    }
    flat = !(std::abs(edges.determinant()) > flat_volume * length * length * length);
    if (flat) return;
    gradient.bottomRows<3>() = edges.inverse();
    gradient.row(0) = -gradient.bottomRows<3>().colwise().sum();
  }
  double at(int i, const Vector3& x) const { return gradient.row(i).dot(x - origin) + (i == 0 ? 1 : 0); }
  Eigen::Vector4d at(const Vector3& x) const { return {at(0, x), at(1, x), at(2, x), at(3, x)}; }
};

/// A convex polygon of at most 8 corners.
struct Polygon {
  std::array<Vector3, 10> corner;
  int size = 0;
  void add(const Vector3& x) { corner[size++] = x; }
};

/// The part of the plane where `value` is 0 in a tetrahedron; values by its corners, 0 where they are rounding.
Polygon plane_in_tetrahedron(const std::array<Vector3, 4>& x, const Barycentric& inside,
                             std::array<double, 4> value) {
  const double largest =
      std::max({std::abs(value[0]), std::abs(value[1]), std::abs(value[2]), std::abs(value[3])});
  std::array<int, 4> positive{}, negative{};
  int positives = 0, negatives = 0, zeros = 0, other = 0;
  for (int i = 0; i < 4; ++i) {
    if (std::abs(value[i]) <= rounding * largest) {
      value[i] = 0;
      ++zeros;
    } else {
      other = i;
    }
    if (value[i] >= 0) {
      positive[positives++] = i;
    } else {
      negative[negatives++] = i;
    }
  }
  Polygon polygon;
  if (zeros == 3) {
    if (!(inside.gradient.row(other).dot(generic_direction) > 0)) return polygon;
    for (int i = 0; i < 4; ++i) {
      if (i != other) polygon.add(x[i]);
    }
    return polygon;
  }
  if (zeros == 4 || negatives == 0 || positives == 0) return polygon;
  const auto cut = [&](int i, int j) {
    const double t = value[i] / (value[i] - value[j]);
    polygon.add(x[i] + t * (x[j] - x[i]));
  };
  if (positives == 2) {
    cut(positive[0], negative[0]);
    cut(positive[1], negative[0]);
    cut(positive[1], negative[1]);
    cut(positive[0], negative[1]);
  } else if (positives == 1) {
    for (int k = 0; k < 3; ++k) cut(positive[0], negative[k]);
  } else {
    for (int k = 0; k < 3; ++k) cut(positive[k], negative[0]);
  }
  return polygon;
}

/// Sutherland and Hodgman: the part of the polygon that is in a tetrahedron.
void clip(Polygon& polygon, const Barycentric& inside) {
  for (int face = 0; face < 4 && polygon.size > 0; ++face) {
    std::array<double, 10> value;
    bool in_face = true;
    for (int k = 0; k < polygon.size; ++k) {
      value[k] = inside.at(face, polygon.corner[k]);
      if (std::abs(value[k]) <= rounding) value[k] = 0;
      in_face = in_face && value[k] == 0;
    }
    if (in_face) {
      if (!(inside.gradient.row(face).dot(generic_direction) > 0)) polygon.size = 0;
      continue;
    }
    Polygon kept;
    for (int k = 0; k < polygon.size; ++k) {
      const int next = (k + 1) % polygon.size;
      const double from = value[k], to = value[next];
      if (from >= 0) kept.add(polygon.corner[k]);
      if ((from > 0 && to < 0) || (from < 0 && to > 0))
        kept.add(polygon.corner[k] + from / (from - to) * (polygon.corner[next] - polygon.corner[k]));
    }
    polygon = kept;
  }
}

/// Area and centroid by a fan of triangles; false where there is nothing.
bool measure(const Polygon& polygon, const Vector3& normal, double length, EqualPressure& found) {
  if (polygon.size < 3) return false;
  const Vector3 base = polygon.corner[0];
  Vector3 moment = Vector3::Zero();
  double area = 0;
  for (int k = 2; k < polygon.size; ++k) {
    const Vector3 u = polygon.corner[k - 1] - base, v = polygon.corner[k] - base;
    const double part = 0.5 * u.cross(v).dot(normal);
    area += part;
    moment += part * (u + v) / 3;
  }
  if (!(std::abs(area) > smallest_area * length * length)) return false;
  found.center = base + moment / area;
  found.area = std::abs(area);
  return true;
}

Vector3 gradient_of(const PressureCell& cell, const Barycentric& inside) {
  Vector3 gradient = Vector3::Zero();
  for (int i = 0; i < 4; ++i) gradient += cell.pressure[i] * inside.gradient.row(i).transpose();
  return gradient;
}

double pressure_at(const PressureCell& cell, const Eigen::Vector4d& weight) {
  double pressure = 0;
  for (int i = 0; i < 4; ++i) pressure += cell.pressure[i] * weight[i];
  return pressure;
}

}  // namespace

std::optional<EqualPressure> equal_pressure(const PressureCell& a, const PressureCell& b) {
  const Barycentric in_a(a.x), in_b(b.x);
  if (in_a.flat || in_b.flat) return {};
  const Vector3 gradient_a = gradient_of(a, in_a), gradient_b = gradient_of(b, in_b);
  const Vector3 difference = gradient_a - gradient_b;
  const double steepness = difference.norm();
  if (!(steepness > rounding * (gradient_a.norm() + gradient_b.norm()))) return {};
  EqualPressure found;
  found.normal = difference / steepness;
  found.slope_a = gradient_a.dot(found.normal);
  found.slope_b = -gradient_b.dot(found.normal);
  if (!(found.slope_a > 0) || !(found.slope_b > 0)) return {};
  std::array<double, 4> value;
  for (int i = 0; i < 4; ++i) value[i] = a.pressure[i] - pressure_at(b, in_b.at(a.x[i]));
  Polygon polygon = plane_in_tetrahedron(a.x, in_a, value);
  clip(polygon, in_b);
  if (!measure(polygon, found.normal, std::min(in_a.length, in_b.length), found)) return {};
  found.weight_a = in_a.at(found.center);
  found.weight_b = in_b.at(found.center);
  found.pressure = 0.5 * (pressure_at(a, found.weight_a) + pressure_at(b, found.weight_b));
  if (!(found.pressure > 0)) return {};
  return found;
}

std::optional<EqualPressure> pressure_on_plane(const PressureCell& a, const Vector3& point,
                                               const Vector3& normal) {
  const Barycentric in_a(a.x);
  if (in_a.flat) return {};
  EqualPressure found;
  found.normal = normal;
  found.slope_a = gradient_of(a, in_a).dot(normal);
  found.slope_b = std::numeric_limits<double>::infinity();
  if (!(found.slope_a > 0)) return {};
  std::array<double, 4> value;
  for (int i = 0; i < 4; ++i) value[i] = normal.dot(a.x[i] - point);
  const Polygon polygon = plane_in_tetrahedron(a.x, in_a, value);
  if (!measure(polygon, normal, in_a.length, found)) return {};
  found.weight_a = in_a.at(found.center);
  found.weight_b = {1, 0, 0, 0};
  found.pressure = pressure_at(a, found.weight_a);
  if (!(found.pressure > 0)) return {};
  return found;
}

}  // namespace bulwark
