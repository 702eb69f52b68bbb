// One moment of a run as plain data: what a frame file holds, and what `check`, `render` and the viewers read
// back. It is complete in itself: the rules of who may touch whom travel with it.
#pragma once

#include <bulwark/collision/collision_mesh.hpp>
#include <bulwark/geometry/mesh.hpp>
#include <bulwark/geometry/solid_mesh.hpp>
#include <bulwark/math/symmetric_tensors.hpp>
#include <bulwark/math/types.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bulwark {

struct FramePlane {
  int point = 0;  ///< the point of the frame that the plane goes through
  Vector3 normal = Vector3::UnitY();
  int body = 0;
};

/// A joint as a picture shows it.
struct FrameJoint {
  std::string name, kind;
  std::array<int, 2> bodies = {-1, -1};  ///< -1: the world
  /// Its point as a point of each body. They differ where a joint allows a distance.
  std::array<Vector3, 2> points = {Vector3::Zero(), Vector3::Zero()};
  /// Its axis as a direction of each body; zero where it has none.
  std::array<Vector3, 2> axes = {Vector3::Zero(), Vector3::Zero()};
};

/// A hexahedron, or a tetrahedron of order 2 and more: its points are in the order of geometry/solid_mesh.hpp.
struct FrameSolid {
  CellShape shape = CellShape::tetrahedron;
  int order = 2;
  std::vector<int> points;

  bool operator==(const FrameSolid&) const = default;
};

/// Stress and strain at the points (sim/stress_field.hpp), 0 where there is no solid; what was not asked for is empty.
struct PointStresses {
  std::vector<double> von_mises;       ///< of the Cauchy stress, Pa
  SymmetricTensors cauchy, second;     ///< Pa
  SymmetricTensors strain;             ///< Green's
  Vectors principal;                   ///< of the Cauchy stress, descending, Pa
  std::vector<double> energy_density;  ///< by volume at rest, J/m^3
};

struct Frame {
  std::int64_t step = 0;
  double time = 0;  ///< s

  // Points: every node of the deformable bodies, every vertex of the stiff bodies and the obstacles.
  Vectors position;
  std::vector<int> point_body;
  Vectors velocity;                      ///< m/s; empty when not asked for
  Vectors contact_force;                 ///< normal and friction, N; empty when not asked for
  std::vector<double> contact_pressure;  ///< Pa; empty when not asked for
  Vectors contact_traction;              ///< of friction, Pa; empty when not asked for
  PointStresses stress;
  std::vector<double> radius;  ///< of the solid around cells with the point, m; empty where none has one
  Vectors rest;                ///< at rest; only where solids with radii may meet themselves, else empty

  // Cells, by point number: solids, then what stiff bodies and obstacles are made of.
  std::vector<Tetrahedron> tetrahedra;
  std::vector<FrameSolid>
      solids;  ///< other solids, those of a kind together: their surfaces that collide are among the triangles
  std::vector<Triangle> triangles;
  std::vector<Edge> segments;
  std::vector<int> vertices;
  /// Triangles that are drawn of solids with radii in place of their cells above, and have points of their own.
  /// They do not collide.
  std::vector<Triangle> skin;
  std::vector<double>
      von_mises_stress;  ///< per tetrahedron, then per other solid, Pa; empty when not asked for

  std::vector<FramePlane> planes;
  std::vector<std::string> body_names;
  std::vector<CollisionBody> bodies;
  std::vector<std::array<int, 2>> exempt_pairs;     ///< of bodies that do not collide with each other
  std::vector<std::array<int, 2>> unguarded_pairs;  ///< of bodies that touch by a model that promises nothing
  std::vector<FrameJoint> joints;
};

/// look(number, points) for all solids, in the order of the stress.
template <class Look>
void for_each_solid(const Frame& frame, Look&& look) {
  std::size_t number = 0;
  for (const Tetrahedron& cell : frame.tetrahedra) look(number++, std::span<const int>(cell));
  for (const FrameSolid& cell : frame.solids) look(number++, std::span<const int>(cell.points));
}

/// The surface of a frame that collides: the boundary of its tetrahedra and the parts of its obstacles. Its
/// vertices are the frame's points, so `frame.position` gives their places.
CollisionMesh collision_surface(const Frame& frame);

/// What is seen of a frame: the boundary of its solids, other cells, and skins in place of what they cover.
struct DrawnCells {
  std::vector<Triangle> triangles;
  std::vector<Edge> segments;
  std::vector<int> vertices;
};
DrawnCells drawn_cells(const Frame& frame);

}  // namespace bulwark
