// How each solid shape is filled with tetrahedra; surface_mesh and solid_mesh of shapes.hpp choose among
// these. Parameters are already checked there.
#pragma once

#include <bulwark/geometry/shapes.hpp>

namespace bulwark {

/// `resolution` is the target edge length; 0 asks for the shape's own default.
TetMesh fill(const BoxShape& box, double resolution);
TetMesh fill(const SphereShape& sphere, double resolution);
TetMesh fill(const CylinderShape& cylinder, double resolution);
TetMesh fill(const CapsuleShape& capsule, double resolution);
TetMesh fill(const ConeShape& cone, double resolution);
TetMesh fill(const TorusShape& torus, double resolution);
TetMesh fill(const RingShape& ring, double resolution);
TetMesh fill(const TetrahedronShape& tetrahedron, double resolution);
TetMesh fill(const GearShape& gear, double resolution);
TetMesh fill(const BoltShape& bolt, double resolution);
TetMesh fill(const NutShape& nut, double resolution);

/// Number of pieces of at most the target edge length that a length is cut into, at least one.
double pieces(double length, double edge);

/// Throws InputError when a resolution asks for more tetrahedra than memory can hold (max_shape_tetrahedra).
void require_reasonable(const char* shape, double tetrahedra);
inline constexpr double max_shape_tetrahedra = 2e7;

}  // namespace bulwark
