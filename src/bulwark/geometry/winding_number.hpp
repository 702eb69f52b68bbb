// Whether a point is inside of a surface, where the surface may have gaps, overlaps and folds.
#pragma once

#include <bulwark/geometry/mesh.hpp>

namespace bulwark {

/// The number of times that a surface winds around a point: the sum of its triangles' solid angles over 4 pi. Of a
/// closed surface 1 inside and 0 outside; of one with small gaps nearly so.
double winding_number(const Vectors& vertices, const std::vector<Triangle>& triangles, const Vector3& point);

}  // namespace bulwark
