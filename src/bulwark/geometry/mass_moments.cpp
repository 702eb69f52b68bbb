#include <bulwark/geometry/mass_moments.hpp>

#include <algorithm>
#include <map>
#include <numbers>
#include <set>

namespace bulwark {
namespace {

/// Sums about a reference point near the body, which keeps differences clear of rounding.
struct Sums {
  double volume = 0;
  Vector3 first = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();

  void add(double v, const Vector3& center, const Matrix3& about_center) {
    volume += v;
    first += v * center;
    second += v * (center * center.transpose() + about_center);
  }
};

void add_solid(Sums& sums, const Vectors& x, const std::vector<Triangle>& triangles) {
  for (const Triangle& t : triangles) {
    const Vector3 a = x.col(t[0]), b = x.col(t[1]), c = x.col(t[2]), s = a + b + c;
    const double v = a.dot(b.cross(c)) / 6;
    sums.volume += v;
    sums.first += v / 4 * s;
    sums.second += v / 20 * (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
  }
}

void add_sheets(Sums& sums, const Vectors& x, const std::vector<Triangle>& triangles, double thickness) {
  for (const Triangle& t : triangles) {
    const Vector3 a = x.col(t[0]), b = x.col(t[1]), c = x.col(t[2]), center = (a + b + c) / 3;
    const Vector3 normal = (b - a).cross(c - a);
    const double twice_area = normal.norm();
    if (!(twice_area > 0)) continue;
    Matrix3 about = thickness * thickness / 12 * normal * normal.transpose() / (twice_area * twice_area);
    for (const Vector3& corner : {a, b, c}) about += (corner - center) * (corner - center).transpose() / 12;
    sums.add(0.5 * twice_area * thickness, center, about);
  }
}

void add_wires(Sums& sums, const SurfaceMesh& mesh, const Vectors& x, const std::vector<Edge>& edges,
               double of_wires) {
  for (const Edge& e : edges) {
    const Vector3 a = x.col(e[0]), b = x.col(e[1]), along = b - a;
    const double length = along.norm(), radius = mesh.radius_of(e[0]);
    if (!(length > 0)) continue;
    const Vector3 direction = along / length;
    const double thickness = radius > 0 ? 2 * radius : of_wires;
    if (radius > 0) {
      // Half balls at its ends, whose centers of mass are 3/8 r further out.
      const Matrix3 about =
          radius * radius * (Matrix3::Identity() / 5 - 9.0 / 64 * direction * direction.transpose());
      const double half_ball = 2.0 / 3 * std::numbers::pi * radius * radius * radius;
      sums.add(half_ball, a - 3.0 / 8 * radius * direction, about);
      sums.add(half_ball, b + 3.0 / 8 * radius * direction, about);
    }
    const Matrix3 about =
        along * along.transpose() / 12 +
        thickness * thickness / 16 * (Matrix3::Identity() - direction * direction.transpose());
    sums.add(std::numbers::pi / 4 * thickness * thickness * length, 0.5 * (a + b), about);
  }
}

}  // namespace

bool is_closed(const SurfaceMesh& mesh) {
  if (mesh.triangles.empty() || !mesh.edges.empty() || !mesh.points.empty()) return false;
  std::map<Edge, int> balance;
  for (const Triangle& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      balance[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
    }
  }
  return std::all_of(balance.begin(), balance.end(), [](const auto& entry) { return entry.second == 0; });
}

MassMoments mass_moments(const SurfaceMesh& mesh, double density, double thickness) {
  MassMoments result;
  if (mesh.vertices.cols() == 0) return result;
  const Vector3 reference = mesh.vertices.rowwise().mean();
  const Vectors x = mesh.vertices.colwise() - reference;
  Sums sums;
  if (is_closed(mesh)) {
    add_solid(sums, x, mesh.triangles);
  } else {
    add_sheets(sums, x, mesh.triangles, thickness);
    const std::vector<Edge> of_triangles = unique_edges(mesh.triangles);
    std::vector<Edge> wires;
    std::set<int> in_wire;
    for (const Edge& e : mesh.edges) {
      const Edge sorted = {std::min(e[0], e[1]), std::max(e[0], e[1])};
      in_wire.insert({e[0], e[1]});
      if (!std::binary_search(of_triangles.begin(), of_triangles.end(), sorted)) wires.push_back(sorted);
    }
    add_wires(sums, mesh, x, wires, thickness);
    for (const Triangle& t : mesh.triangles) in_wire.insert({t[0], t[1], t[2]});
    for (const int p : mesh.points) {
      if (in_wire.contains(p)) continue;
      const double diameter = mesh.radius_of(p) > 0 ? 2 * mesh.radius_of(p) : thickness;
      sums.add(std::numbers::pi / 6 * diameter * diameter * diameter, x.col(p),
               diameter * diameter / 20 * Matrix3::Identity());
    }
  }
  result.volume = sums.volume;
  result.mass = density * sums.volume;
  if (sums.volume == 0) return result;
  const Vector3 center = sums.first / sums.volume;
  result.center = reference + center;
  result.second = density * (sums.second - sums.volume * center * center.transpose());
  return result;
}

}  // namespace bulwark
