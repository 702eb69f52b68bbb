// Built-in shapes from JSON that the schema has accepted, and how large their meshes will be.
#pragma once

#include <bulwark/geometry/shapes.hpp>
#include <bulwark/scene/json_text.hpp>

namespace bulwark {

/// Any shape but `plane`, which has no mesh.
Shape read_shape(const Json& shape);

/// The `resolution` beside a shape; 0 when there is none.
double read_resolution(const Json& shape);

/// About how many vertices the mesh of a shape will have, within a small factor: enough to refuse a
/// resolution that would not fit into memory before anything is allocated.
double estimated_vertices(const Shape& shape, double resolution);

}  // namespace bulwark
