// Boxes of a regular grid of hexahedra.
#pragma once

#include <bulwark/geometry/solid_mesh.hpp>

#include <array>

namespace bulwark {

/// A box around the origin with so many cells along x, y and z. Cells and corners are numbered along x first, then y,
/// then z; other nodes follow the corners as in `raised`. Throws InputError for sides or cells that are not
/// positive, and for more cells than memory can hold.
SolidMesh hexahedral_box(const Vector3& sides, const std::array<int, 3>& cells, int order);

}  // namespace bulwark
