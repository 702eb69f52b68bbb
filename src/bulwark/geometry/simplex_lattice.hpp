// Builds conforming tetrahedral meshes of shapes: coarse corners, regularly subdivided simplices between
// them, and prisms between two layers. Used by the fill functions of solid_shapes.hpp.
#pragma once

#include <bulwark/geometry/mesh.hpp>

#include <array>
#include <functional>
#include <map>
#include <span>
#include <vector>

namespace bulwark {

/// A point of the lattice is (w_0 C_0 + ... + w_3 C_3) / n with corners C and whole weights w that sum to n.
/// Points are told apart by their weights, never by floating-point coordinates, so neighbours that share
/// corners share points exactly.
class SimplexLattice {
 public:
  /// A coarse point, at a place in reference coordinates; returns its number.
  int add_corner(const Vector3& reference);

  /// The n*n triangles of a regularly subdivided triangle, as point numbers.
  std::vector<Triangle> subdivide(const std::array<int, 3>& corners, int n);

  /// Adds the n*n*n tetrahedra of an edgewise subdivided tetrahedron. Its faces are subdivided regularly, as
  /// subdivide() does, hence conform to those of neighbours.
  void add_subdivided(const std::array<int, 4>& corners, int n);

  /// Adds the three tetrahedra of the prism between two triangles. Each four-sided face is cut through its
  /// point of smallest number, a rule on which both prisms at that face agree.
  void add_prism(const Triangle& bottom, const Triangle& top);

  void add_tetrahedron(const Tetrahedron& points) { tetrahedra_.push_back(points); }

  /// A point that is a corner.
  int corner_point(int corner);

  /// Where a point is in reference coordinates.
  const Vector3& reference(int point) const { return points_[point]; }

  /// The mesh of those points that are used, moved from reference coordinates to the shape, with all
  /// tetrahedra positive.
  TetMesh mesh(const std::function<Vector3(const Vector3&)>& place) const;

 private:
  using Weights = std::array<int, 8>;  // up to four pairs (corner, weight), ascending corners, unused ones -1
  int point(std::span<const int> corners, std::span<const int> weights);

  std::vector<Vector3> corners_;
  std::vector<Vector3> points_;
  std::map<Weights, int> numbers_;
  std::vector<Tetrahedron> tetrahedra_;
};

}  // namespace bulwark
