// The distance of points to a surface, with a sign: the nearest triangle says how far, the winding number on which
// side. So it is right for any closed surface, convex or not, and for one with small faults nearly so.
#pragma once

#include <bulwark/geometry/mesh.hpp>

#include <array>
#include <vector>

namespace bulwark {

class SignedDistance {
 public:
  /// Triangles that are oriented outward.
  SignedDistance(Vectors vertices, std::vector<Triangle> triangles);

  /// Below 0 inside (m); infinite where there are no triangles.
  double operator()(const Vector3& point) const;
  /// Without the sign.
  double unsigned_distance(const Vector3& point) const;
  /// The nearest triangle's corners; there must be one.
  std::array<Vector3, 3> nearest_triangle(const Vector3& point) const;
  bool inside(const Vector3& point) const;

 private:
  /// A box around triangles first to last - 1 of the order; inner nodes have two children.
  struct Node {
    Vector3 low, high;
    int first = 0, last = 0;
    int left = -1, right = -1;
  };
  struct Nearest {
    double squared_distance;
    int triangle;  ///< -1 where there are none
  };
  Nearest nearest(const Vector3& point) const;
  int build(int first, int last, std::vector<Vector3>& centers);
  double distance_to_box(const Node& node, const Vector3& point) const;

  Vectors vertices_;
  std::vector<Triangle> triangles_;
  std::vector<Node> nodes_;  ///< the root first
};

}  // namespace bulwark
