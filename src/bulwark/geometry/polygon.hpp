// Cuts a polygon in space into triangles; mesh files hold polygons, the simulator knows triangles only.
#pragma once

#include <bulwark/geometry/mesh.hpp>

#include <span>

namespace bulwark {

/// Appends the triangles of a simple, nearly flat polygon, with its orientation: by cutting ears, so concave
/// polygons are right too. A polygon that has no ear (it crosses itself), or more than 64 corners, is cut as
/// a fan.
void triangulate_polygon(const std::vector<Vector3>& vertices, std::span<const int> polygon,
                         std::vector<Triangle>& triangles);

}  // namespace bulwark
