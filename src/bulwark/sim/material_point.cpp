#include <bulwark/base/error.hpp>
#include <bulwark/bodies/element_geometry.hpp>
#include <bulwark/sim/world.hpp>
#include <bulwark/stencils/closest_points.hpp>

#include <fmt/format.h>

#include <Eigen/LU>
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

bool is_still(const World& world, int body) {
  for (const Script& script : world.scripts) {
    if (script.controls.empty() || script.motion.is_still()) continue;
    const int control = script.controls[0];
    const Body& b = world.bodies[body];
    if (control >= b.first_control && control < b.first_control + b.control_count) return false;
  }
  return true;
}

MaterialVector of_stiff(const StiffBody& body, const Vector3& X, double center) {
  MaterialVector result;
  if (center != 0) result.weights.push_back({body.first_control, center});
  for (int k = 0; k < 3; ++k) {
    if (X[k] != 0) result.weights.push_back({body.first_control + 1 + k, X[k]});
  }
  return result;
}

/// Four vertices of a moving obstacle that span space: any point that moves with it is a combination of them.
struct Frame {
  std::array<int, 4> control = {-1, -1, -1, -1};
  Eigen::Matrix4d inverse;  ///< of the matrix of their positions with a row of ones below
};

Frame frame_of(const World& world, const Body& body) {
  const auto x = world.state.position.middleCols(body.first_control, body.control_count);
  const int count = body.control_count;
  Frame frame;
  std::array<int, 4> pick = {0, 0, 0, 0};
  auto farthest = [&](auto&& measure) {
    int best = 0;
    for (int i = 1; i < count; ++i) {
      if (measure(Vector3(x.col(i))) > measure(Vector3(x.col(best)))) best = i;
    }
    return best;
  };
  const Vector3 a = x.col(0);
  pick[1] = farthest([&](const Vector3& p) { return (p - a).norm(); });
  const Vector3 b = x.col(pick[1]);
  pick[2] = farthest([&](const Vector3& p) { return (p - a).cross(b - a).norm(); });
  const Vector3 c = x.col(pick[2]);
  pick[3] = farthest([&](const Vector3& p) { return std::abs((p - a).dot((b - a).cross(c - a))); });
  Eigen::Matrix4d matrix;
  for (int k = 0; k < 4; ++k) {
    frame.control[k] = body.first_control + pick[k];
    matrix.col(k) << Vector3(x.col(pick[k])), 1;
  }
  if (!(std::abs(matrix.determinant()) > 1e-9 * std::pow((b - a).norm(), 3))) {
    throw InputError(fmt::format("body '{}'", body.name),
                     "a joint can't be tied to a flat obstacle that moves",
                     "make it an affine body with `fixed` and a `motion`");
  }
  frame.inverse = matrix.inverse();
  return frame;
}

MaterialVector of_obstacle(const World& world, const Body& body, const Eigen::Vector4d& homogeneous) {
  const Frame frame = frame_of(world, body);
  const Eigen::Vector4d weight = frame.inverse * homogeneous;
  MaterialVector result;
  for (int k = 0; k < 4; ++k) {
    if (weight[k] != 0) result.weights.push_back({frame.control[k], weight[k]});
  }
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
  MaterialVector result;
  result.weights.assign(sum.begin(), sum.end());
  return result;
}

MaterialVector of_soft(const World& world, const Body& body, const Vector3& x) {
  // Inside an element?
  for (int e = body.first_element; e < body.first_element + body.element_count; ++e) {
    const Element& element = world.elements.elements[e];
    if (!lagrange_cell(element.type) && !is_ancf(element.type)) continue;
    ElementGeometry geometry = element_geometry(world.elements, element, world.rest);
    const std::span<const int> controls = world.elements.controls_of(element);
    Eigen::AlignedBox3d box;
    for (std::size_t k = 0; k < controls.size(); ++k) {
      geometry.rest.col(static_cast<Eigen::Index>(k)) = world.state.position.col(controls[k]);
      if (static_cast<int>(k) < geometry.node_count())
        box.extend(Vector3(world.state.position.col(controls[k])));
    }
    const double size = box.diagonal().norm() + geometry.size.norm();
    if (box.squaredExteriorDistance(x) > size * size) continue;
    const ParentPlace place = parent_place(geometry, x);
    if (!(place.distance <= 1e-9 * size) || !(outside_by(element.type, place.parent) <= 1e-9)) continue;
    const VectorX weight = geometry.functions(place.parent).value;
    MaterialVector result;
    for (std::size_t k = 0; k < controls.size(); ++k) {
      const double value = weight[static_cast<Eigen::Index>(k)];
      if (std::abs(value) > 1e-9) result.weights.push_back({controls[k], value});
    }
    return result;
  }
  // The nearest point of the surface.
  const CollisionMesh& mesh = world.collision;
  const int first = body.first_vertex, end = first + body.vertex_count;
  const Vectors own =
      (world.state.position * mesh.weights.middleRows(first, body.vertex_count).transpose()).eval();
  const auto place = [&](int vertex) -> Vector3 { return own.col(vertex - first); };
  double best = std::numeric_limits<double>::infinity();
  std::vector<std::pair<int, double>> nearest;
  auto consider = [&](const auto& vertices, const ClosestFeatures& features, const Vector3* points) {
    const ClosestPoints closest = closest_points_of_pair(features, points);
    if (!(closest.squared_distance() < best)) return;
    best = closest.squared_distance();
    nearest.clear();
    for (std::size_t k = 0; k < vertices.size(); ++k) {
      if (closest.weight[k + 1] != 0) nearest.push_back({vertices[k], -closest.weight[k + 1]});
    }
  };
  // Elements stand in the order of their bodies.
  const auto of_body = [&](const auto& elements) {
    const auto before = [](int vertex) { return [vertex](const auto& e) { return e[0] < vertex; }; };
    const auto begin = std::partition_point(elements.begin(), elements.end(), before(first));
    return std::span(begin, std::partition_point(begin, elements.end(), before(end)));
  };
  for (const Triangle& t : of_body(mesh.triangles)) {
    const Vector3 p[4] = {x, place(t[0]), place(t[1]), place(t[2])};
    consider(t, point_triangle_features(p[0], p[1], p[2], p[3]), p);
  }
  for (const Edge& e : of_body(mesh.edges)) {
    const Vector3 p[4] = {x, place(e[0]), place(e[1]), x};
    consider(e, point_edge_features(p[0], p[1], p[2], 0, 1, 2), p);
  }
  for (int v = first; v < end; ++v) {
    const Vector3 p[4] = {x, place(v), x, x};
    consider(std::array<int, 1>{v}, ClosestFeatures{PairKind::point_point, {0, 1, -1, -1}}, p);
  }
  const double size = (own.rowwise().maxCoeff() - own.rowwise().minCoeff()).norm();
  if (!(std::sqrt(best) <= allowed_distance * size)) {
    throw InputError(fmt::format("body '{}'", body.name),
                     fmt::format("the joint's point ({:.6g}, {:.6g}, {:.6g}) is {:.3g} m away from it", x[0],
                                 x[1], x[2], std::sqrt(best)),
                     "move the point onto the body");
  }
  return of_vertices(world, nearest);
}

/// A point (`shifts` 1) or a direction (0) of anything but a soft body; nothing for a soft one.
std::optional<MaterialVector> of_frame(const World& world, int body, const Vector3& v, double shifts) {
  MaterialVector fixed;
  fixed.constant = v;
  if (body == world_body) return fixed;
  const Body& b = world.bodies[body];
  if (b.is_obstacle())
    return is_still(world, body) ? fixed : of_obstacle(world, b, {v[0], v[1], v[2], shifts});
  if (!b.is_stiff()) return {};
  const StiffBody& stiff = world.stiff[b.stiff];
  const Vectors& q = world.state.position;
  const Vector3 X = v - shifts * q.col(stiff.first_control);
  const Matrix3 A = deformation(stiff, q);
  return of_stiff(stiff, A == Matrix3::Identity() ? X : Vector3(A.inverse() * X), shifts);
}

}  // namespace

MaterialVector material_point(const World& world, int body, const Vector3& x) {
  const std::optional<MaterialVector> point = of_frame(world, body, x, 1);
  return point ? *point : of_soft(world, world.bodies[body], x);
}

MaterialVector material_direction(const World& world, int body, const Vector3& d) {
  const std::optional<MaterialVector> direction = of_frame(world, body, d, 0);
  if (direction) return *direction;
  throw InputError(fmt::format("body '{}'", world.bodies[body].name),
                   "a soft body has no direction that a joint could hold",
                   "use a `point`, `distance`, `spring` or `attach` joint, or make the body affine");
}

}  // namespace bulwark
