// Meshes as plain data: what shapes make, files hold, and bodies are built from.
#pragma once

#include <bulwark/math/types.hpp>

#include <array>
#include <vector>

namespace bulwark {

using Edge = std::array<int, 2>;
using Triangle = std::array<int, 3>;
using Tetrahedron = std::array<int, 4>;

/// What an edge of a surface that collides belongs to.
enum class EdgeRole : char {
  of_triangle,
  free,     ///< of no triangle: a free segment, or a lone point
  end,      ///< a point at the end of free segments
  outline,  ///< a segment of a body in the plane z = 0
  corner    ///< a point at the end of such segments
};

/// Whether an edge stands for a point: both its ends are in one vertex.
inline bool is_lone_point(const Edge& edge) {
  return edge[0] == edge[1];
}

inline std::array<Vector3, 4> corners(const Tetrahedron& tetrahedron, const Vectors& points) {
  return {points.col(tetrahedron[0]), points.col(tetrahedron[1]), points.col(tetrahedron[2]),
          points.col(tetrahedron[3])};
}

/// A surface of triangles; also wires (edges that belong to no triangle) and isolated points. Triangles are
/// oriented outward where the surface is closed.
struct SurfaceMesh {
  Vectors vertices;
  std::vector<Triangle> triangles;
  std::vector<Edge> edges;
  std::vector<int> points;
  /// Per vertex, the radius of the solid around its triangles, edges or point (m), the same for all vertices of
  /// one of these; empty where there is none. A point with a radius is a sphere, an edge a capsule.
  std::vector<double> radius;

  double radius_of(int vertex) const { return radius.empty() ? 0 : radius[vertex]; }
};

/// A solid of linear tetrahedra. Positive volume means det(x1-x0, x2-x0, x3-x0) > 0.
struct TetMesh {
  Vectors vertices;
  std::vector<Tetrahedron> tetrahedra;
};

/// Boundary triangles of a tetrahedral mesh, oriented outward, with the mesh's own vertex numbers, in
/// ascending order of the tetrahedron and face they come from.
std::vector<Triangle> boundary_triangles(const std::vector<Tetrahedron>& tetrahedra);

/// All edges of the triangles, each once as (smaller, larger), sorted.
std::vector<Edge> unique_edges(const std::vector<Triangle>& triangles);

double tetrahedron_volume(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d);

/// Volume enclosed by a closed, outward oriented surface.
double enclosed_volume(const Vectors& vertices, const std::vector<Triangle>& triangles);

}  // namespace bulwark
