#include <bulwark/base/error.hpp>
#include <bulwark/bodies/element_geometry.hpp>
#include <bulwark/sim/soft_point.hpp>
#include <bulwark/sim/world.hpp>
#include <bulwark/stencils/closest_points.hpp>

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <span>

namespace bulwark {
namespace {

/// A joint's point may be this far from a soft body, as part of the body's size.
constexpr double allowed_distance = 0.01;
/// Half a fibre's length, as part of the size of the element that it begins in.
constexpr double fibre_part = 0.25;
/// Sine of the angle to a cloth's surface or a rod below which a direction lies in it.
constexpr double lies_within = 1e-6;

MaterialVector from_sums(const std::map<int, double>& sum) {
  MaterialVector result;
  result.weights.assign(sum.begin(), sum.end());
  return result;
}

/// Weights of a combination of collision vertices, in the controls.
MaterialVector of_vertices(const World& world, const std::vector<std::pair<int, double>>& vertices) {
  std::map<int, double> sum;
  for (const auto& [vertex, weight] : vertices) {
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(world.collision.weights, vertex); it;
         ++it)
      sum[static_cast<int>(it.col())] += weight * it.value();
  }
  return from_sums(sum);
}

/// A solid element as it is now, and where a point lies in it.
struct ElementPlace {
  const Element* element = nullptr;
  ElementGeometry geometry;
  Vector3 parent = Vector3::Zero();
  double size = 0;
  double outside = std::numeric_limits<double>::infinity();  ///< 0 inside

  bool inside() const { return outside <= 1e-9; }
};

/// The element that x lies in, or else the one that it is nearest to.
ElementPlace element_at(const World& world, const Body& body, const Vector3& x) {
  ElementPlace best;
  for (int e = body.first_element; e < body.first_element + body.element_count && !best.inside(); ++e) {
    const Element& element = world.elements.elements[e];
    if (!lagrange_cell(element.type) && !is_ancf(element.type)) continue;
    ElementPlace place;
    place.element = &element;
    place.geometry = element_geometry(world.elements, element, world.rest);
    const std::span<const int> controls = world.elements.controls_of(element);
    Eigen::AlignedBox3d box;
    for (std::size_t k = 0; k < controls.size(); ++k) {
      place.geometry.rest.col(static_cast<Eigen::Index>(k)) = world.state.position.col(controls[k]);
      if (static_cast<int>(k) < place.geometry.node_count())
        box.extend(Vector3(world.state.position.col(controls[k])));
    }
    place.size = box.diagonal().norm() + place.geometry.size.norm();
    if (box.squaredExteriorDistance(x) > place.size * place.size) continue;
    const ParentPlace found = parent_place(place.geometry, x);
    if (!(found.distance <= 1e-9 * place.size)) continue;
    place.parent = found.parent;
    place.outside = outside_by(element.type, found.parent);
    if (place.outside < best.outside) best = std::move(place);
  }
  return best;
}

MaterialVector combined(const World& world, const ElementPlace& place, const VectorX& weight,
                        double smallest) {
  const std::span<const int> controls = world.elements.controls_of(*place.element);
  MaterialVector result;
  for (std::size_t k = 0; k < controls.size(); ++k) {
    const double value = weight[static_cast<Eigen::Index>(k)];
    if (std::abs(value) > smallest) result.weights.push_back({controls[k], value});
  }
  return result;
}

MaterialVector point_in(const World& world, const ElementPlace& place) {
  return combined(world, place, place.geometry.functions(place.parent).value, 1e-9);
}

/// The primitive of the surface next to a point.
struct SurfacePlace {
  std::vector<int> primitive;                   ///< its vertices
  std::vector<std::pair<int, double>> nearest;  ///< its point, as a combination of them
  double distance = std::numeric_limits<double>::infinity();
  Vectors vertices;  ///< of the body's surface
};

SurfacePlace surface_at(const World& world, const Body& body, const Vector3& x) {
  const CollisionMesh& mesh = world.collision;
  const int first = body.first_vertex, end = first + body.vertex_count;
  SurfacePlace place;
  place.vertices =
      (world.state.position * mesh.weights.middleRows(first, body.vertex_count).transpose()).eval();
  const auto at = [&](int vertex) -> Vector3 { return place.vertices.col(vertex - first); };
  double best = std::numeric_limits<double>::infinity();
  auto consider = [&](const auto& vertices, const ClosestFeatures& features, const Vector3* points) {
    const ClosestPoints closest = closest_points_of_pair(features, points);
    if (!(closest.squared_distance() < best)) return;
    best = closest.squared_distance();
    place.primitive.assign(vertices.begin(), vertices.end());
    place.nearest.clear();
    for (std::size_t k = 0; k < vertices.size(); ++k) {
      if (closest.weight[k + 1] != 0) place.nearest.push_back({vertices[k], -closest.weight[k + 1]});
    }
  };
  // Elements stand in the order of their bodies.
  const auto of_body = [&](const auto& elements) {
    const auto before = [](int vertex) { return [vertex](const auto& e) { return e[0] < vertex; }; };
    const auto begin = std::partition_point(elements.begin(), elements.end(), before(first));
    return std::span(begin, std::partition_point(begin, elements.end(), before(end)));
  };
  for (const Triangle& t : of_body(mesh.triangles)) {
    const Vector3 p[4] = {x, at(t[0]), at(t[1]), at(t[2])};
    consider(t, point_triangle_features(p[0], p[1], p[2], p[3]), p);
  }
  for (const Edge& e : of_body(mesh.edges)) {
    if (is_lone_point(e)) continue;  // the end of a rod: its segment has a direction
    const Vector3 p[4] = {x, at(e[0]), at(e[1]), x};
    consider(e, point_edge_features(p[0], p[1], p[2], 0, 1, 2), p);
  }
  for (int v = first; v < end; ++v) {
    const Vector3 p[4] = {x, at(v), x, x};
    consider(std::array<int, 1>{v}, ClosestFeatures{PairKind::point_point, {0, 1, -1, -1}}, p);
  }
  place.distance = std::sqrt(best);
  return place;
}

/// A direction in the triangle or along the segment: d = sum_k a_k (x_k - x_0).
MaterialVector direction_in(const World& world, const Body& body, const SurfacePlace& place,
                            const Vector3& d) {
  const auto at = [&](int vertex) -> Vector3 { return place.vertices.col(vertex - body.first_vertex); };
  const auto sides = static_cast<Eigen::Index>(place.primitive.size()) - 1;
  Eigen::Matrix3Xd side(3, std::max<Eigen::Index>(sides, 1));
  side.setZero();
  for (Eigen::Index k = 0; k < sides; ++k) side.col(k) = at(place.primitive[k + 1]) - at(place.primitive[0]);
  const VectorX a = side.colPivHouseholderQr().solve(d);
  if (!((side * a - d).norm() <= lies_within)) {
    const bool thin_surface = place.primitive.size() == 3;
    throw InputError(fmt::format("body '{}'", body.name),
                     thin_surface
                         ? "a joint holds directions in a cloth's surface alone, and this one leaves it"
                     : place.primitive.size() == 2
                         ? "a joint holds the direction along a rod alone, and this is another one"
                         : "it has no directions that a joint could hold",
                     "turn the joint's axis, or use a `point`, `distance`, `spring` or `attach` joint");
  }
  std::vector<std::pair<int, double>> weights = {{place.primitive[0], -a.head(sides).sum()}};
  for (Eigen::Index k = 0; k < sides; ++k) weights.push_back({place.primitive[k + 1], a[k]});
  return of_vertices(world, weights);
}

}  // namespace

MaterialVector soft_point(const World& world, int number, const Vector3& x) {
  const Body& body = world.bodies[number];
  if (const ElementPlace place = element_at(world, body, x); place.inside()) return point_in(world, place);
  const SurfacePlace place = surface_at(world, body, x);
  const double size = (place.vertices.rowwise().maxCoeff() - place.vertices.rowwise().minCoeff()).norm();
  if (!(place.distance <= allowed_distance * size)) {
    throw InputError(fmt::format("body '{}'", body.name),
                     fmt::format("the joint's point ({:.6g}, {:.6g}, {:.6g}) is {:.3g} m away from it", x[0],
                                 x[1], x[2], place.distance),
                     "move the point onto the body, or give the joint a `grip` that reaches it");
  }
  return of_vertices(world, place.nearest);
}

MaterialVector soft_direction(const World& world, int number, const Vector3& x, const Vector3& d) {
  const Body& body = world.bodies[number];
  const ElementPlace place = element_at(world, body, x);
  if (place.element == nullptr) return direction_in(world, body, surface_at(world, body, x), d);
  if (!is_ancf(place.element->type)) {
    const double half = fibre_part * place.size;
    const ElementPlace ahead = element_at(world, body, x + half * d),
                       behind = element_at(world, body, x - half * d);
    const MaterialVector here = point_in(world, place);
    const auto fibre = [&](const MaterialVector& to, const MaterialVector& from, double length) {
      MaterialVector result = to - from;
      for (auto& [control, weight] : result.weights) weight /= length;
      return result;
    };
    if (ahead.inside() && behind.inside())
      return fibre(point_in(world, ahead), point_in(world, behind), 2 * half);
    if (place.inside() && ahead.inside()) return fibre(point_in(world, ahead), here, half);
    if (place.inside() && behind.inside()) return fibre(here, point_in(world, behind), half);
  }
  const ElementPoint point = element_point(place.geometry, place.parent);
  return combined(world, place, point.gradient.transpose() * d, 1e-12 * point.gradient.norm());
}

namespace {

/// The squared thickness, over the squared width, below which nodes count as lying in a plane or on a line: a direction across
/// would be told by waves of the surface.
constexpr double flat_part = 1e-6;
/// Each node of a grip is coupled with each other one.
constexpr std::size_t most_gripped = 200;

/// So many of the nodes, evenly.
void thin_out(std::vector<int>& nodes) {
  if (nodes.size() <= most_gripped) return;
  std::vector<int> kept;
  for (std::size_t k = 0; k < most_gripped; ++k) kept.push_back(nodes[k * nodes.size() / most_gripped]);
  nodes = std::move(kept);
}

}  // namespace

MaterialVector gripped_vector(const World& world, int number, const Vector3& x, double radius,
                              const Vector3& v, double shifts) {
  const Body& body = world.bodies[number];
  const auto& q = world.state.position;
  std::vector<int> nodes;
  Vector3 mean = Vector3::Zero();
  for (int c = body.first_control; c < body.first_control + body.control_count; ++c) {
    if (world.roles[c] != ControlRole::point || !((q.col(c) - x).norm() <= radius)) continue;
    nodes.push_back(c);
  }
  if (nodes.empty()) {
    throw InputError(fmt::format("body '{}'", body.name),
                     fmt::format("no node lies within {:.3g} m of the joint's point ({:.6g}, {:.6g}, {:.6g})",
                                 radius, x[0], x[1], x[2]),
                     "move the point, or give the joint a larger `grip`");
  }
  thin_out(nodes);
  const double count = static_cast<double>(nodes.size());
  for (const int c : nodes) mean += q.col(c) / count;
  Matrix3 S = Matrix3::Zero();
  for (const int c : nodes) S += (q.col(c) - mean) * (q.col(c) - mean).transpose();
  // Nodes in a plane or on a line say nothing of what leaves it.
  const Eigen::SelfAdjointEigenSolver<Matrix3> eigen(S);
  Matrix3 inverse = Matrix3::Zero();
  for (int k = 0; k < 3; ++k) {
    const Vector3 n = eigen.eigenvectors().col(k);
    if (eigen.eigenvalues()[k] > flat_part * eigen.eigenvalues()[2])
      inverse += n * n.transpose() / eigen.eigenvalues()[k];
  }
  const Vector3 slope = inverse * (v - shifts * mean);
  MaterialVector result;
  for (const int c : nodes)
    result.weights.push_back({c, shifts / count + slope.dot(Vector3(q.col(c)) - mean)});
  if (!((result.at(q) - v).norm() <= 1e-9 * (shifts > 0 ? radius : 1))) {
    throw InputError(
        fmt::format("body '{}'", body.name),
        fmt::format("the {} nodes within {:.3g} m of the joint's point lie in a plane or on a line that "
                    "the joint's point or axis leaves",
                    nodes.size(), radius),
        "give the joint a larger `grip`, or none");
  }
  return result;
}

}  // namespace bulwark
