// Disks of triangles for the round shapes: a hexagon of six subdivided triangles, whose rings are pulled to
// circles.
#pragma once

#include <bulwark/geometry/simplex_lattice.hpp>

namespace bulwark {

/// Six triangles around a centre, in the plane y = height of the reference space.
struct Hexagon {
  int centre;
  std::array<int, 6> rim;
};

Hexagon add_hexagon(SimplexLattice& lattice, double height);

/// The hexagon's triangles, each cut into n*n: the disk then has n rings, the k-th of 6k points.
std::vector<Triangle> subdivide(SimplexLattice& lattice, const Hexagon& hexagon, int n);

/// Adds the prisms between corresponding triangles of two disks.
void stack(SimplexLattice& lattice, const std::vector<Triangle>& bottom, const std::vector<Triangle>& top);

/// A point of the unit hexagon as the ring it is on (0 centre, 1 rim) and its angle from x towards z; points
/// of a ring are spread evenly.
struct RingAngle {
  double ring, angle;
};

RingAngle ring_angle(double x, double z);

}  // namespace bulwark
