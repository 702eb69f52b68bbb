// The shapes without an inside: sheets, wires and points. surface_mesh of shapes.hpp chooses among these.
#pragma once

#include <bulwark/geometry/shapes.hpp>

namespace bulwark {

SurfaceMesh sheet(const GridShape& grid);
SurfaceMesh sheet(const LineShape& line);
SurfaceMesh sheet(const PointsShape& points);
SurfaceMesh sheet(const HeightFieldShape& field);

}  // namespace bulwark
