#include <bulwark/geometry/append_surface.hpp>
#include <bulwark/geometry/round_skin.hpp>
#include <bulwark/math/rotation.hpp>

#include <algorithm>
#include <map>
#include <numbers>

namespace bulwark {
namespace {

/// Triangles between rings of `around` vertices each, from a first single vertex to a last one.
void stitch_rings(SurfaceMesh& mesh, int rings, int around) {
  const auto at = [&](int ring, int k) { return 1 + ring * around + k % around; };
  const int last = 1 + rings * around;
  for (int k = 0; k < around; ++k) mesh.triangles.push_back({0, at(0, k), at(0, k + 1)});
  for (int ring = 0; ring + 1 < rings; ++ring) {
    for (int k = 0; k < around; ++k) {
      mesh.triangles.push_back({at(ring, k), at(ring + 1, k), at(ring + 1, k + 1)});
      mesh.triangles.push_back({at(ring, k), at(ring + 1, k + 1), at(ring, k + 1)});
    }
  }
  for (int k = 0; k < around; ++k) mesh.triangles.push_back({at(rings - 1, k + 1), at(rings - 1, k), last});
}

}  // namespace

SurfaceMesh sphere_skin(double radius, int around) {
  // An icosahedron, its triangles cut into four as often as it takes: 5, 10, 20, 40 vertices around.
  const double t = 0.5 * (1 + std::sqrt(5.0));
  std::vector<Vector3> vertex = {{-1, t, 0},  {1, t, 0},  {-1, -t, 0}, {1, -t, 0}, {0, -1, t},  {0, 1, t},
                                 {0, -1, -t}, {0, 1, -t}, {t, 0, -1},  {t, 0, 1},  {-t, 0, -1}, {-t, 0, 1}};
  std::vector<Triangle> triangles = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                     {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                     {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                     {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
  for (int now = 5; 3 * now <= 2 * around; now *= 2) {
    std::map<Edge, int> middle;
    const auto middle_of = [&](int a, int b) {
      const auto [found, is_new] =
          middle.emplace(Edge{std::min(a, b), std::max(a, b)}, static_cast<int>(vertex.size()));
      if (is_new) vertex.push_back(vertex[a].normalized() + vertex[b].normalized());
      return found->second;
    };
    std::vector<Triangle> finer;
    for (const auto& [a, b, c] : triangles) {
      const int ab = middle_of(a, b), bc = middle_of(b, c), ca = middle_of(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    triangles = std::move(finer);
  }
  SurfaceMesh mesh;
  mesh.vertices.resize(3, static_cast<Eigen::Index>(vertex.size()));
  for (std::size_t v = 0; v < vertex.size(); ++v)
    mesh.vertices.col(static_cast<Eigen::Index>(v)) = radius * vertex[v].normalized();
  mesh.triangles = std::move(triangles);
  return mesh;
}

SurfaceMesh capsule_skin(double radius, double half, int around) {
  around = std::max(around, 5);
  const int of_cap = std::max(2, around / 4);  // rings from the equator of a cap to below its tip
  SurfaceMesh mesh;
  mesh.vertices.resize(3, 2 + 2 * of_cap * around);
  mesh.vertices.col(0) = Vector3(0, half + radius, 0);
  int next = 1;
  for (int ring = 0; ring < 2 * of_cap; ++ring) {
    const bool upper = ring < of_cap;
    const int from_tip = upper ? ring + 1 : 2 * of_cap - ring;
    const double angle = 0.5 * std::numbers::pi * from_tip / of_cap;
    const double y = (half + radius * std::cos(angle)) * (upper ? 1 : -1);
    for (int k = 0; k < around; ++k) {
      const double turn = 2 * std::numbers::pi * k / around;
      mesh.vertices.col(next++) =
          Vector3(radius * std::sin(angle) * std::sin(turn), y, radius * std::sin(angle) * std::cos(turn));
    }
  }
  mesh.vertices.col(next) = Vector3(0, -half - radius, 0);
  stitch_rings(mesh, 2 * of_cap, around);
  return mesh;
}

SurfaceMesh rounded_box_skin(const Vector3& inner_sides, double radius, int around) {
  // A grid on each side of a cube, whose outer cells are the rounded edges; each place is that of the inner box
  // next to it, and from there outward.
  const int of_edge = std::max(1, around / 8);
  std::vector<double> at;  // -1 to 1: the rounding's share of the directions
  for (int k = 0; k <= of_edge; ++k) at.push_back(-1 + static_cast<double>(k) / of_edge);
  const std::size_t half = at.size();
  for (std::size_t k = 0; k < half; ++k) at.push_back(-at[half - 1 - k]);
  const int n = static_cast<int>(at.size());
  SurfaceMesh mesh;
  std::vector<Vector3> vertex;
  std::map<std::array<int, 3>, int> number;
  const auto place = [&](const std::array<int, 3>& cell) {
    const auto [found, is_new] = number.emplace(cell, static_cast<int>(vertex.size()));
    if (!is_new) return found->second;
    Vector3 corner, direction;
    for (int i = 0; i < 3; ++i) {
      corner[i] = (2 * cell[i] < n ? -0.5 : 0.5) * inner_sides[i];
      direction[i] = std::tan(0.25 * std::numbers::pi * at[cell[i]]);
    }
    vertex.push_back(corner + radius * direction.normalized());
    return found->second;
  };
  for (int axis = 0; axis < 3; ++axis) {
    for (const int side : {0, n - 1}) {
      for (int i = 0; i + 1 < n; ++i) {
        for (int j = 0; j + 1 < n; ++j) {
          std::array<int, 4> corner;
          for (int k = 0; k < 4; ++k) {
            std::array<int, 3> cell;
            cell[axis] = side;
            cell[(axis + 1) % 3] = i + (k == 1 || k == 2 ? 1 : 0);
            cell[(axis + 2) % 3] = j + (k >= 2 ? 1 : 0);
            corner[k] = place(cell);
          }
          if (side == 0) std::swap(corner[1], corner[3]);
          mesh.triangles.push_back({corner[0], corner[1], corner[2]});
          mesh.triangles.push_back({corner[0], corner[2], corner[3]});
        }
      }
    }
  }
  mesh.vertices.resize(3, static_cast<Eigen::Index>(vertex.size()));
  for (std::size_t v = 0; v < vertex.size(); ++v) mesh.vertices.col(static_cast<Eigen::Index>(v)) = vertex[v];
  return mesh;
}

SurfaceMesh round_skin(const SurfaceMesh& mesh, int around) {
  SurfaceMesh skin;
  std::vector<char> used(mesh.vertices.cols(), 0);
  if (!mesh.triangles.empty()) {
    // Vertices move outward by their radius, along the mean of the normals around them.
    SurfaceMesh moved;
    moved.vertices = mesh.vertices;
    moved.triangles = mesh.triangles;
    Vectors normal = Vectors::Zero(3, mesh.vertices.cols());
    for (const Triangle& t : mesh.triangles) {
      const Vector3 a = mesh.vertices.col(t[0]), b = mesh.vertices.col(t[1]), c = mesh.vertices.col(t[2]);
      const Vector3 n = (b - a).cross(c - a);
      for (const int v : t) {
        normal.col(v) += n;
        used[v] = 1;
      }
    }
    for (int v = 0; v < static_cast<int>(used.size()); ++v) {
      if (used[v]) moved.vertices.col(v) += mesh.radius_of(v) * Vector3(normal.col(v)).stableNormalized();
    }
    append_surface(skin, moved);
  }
  for (const Edge& e : mesh.edges) {
    const Vector3 a = mesh.vertices.col(e[0]), b = mesh.vertices.col(e[1]), along = b - a;
    used[e[0]] = used[e[1]] = 1;
    const double radius = mesh.radius_of(e[0]), length = along.norm();
    if (!(radius > 0) || !(length > 0)) continue;
    SurfaceMesh capsule = capsule_skin(radius, 0.5 * length, around);
    const Matrix3 turn = turn_between(Vector3::UnitY(), along).toRotationMatrix();
    capsule.vertices = (turn * capsule.vertices).colwise() + Vector3(0.5 * (a + b));
    append_surface(skin, capsule);
  }
  for (const int p : mesh.points) {
    if (used[p] || !(mesh.radius_of(p) > 0)) continue;
    SurfaceMesh sphere = sphere_skin(mesh.radius_of(p), around);
    sphere.vertices.colwise() += Vector3(mesh.vertices.col(p));
    append_surface(skin, sphere);
  }
  return skin;
}

}  // namespace bulwark
