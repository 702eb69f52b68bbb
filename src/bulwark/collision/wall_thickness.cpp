#include <bulwark/base/parallel.hpp>
#include <bulwark/collision/wall_thickness.hpp>
#include <bulwark/geometry/box_tree.hpp>

#include <cmath>
#include <limits>

namespace bulwark {
namespace {

constexpr double no_wall = std::numeric_limits<double>::infinity();

/// Where a line from `start` along d meets a triangle, in lengths of d; infinite where it does not.
double meeting(const Vector3& start, const Vector3& d, const Vector3& a, const Vector3& b, const Vector3& c) {
  const Vector3 ab = b - a, ac = c - a, p = d.cross(ac);
  const double determinant = ab.dot(p);
  if (determinant == 0) return no_wall;
  const Vector3 from_a = start - a, r = from_a.cross(ab);
  const double u = from_a.dot(p) / determinant, v = d.dot(r) / determinant;
  if (u < 0 || v < 0 || u + v > 1) return no_wall;
  return ac.dot(r) / determinant;
}

/// The triangles of one body.
class Walls {
 public:
  Walls(const CollisionMesh& mesh, const Vectors& positions, std::vector<int> triangles)
      : mesh_(mesh), positions_(positions), triangles_(std::move(triangles)) {
    std::vector<Box> boxes;
    for (const int t : triangles_) {
      Box box;
      for (int axis = 0; axis < 3; ++axis) {
        const double x = corner(t, 0)[axis], y = corner(t, 1)[axis], z = corner(t, 2)[axis];
        box.lower[axis] = std::min({x, y, z});
        box.upper[axis] = std::max({x, y, z});
      }
      boxes.push_back(box);
    }
    tree_.build(boxes, std::vector<BoxTree::Owner>(boxes.size(), {0, false}));
  }

  double behind(int triangle, double deepest) const {
    const Vector3 a = corner(triangle, 0), b = corner(triangle, 1), c = corner(triangle, 2);
    const Vector3 across = (b - a).cross(c - a), start = (a + b + c) / 3;
    if (!(across.norm() > 0)) return no_wall;
    const Vector3 inward = -deepest / across.norm() * across, end = start + inward;
    Box way;
    for (int axis = 0; axis < 3; ++axis) {
      way.lower[axis] = std::min(start[axis], end[axis]);
      way.upper[axis] = std::max(start[axis], end[axis]);
    }
    double nearest = no_wall;
    const std::vector<BoxTree::Node>& nodes = tree_.nodes();
    for (std::size_t n = 0; n < nodes.size();) {
      const BoxTree::Node& node = nodes[n];
      if (!overlap(node.box, way)) {
        n = node.next;
        continue;
      }
      for (int k = node.first; k < node.first + node.count; ++k) {
        const int other = triangles_[tree_.index(k)];
        if (other == triangle || !overlap(tree_.box(k), way)) continue;
        const double part = meeting(start, inward, corner(other, 0), corner(other, 1), corner(other, 2));
        if (part > 0 && part <= 1) nearest = std::min(nearest, part);
      }
      ++n;
    }
    return nearest * deepest;
  }

  const std::vector<int>& triangles() const { return triangles_; }

 private:
  Vector3 corner(int triangle, int k) const { return positions_.col(mesh_.triangles[triangle][k]); }

  const CollisionMesh& mesh_;
  const Vectors& positions_;
  std::vector<int> triangles_;
  BoxTree tree_;
};

}  // namespace

std::vector<double> wall_thickness(const CollisionMesh& mesh, const Vectors& positions,
                                   const std::vector<double>& deepest) {
  std::vector<double> thickness(mesh.triangles.size(), no_wall);
  std::vector<std::vector<int>> of_body(mesh.bodies.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const int body = mesh.vertex_body[mesh.triangles[t][0]];
    if (std::isfinite(deepest[body])) of_body[body].push_back(static_cast<int>(t));
  }
  for (std::size_t body = 0; body < of_body.size(); ++body) {
    if (of_body[body].empty()) continue;
    const Walls walls(mesh, positions, std::move(of_body[body]));
    parallel_for(walls.triangles().size(), [&](std::size_t k) {
      const int t = walls.triangles()[k];
      thickness[t] = walls.behind(t, deepest[body]);
    });
  }
  return thickness;
}

}  // namespace bulwark
