// What lies inside the flat faces of a surface.
#pragma once

#include <bulwark/geometry/mesh.hpp>

#include <set>

namespace bulwark {

/// The edges inside the flat faces of a surface: shared by two triangles, of opposite direction, in one
/// plane. A stiff body's faces stay flat, and two flat faces meet first at a corner and a face or at two
/// edges around faces. So contact needs neither these edges nor the vertices that have no others.
struct FlatParts {
  std::set<Edge> edges;
  std::set<int> inner_vertices;
};

FlatParts flat_parts(const SurfaceMesh& mesh);

}  // namespace bulwark
