// The shapes without an inside: sheets, wires and points. surface_mesh of shapes.hpp chooses among these.
#pragma once

#include <bulwark/geometry/shapes.hpp>

namespace bulwark {

SurfaceMesh sheet(const GridShape& grid);
SurfaceMesh sheet(const LineShape& line);
SurfaceMesh sheet(const PointsShape& points);
SurfaceMesh sheet(const HeightFieldShape& field);
SurfaceMesh sheet(const CircleShape& circle);
/// `resolution` is the target edge length; 0 asks for the default, a third of the radius.
SurfaceMesh sheet(const TubeShape& tube, double resolution);

}  // namespace bulwark
