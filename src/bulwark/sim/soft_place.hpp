// Where points lie in and on a soft body as it is now: its elements and the primitives of its surface, found by the
// boxes around them. For those who tie other bodies to it (soft_point.hpp).
#pragma once

#include <bulwark/bodies/element_geometry.hpp>
#include <bulwark/geometry/box_tree.hpp>

#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace bulwark {

struct World;
struct Body;

/// A solid element as it is now, and where a point lies in it.
struct ElementPlace {
  const Element* element = nullptr;
  ElementGeometry geometry;
  Vector3 parent = Vector3::Zero();
  double size = 0;
  double outside = std::numeric_limits<double>::infinity();  ///< 0 inside

  bool inside() const { return outside <= 1e-9; }
};

class SoftElements {
 public:
  SoftElements(const World& world, const Body& body);
  /// The element that x lies in, or else the one that it is nearest to; none where none is near.
  ElementPlace at(const Vector3& x) const;

 private:
  /// The element's controls as they are now, and their extent.
  ElementPlace place_of(const Element& element, Eigen::AlignedBox3d& box) const;

  const World& world_;
  std::vector<int> elements_;
  BoxTree tree_;  ///< of their boxes, each grown by the element's size
};

/// The primitive of the surface next to a point.
struct SurfacePlace {
  std::vector<int> primitive;                   ///< its vertices
  std::vector<std::pair<int, double>> nearest;  ///< its point, as a combination of them
  double squared_distance = std::numeric_limits<double>::infinity();

  double distance() const { return std::sqrt(squared_distance); }
};

class SoftSurface {
 public:
  SoftSurface(const World& world, const Body& body);
  /// Triangles go before their edges and segments before their ends: they have more directions.
  SurfacePlace nearest(const Vector3& x) const;
  Vector3 vertex(int number) const { return vertices_.col(number - first_); }
  double size() const { return size_; }

 private:
  void consider(const std::vector<int>& primitive, const Vector3& x, SurfacePlace& place) const;

  int first_;
  Vectors vertices_;
  double size_ = 0;                           ///< of the box around the surface
  std::vector<std::vector<int>> primitives_;  ///< triangles, free segments, and vertices that are in neither
  BoxTree tree_;
};

}  // namespace bulwark
