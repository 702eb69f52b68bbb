#include <bulwark/base/error.hpp>
#include <bulwark/bodies/element_geometry.hpp>
#include <bulwark/sim/soft_point.hpp>
#include <bulwark/sim/world.hpp>

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <map>
#include <span>

namespace bulwark {
namespace {

/// A joint's point may be this far from a soft body, as part of the body's size.
constexpr double allowed_distance = 0.01;
/// Half a fibre's length, as part of the size of the element that it begins in.
constexpr double fibre_part = 0.25;
/// An attached vertex that is no farther from a cloth or a rod lies on it: parts of the body's size, and of how far
/// away it is.
constexpr double rounding_of_size = 1e-12, rounding_of_place = 1e-15;
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

/// The sides of a triangle or segment from its first vertex.
Eigen::Matrix3Xd sides_of(const SoftSurface& surface, const SurfacePlace& place) {
  Eigen::Matrix3Xd side(3, place.primitive.size() - 1);
  for (Eigen::Index k = 0; k < side.cols(); ++k)
    side.col(k) = surface.vertex(place.primitive[k + 1]) - surface.vertex(place.primitive[0]);
  return side;
}

/// The parts of the sides that sum up to a vector as far as they reach.
VectorX parts_along(const Eigen::Matrix3Xd& side, const Vector3& v) {
  return side.cols() == 0 ? VectorX() : VectorX(side.colPivHouseholderQr().solve(v));
}

/// sum_k a_k (x_k - x_0), and where it `shifts`, from x_0.
std::vector<std::pair<int, double>> along_sides(const SurfacePlace& place, const VectorX& a, double shifts) {
  std::vector<std::pair<int, double>> weights = {{place.primitive[0], shifts - a.sum()}};
  for (Eigen::Index k = 0; k < a.size(); ++k) weights.push_back({place.primitive[k + 1], a[k]});
  return weights;
}

/// A direction in the triangle or along the segment: d = sum_k a_k (x_k - x_0).
MaterialVector direction_in(const World& world, const Body& body, const Vector3& x, const Vector3& d) {
  const SoftSurface surface(world, body);
  const SurfacePlace place = surface.nearest(x);
  const Eigen::Matrix3Xd side = sides_of(surface, place);
  const VectorX a = parts_along(side, d);
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
  return of_vertices(world, along_sides(place, a, 0));
}

/// The primitive next to x. Throws InputError where that is far away; what lies within `depth` of it does not count.
SurfacePlace near_enough(const Body& body, const SoftSurface& surface, const Vector3& x, double depth = 0) {
  SurfacePlace place = surface.nearest(x);
  if (!(place.distance() <= depth + allowed_distance * surface.size())) {
    throw InputError(fmt::format("body '{}'", body.name),
                     fmt::format("the joint's point ({:.6g}, {:.6g}, {:.6g}) is {:.3g} m away from it", x[0],
                                 x[1], x[2], place.distance()),
                     "move the point onto the body, or give the joint a `grip` that reaches it");
  }
  return place;
}

/// The element's shape functions as they go on linearly from a place in it.
MaterialVector point_beyond(const World& world, const ElementPlace& place, const Vector3& x) {
  const ElementPoint point = element_point(place.geometry, place.parent);
  const Vector3 from = place.geometry.rest * point.value;
  const VectorX weight = point.value + point.gradient.transpose() * (x - from);
  return combined(world, place, weight, 0);
}

/// A place in the parent cell next to this one.
Vector3 into_parent(ElementType type, const Vector3& parent) {
  const auto cell = lagrange_cell(type);
  if (!cell) return parent.cwiseMax(-1).cwiseMin(1);
  if (cell->shape == CellShape::hexahedron) return parent.cwiseMax(0).cwiseMin(1);
  const Vector3 positive = parent.cwiseMax(0);
  return positive / std::max(1.0, positive.sum());
}

CarriedPoint beside_surface(const World& world, const Body& body, const SoftSurface& surface,
                            const SurfacePlace& place, const Vector3& x) {
  const Eigen::Matrix3Xd side = sides_of(surface, place);
  const VectorX a = parts_along(side, x - surface.vertex(place.primitive[0]));
  CarriedPoint result;
  result.point = of_vertices(world, along_sides(place, a, 1));
  const double offset = (x - result.point.at(world.state.position)).norm();
  if (offset <= rounding_of_size * surface.size() + rounding_of_place * x.norm()) return result;
  if (side.cols() == 0) {
    throw InputError(
        fmt::format("body '{}'", body.name),
        fmt::format("it is made of points, which can't carry what is {:.3g} m beside them", offset),
        "move the attached vertices onto its points, or use a `distance` joint");
  }
  for (Eigen::Index k = 0; k < side.cols(); ++k) {
    const VectorX one = VectorX::Unit(side.cols(), k) / side.col(k).norm();
    result.sides.push_back(of_vertices(world, along_sides(place, one, 0)));
  }
  return result;
}

}  // namespace

CarryingBody::CarryingBody(const World& world, int body)
    : world_(world),
      number_(body),
      elements_(world, world.bodies[body]),
      surface_(world, world.bodies[body]) {}

CarriedPoint CarryingBody::at(const Vector3& x) const {
  const Body& body = world_.bodies[number_];
  ElementPlace place = elements_.at(x);
  if (!place.inside()) {
    const SurfacePlace next = near_enough(body, surface_, x, world_.collision.radius_of(body.first_vertex));
    Vector3 on_surface = Vector3::Zero();
    for (const auto& [vertex, weight] : next.nearest) on_surface += weight * surface_.vertex(vertex);
    place = elements_.at(on_surface);
    if (place.element == nullptr) return beside_surface(world_, body, surface_, next, x);
    place.parent = into_parent(place.element->type, place.parent);
  }
  return {point_beyond(world_, place, x), {}};
}

MaterialVector soft_point(const World& world, int number, const Vector3& x) {
  const Body& body = world.bodies[number];
  if (const ElementPlace place = SoftElements(world, body).at(x); place.inside())
    return point_in(world, place);
  const SoftSurface surface(world, body);
  return of_vertices(world, near_enough(body, surface, x).nearest);
}

MaterialVector soft_direction(const World& world, int number, const Vector3& x, const Vector3& d) {
  const Body& body = world.bodies[number];
  const SoftElements elements(world, body);
  const ElementPlace place = elements.at(x);
  if (place.element == nullptr) return direction_in(world, body, x, d);
  if (!is_ancf(place.element->type)) {
    const double half = fibre_part * place.size;
    const ElementPlace ahead = elements.at(x + half * d), behind = elements.at(x - half * d);
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
