#include <bulwark/geometry/sheet_shapes.hpp>
#include <bulwark/geometry/solid_shapes.hpp>

#include <cmath>

namespace bulwark {
namespace {

/// Cells with diagonals that alternate like a chess board, so that a sheet has no preferred direction.
SurfaceMesh chequered_sheet(const Vector2& size, int m, int n) {
  SurfaceMesh mesh;
  mesh.vertices.resize(3, Eigen::Index(m + 1) * (n + 1));
  const auto index = [m](int i, int j) { return j * (m + 1) + i; };
  for (int j = 0; j <= n; ++j) {
    for (int i = 0; i <= m; ++i) {
      mesh.vertices.col(index(i, j)) =
          Vector3((double(i) / m - 0.5) * size[0], 0, (double(j) / n - 0.5) * size[1]);
    }
  }
  mesh.triangles.reserve(2 * std::size_t(m) * n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      const int a = index(i, j), b = index(i + 1, j), c = index(i + 1, j + 1), d = index(i, j + 1);
      if ((i + j) % 2 == 0) {
        mesh.triangles.push_back({a, c, b});
        mesh.triangles.push_back({a, d, c});
      } else {
        mesh.triangles.push_back({a, d, b});
        mesh.triangles.push_back({b, d, c});
      }
    }
  }
  return mesh;
}

}  // namespace

SurfaceMesh sheet(const GridShape& grid) {
  return chequered_sheet(grid.size, grid.cells[0], grid.cells[1]);
}

SurfaceMesh sheet(const LineShape& line) {
  SurfaceMesh mesh;
  mesh.vertices.resize(3, line.segments + 1);
  for (int i = 0; i <= line.segments; ++i) {
    const double t = double(i) / line.segments;
    mesh.vertices.col(i) = (1 - t) * line.from + t * line.to;
    if (i > 0) mesh.edges.push_back({i - 1, i});
  }
  return mesh;
}

SurfaceMesh sheet(const CircleShape& circle) {
  SurfaceMesh mesh;
  mesh.vertices.resize(3, circle.segments);
  for (int i = 0; i < circle.segments; ++i) {
    const double angle = 2 * M_PI * i / circle.segments;
    mesh.vertices.col(i) = circle.radius * Vector3(std::cos(angle), 0, std::sin(angle));
    mesh.edges.push_back({i, (i + 1) % circle.segments});
  }
  return mesh;
}

SurfaceMesh sheet(const TubeShape& tube, double resolution) {
  const double edge = resolution > 0 ? resolution : tube.radius / 3;
  // Around, an even number, so that the chequered diagonals close.
  const double wanted = std::max(3.0, pieces(M_PI * tube.radius, edge)), rows = pieces(tube.height, edge);
  require_reasonable("tube", 4 * wanted * rows);
  const int m = 2 * int(wanted), n = int(rows);
  SurfaceMesh mesh;
  mesh.vertices.resize(3, Eigen::Index(m) * (n + 1));
  for (int j = 0; j <= n; ++j) {
    for (int i = 0; i < m; ++i) {
      const double angle = 2 * M_PI * i / m;
      mesh.vertices.col(j * m + i) = Vector3(
          tube.radius * std::cos(angle), (double(j) / n - 0.5) * tube.height, tube.radius * std::sin(angle));
    }
  }
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      const int a = j * m + i, b = j * m + (i + 1) % m, c = b + m, d = a + m;
      if ((i + j) % 2 == 0) {
        mesh.triangles.push_back({a, c, b});
        mesh.triangles.push_back({a, d, c});
      } else {
        mesh.triangles.push_back({a, d, b});
        mesh.triangles.push_back({b, d, c});
      }
    }
  }
  return mesh;
}

SurfaceMesh sheet(const PointsShape& cloud) {
  SurfaceMesh mesh;
  mesh.vertices.resize(3, cloud.points.size());
  for (std::size_t i = 0; i < cloud.points.size(); ++i) {
    mesh.vertices.col(i) = cloud.points[i];
    mesh.points.push_back(int(i));
  }
  return mesh;
}

SurfaceMesh sheet(const HeightFieldShape& field) {
  const int rows = int(field.heights.size()), columns = int(field.heights.front().size());
  SurfaceMesh mesh = chequered_sheet(field.size, columns - 1, rows - 1);
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < columns; ++i) mesh.vertices(1, Eigen::Index(j) * columns + i) = field.heights[j][i];
  }
  return mesh;
}

}  // namespace bulwark
