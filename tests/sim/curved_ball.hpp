// A ball of curved elements: a ball of tetrahedra raised to some order, its outer nodes moved onto the sphere.
#pragma once

#include <bulwark/geometry/shapes.hpp>
#include <bulwark/geometry/solid_mesh.hpp>

#include <set>

namespace bulwark::test {

inline SolidMesh curved_ball(double radius, double resolution, int order) {
  SolidMesh mesh = raised(as_solid_mesh(solid_mesh(SphereShape{radius}, resolution)), order);
  std::set<int> outer;
  for (const Triangle& t : boundary_triangles(mesh)) outer.insert(t.begin(), t.end());
  for (const int node : outer) mesh.vertices.col(node) *= radius / mesh.vertices.col(node).norm();
  return mesh;
}

}  // namespace bulwark::test
