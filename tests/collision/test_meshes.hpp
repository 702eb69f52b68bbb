// Collision meshes for the tests of this layer, made without bodies or scenes.
#pragma once

#include <bulwark/collision/collision_mesh.hpp>

#include <cmath>
#include <numbers>
#include <random>

namespace bulwark::test {

/// A collision mesh and where its vertices are; bodies are added one by one.
struct TestMesh {
  CollisionMesh mesh;
  Vectors positions{3, 0};

  /// Adds a body of the given surface (triangles' edges are added by themselves) and returns its index.
  int add(const SurfaceMesh& surface, const CollisionBody& body = {}) {
    const int index = static_cast<int>(mesh.bodies.size()), offset = mesh.vertex_count();
    mesh.bodies.push_back(body);
    for (const Triangle& t : surface.triangles)
      mesh.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
    for (const Edge& e : unique_edges(surface.triangles))
      mesh.edges.push_back({e[0] + offset, e[1] + offset});
    for (const Edge& e : surface.edges) mesh.edges.push_back({e[0] + offset, e[1] + offset});
    const int count = static_cast<int>(surface.vertices.cols());
    for (int v = 0; v < count; ++v) {
      mesh.vertex_body.push_back(index);
      mesh.points.push_back(offset + v);
    }
    positions.conservativeResize(3, offset + count);
    positions.rightCols(count) = surface.vertices;
    return index;
  }

  int add_plane(const Vector3& point, const Vector3& normal, const CollisionBody& body = {.obstacle = true}) {
    const int index = static_cast<int>(mesh.bodies.size()), vertex = mesh.vertex_count();
    mesh.bodies.push_back(body);
    mesh.vertex_body.push_back(index);
    mesh.planes.push_back({vertex, normal, index});
    positions.conservativeResize(3, vertex + 1);
    positions.col(vertex) = point;
    return index;
  }
};

/// A closed sphere of 4 rings^2 triangles, roughly.
inline SurfaceMesh sphere(int rings, double radius, const Vector3& center = Vector3::Zero()) {
  const int around = 2 * rings;
  SurfaceMesh s;
  s.vertices.resize(3, (rings - 1) * around + 2);
  for (int i = 1; i < rings; ++i) {
    for (int j = 0; j < around; ++j) {
      const double theta = std::numbers::pi * i / rings, phi = 2 * std::numbers::pi * j / around;
      s.vertices.col((i - 1) * around + j) =
          center +
          radius * Vector3(std::sin(theta) * std::cos(phi), std::cos(theta), std::sin(theta) * std::sin(phi));
    }
  }
  const int top = (rings - 1) * around, bottom = top + 1;
  s.vertices.col(top) = center + Vector3(0, radius, 0);
  s.vertices.col(bottom) = center - Vector3(0, radius, 0);
  for (int j = 0; j < around; ++j) {
    const int next = (j + 1) % around, last = (rings - 2) * around;
    s.triangles.push_back({top, next, j});
    s.triangles.push_back({bottom, last + j, last + next});
    for (int i = 0; i + 2 < rings; ++i) {
      const int a = i * around + j, b = i * around + next, c = a + around, d = b + around;
      s.triangles.push_back({a, b, c});
      s.triangles.push_back({b, d, c});
    }
  }
  return s;
}

/// Triangles of random size and place in the unit cube that share no vertices, and some free edges.
inline SurfaceMesh soup(int triangles, int edges, double size, std::mt19937& random) {
  std::uniform_real_distribution<double> unit(0, 1), offset(-size, size);
  SurfaceMesh s;
  s.vertices.resize(3, 3 * triangles + 2 * edges);
  auto place = [&](int begin, int count) {
    const Vector3 center(unit(random), unit(random), unit(random));
    for (int k = 0; k < count; ++k) {
      s.vertices.col(begin + k) = center + Vector3(offset(random), offset(random), offset(random));
    }
  };
  for (int t = 0; t < triangles; ++t) {
    place(3 * t, 3);
    s.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  for (int e = 0; e < edges; ++e) {
    const int v = 3 * triangles + 2 * e;
    place(v, 2);
    s.edges.push_back({v, v + 1});
  }
  return s;
}

inline Vectors random_vectors(int count, double size, std::mt19937& random) {
  std::uniform_real_distribution<double> offset(-size, size);
  return Vectors::NullaryExpr(3, count, [&] { return offset(random); });
}

}  // namespace bulwark::test
