#include <bulwark/bodies/face_surface.hpp>
#include <bulwark/collision/signed_distance.hpp>
#include <bulwark/sim/face_distance.hpp>
#include <bulwark/stencils/closest_points.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <queue>

namespace bulwark {
namespace {

using Corners = std::array<Vector3, 3>;

/// A triangle of a surface, how far from the other one some of its points are, and how far at most all are.
struct BoundedPart {
  Corners corners;
  double found, bound;

  bool operator<(const BoundedPart& other) const { return bound < other.bound; }
};

BoundedPart bounded(const Corners& corners, const SignedDistance& other) {
  const Vector3 center = (corners[0] + corners[1] + corners[2]) / 3;
  BoundedPart part{corners, other.unsigned_distance(center), 0};
  double radius = 0;
  for (const Vector3& corner : corners) radius = std::max(radius, (corner - center).norm());
  part.bound = part.found + radius;
  // A triangle is convex: the whole part is as near to it as its corners are.
  const Corners nearest = other.nearest_triangle(center);
  double to_nearest = 0;
  for (const Vector3& corner : corners) {
    const Vector3 x[4] = {corner, nearest[0], nearest[1], nearest[2]};
    to_nearest = std::max(to_nearest, std::sqrt(point_triangle_squared_distance(x)));
    part.found = std::max(part.found, other.unsigned_distance(corner));
  }
  part.bound = std::min(part.bound, to_nearest);
  return part;
}

/// A bound of the distance of any point of the triangles from the other surface.
double largest_distance(const Vectors& vertices, const std::vector<Triangle>& triangles,
                        const SignedDistance& other, double exactness) {
  constexpr double relative = 0.1;
  constexpr int most_parts = 5000;
  std::priority_queue<BoundedPart> parts;
  double found = 0;
  const auto add = [&](const Corners& corners) {
    const BoundedPart part = bounded(corners, other);
    found = std::max(found, part.found);
    parts.push(part);
  };
  for (const Triangle& t : triangles) add({vertices.col(t[0]), vertices.col(t[1]), vertices.col(t[2])});
  for (int count = 0; count < most_parts && !parts.empty(); ++count) {
    const BoundedPart worst = parts.top();
    if (worst.bound <= found + std::max(relative * found, exactness)) break;
    parts.pop();
    int longest = 0;
    for (int k = 1; k < 3; ++k) {
      const auto length = [&](int side) {
        return (worst.corners[(side + 1) % 3] - worst.corners[side]).squaredNorm();
      };
      if (length(k) > length(longest)) longest = k;
    }
    const Vector3 a = worst.corners[longest], b = worst.corners[(longest + 1) % 3],
                  c = worst.corners[(longest + 2) % 3], middle = 0.5 * (a + b);
    add({a, middle, c});
    add({middle, b, c});
  }
  return parts.empty() ? 0 : parts.top().bound;
}

}  // namespace

double face_distance(const World& world, const Body& body) {
  if (body.element_count == 0) return 0;
  const ElementType type = world.elements.elements[body.first_element].type;
  if (std::find(solid_types.begin(), solid_types.end(), type) == solid_types.end()) return 0;
  // In a plane the sides of elements are straight at rest, of any order.
  if (is_planar(type)) return 0;
  const ElementTable elements =
      own_elements(world.elements, body.first_element, body.element_count, body.first_control);
  const Vectors rest = world.rest.middleCols(body.first_control, body.control_count);
  if (body.face_cuts)
    return distance_from_faces(elements, rest, face_surface(elements, rest, *body.face_cuts));

  constexpr int cuts_per_order = 4;
  const RidingSurface faces = face_surface(elements, rest, cuts_per_order * lagrange_cell(type)->order);
  Vectors places = Vectors::Zero(3, static_cast<Eigen::Index>(faces.weights.size()));
  for (std::size_t v = 0; v < faces.weights.size(); ++v) {
    for (const SurfaceWeight& weight : faces.weights[v])
      places.col(static_cast<Eigen::Index>(v)) += weight.value * rest.col(weight.control);
  }
  const Vectors carried = world.collision.rest.middleCols(body.first_vertex, body.vertex_count);
  std::vector<Triangle> triangles;
  for (Triangle t : world.collision.triangles) {
    if (t[0] < body.first_vertex || t[0] >= body.first_vertex + body.vertex_count) continue;
    for (int& v : t) v -= body.first_vertex;
    triangles.push_back(t);
  }
  if (triangles.empty()) return 0;    // points and wires are no surface
  constexpr double exactness = 1e-3;  // of the body's size
  const double size = (rest.rowwise().maxCoeff() - rest.rowwise().minCoeff()).norm();
  const double there =
      largest_distance(carried, triangles, SignedDistance(places, faces.triangles), exactness * size);
  const double back =
      largest_distance(places, faces.triangles, SignedDistance(carried, triangles), exactness * size);
  return distance_from_faces(elements, rest, faces) + std::max(there, back);
}

}  // namespace bulwark
