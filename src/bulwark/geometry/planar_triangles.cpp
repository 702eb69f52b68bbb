#include <bulwark/geometry/planar_outline.hpp>
#include <bulwark/geometry/planar_triangles.hpp>
#include <bulwark/geometry/polygon.hpp>

#include <algorithm>
#include <map>
#include <numbers>
#include <numeric>

namespace bulwark {
namespace {

class TriangleMesh {
 public:
  int add_point(const Vector2& place) {
    points_.push_back(place);
    return static_cast<int>(points_.size()) - 1;
  }
  void add(int a, int b, int c) { cells_.insert(cells_.end(), {a, b, c}); }

  SolidMesh mesh() const {
    SolidMesh result;
    result.shape = CellShape::triangle;
    result.vertices = planar_curve(points_, false).vertices;
    result.cells = cells_;
    return result;
  }

 private:
  std::vector<Vector2> points_;
  std::vector<int> cells_;
};

double signed_area(const Vectors& x, const Triangle& t) {
  const Vector3 u = x.col(t[1]) - x.col(t[0]), v = x.col(t[2]) - x.col(t[0]);
  return u.x() * v.y() - u.y() * v.x();
}

double longest_triangle_side(const SolidMesh& mesh) {
  double longest = 0;
  for (int c = 0; c < mesh.cell_count(); ++c) {
    const std::span<const int> t = mesh.cell(c);
    for (int k = 0; k < 3; ++k)
      longest = std::max(longest, (mesh.vertices.col(t[k]) - mesh.vertices.col(t[(k + 1) % 3])).norm());
  }
  return longest;
}

/// Every triangle as four of half its size.
SolidMesh quartered(const SolidMesh& mesh) {
  const SolidMesh fine = raised(mesh, 2);  // nodes: corners, then the middles of the sides 01, 12 and 20
  SolidMesh result = fine;
  result.order = 1;
  result.cells.clear();
  for (int c = 0; c < fine.cell_count(); ++c) {
    const std::span<const int> n = fine.cell(c);
    for (const Triangle& t : {Triangle{0, 3, 5}, Triangle{3, 1, 4}, Triangle{5, 4, 2}, Triangle{3, 4, 5}})
      result.cells.insert(result.cells.end(), {n[t[0]], n[t[1]], n[t[2]]});
  }
  return result;
}

}  // namespace

SolidMesh triangulated_rectangle(const Vector2& sides, const std::array<int, 2>& cells) {
  TriangleMesh mesh;
  for (int j = 0; j <= cells[1]; ++j) {
    for (int i = 0; i <= cells[0]; ++i) {
      mesh.add_point({sides.x() * (static_cast<double>(i) / cells[0] - 0.5),
                      sides.y() * (static_cast<double>(j) / cells[1] - 0.5)});
    }
  }
  for (int j = 0; j < cells[1]; ++j) {
    for (int i = 0; i < cells[0]; ++i) {
      const int a = j * (cells[0] + 1) + i, b = a + 1, d = a + cells[0] + 1, c = d + 1;
      if ((i + j) % 2 == 0) {
        mesh.add(a, b, c);
        mesh.add(a, c, d);
      } else {
        mesh.add(a, b, d);
        mesh.add(b, c, d);
      }
    }
  }
  return mesh.mesh();
}

SolidMesh triangulated_regular_polygon(double radius, int corners, int parts) {
  TriangleMesh mesh;
  mesh.add_point(Vector2::Zero());
  const std::vector<Vector2> rim = regular_polygon(radius, corners);
  // Ring k has k points to each sector, the first of them on its first corner.
  const auto number = [&](int ring, int sector, int k) {
    if (ring == 0) return 0;
    return 1 + corners * ring * (ring - 1) / 2 + (sector * ring + k) % (corners * ring);
  };
  for (int ring = 1; ring <= parts; ++ring) {
    const double part = static_cast<double>(ring) / parts;
    for (int s = 0; s < corners; ++s) {
      for (int k = 0; k < ring; ++k) {
        const double along = static_cast<double>(k) / ring;
        mesh.add_point(part * ((1 - along) * rim[s] + along * rim[(s + 1) % corners]));
      }
    }
  }
  for (int ring = 1; ring <= parts; ++ring) {
    for (int s = 0; s < corners; ++s) {
      for (int k = 0; k < ring; ++k) {
        mesh.add(number(ring - 1, s, k), number(ring, s, k), number(ring, s, k + 1));
        if (k + 1 < ring)
          mesh.add(number(ring - 1, s, k), number(ring, s, k + 1), number(ring - 1, s, k + 1));
      }
    }
  }
  return mesh.mesh();
}

SolidMesh triangulated_disk(double radius, int rings) {
  SolidMesh mesh = triangulated_regular_polygon(radius, 6, rings);
  for (int ring = 1, v = 1; ring <= rings; ++ring) {
    for (int k = 0; k < 6 * ring; ++k, ++v) {
      const double angle = 2 * std::numbers::pi * k / (6 * ring), part = radius * ring / rings;
      mesh.vertices.col(v) = part * Vector3(std::cos(angle), std::sin(angle), 0);
    }
  }
  return mesh;
}

SolidMesh triangulated_polygon(const std::vector<Vector2>& corners, double resolution) {
  std::vector<Vector3> places;
  for (const Vector2& corner : corners) places.emplace_back(corner.x(), corner.y(), 0);
  std::vector<int> order(corners.size());
  std::iota(order.begin(), order.end(), 0);
  SurfaceMesh surface = planar_curve(corners, true);
  triangulate_polygon(places, order, surface.triangles);
  SolidMesh mesh = planar_solid(surface);
  while (resolution > 0 && longest_triangle_side(mesh) > resolution * (1 + 1e-9)) mesh = quartered(mesh);
  return mesh;
}

SolidMesh planar_solid(const SurfaceMesh& surface) {
  SolidMesh mesh;
  mesh.shape = CellShape::triangle;
  mesh.vertices = surface.vertices;
  for (Triangle t : surface.triangles) {
    if (signed_area(surface.vertices, t) < 0) std::swap(t[1], t[2]);
    mesh.cells.insert(mesh.cells.end(), t.begin(), t.end());
  }
  return mesh;
}

}  // namespace bulwark
