#include <bulwark/sim/soft_place.hpp>
#include <bulwark/sim/world.hpp>
#include <bulwark/stencils/closest_points.hpp>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace bulwark {
namespace {

/// The first search for the nearest primitive looks this far, as part of the surface's size.
constexpr double first_look = 1.0 / 1024;

Box box_of(const Vector3& low, const Vector3& high) {
  return {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

Box box_around_point(const Vector3& x, double by) {
  return box_of(x - Vector3::Constant(by), x + Vector3::Constant(by));
}

}  // namespace

SoftElements::SoftElements(const World& world, const Body& body) : world_(world) {
  std::vector<Box> boxes;
  for (int e = body.first_element; e < body.first_element + body.element_count; ++e) {
    const Element& element = world.elements.elements[e];
    if (!lagrange_cell(element.type) && !is_ancf(element.type)) continue;
    Eigen::AlignedBox3d box;
    const Vector3 by = Vector3::Constant((1 + 1e-9) * place_of(element, box).size);
    elements_.push_back(e);
    boxes.push_back(box_of(box.min() - by, box.max() + by));
  }
  tree_.build(boxes);
}

ElementPlace SoftElements::place_of(const Element& element, Eigen::AlignedBox3d& box) const {
  ElementPlace place;
  place.element = &element;
  place.geometry = element_geometry(world_.elements, element, world_.rest);
  const std::span<const int> controls = world_.elements.controls_of(element);
  for (std::size_t k = 0; k < controls.size(); ++k) {
    const Vector3 x = world_.state.position.col(controls[k]);
    place.geometry.rest.col(static_cast<Eigen::Index>(k)) = x;
    if (static_cast<int>(k) < place.geometry.node_count()) box.extend(x);
  }
  place.size = box.diagonal().norm() + place.geometry.size.norm();
  return place;
}

ElementPlace SoftElements::at(const Vector3& x) const {
  ElementPlace best;
  for (const int k : tree_.overlapping(box_around_point(x, 0))) {
    Eigen::AlignedBox3d box;
    ElementPlace place = place_of(world_.elements.elements[elements_[k]], box);
    if (box.squaredExteriorDistance(x) > place.size * place.size) continue;
    const ParentPlace found = parent_place(place.geometry, x);
    if (!(found.distance <= 1e-9 * place.size)) continue;
    place.parent = found.parent;
    place.outside = outside_by(place.element->type, found.parent);
    if (place.outside < best.outside) best = std::move(place);
    if (best.inside()) break;
  }
  return best;
}

SoftSurface::SoftSurface(const World& world, const Body& body) : first_(body.first_vertex) {
  const CollisionMesh& mesh = world.collision;
  const int end = first_ + body.vertex_count;
  vertices_ = (world.state.position * mesh.weights.middleRows(first_, body.vertex_count).transpose()).eval();
  // Elements stand in the order of their bodies.
  const auto of_body = [&](const auto& elements) {
    const auto before = [](int number) { return [number](const auto& e) { return e[0] < number; }; };
    const auto begin = std::partition_point(elements.begin(), elements.end(), before(first_));
    return std::span(begin, std::partition_point(begin, elements.end(), before(end)));
  };
  std::vector<char> used(body.vertex_count, 0);
  auto add = [&](const auto& primitive) {
    primitives_.emplace_back(primitive.begin(), primitive.end());
    for (const int v : primitive) used[v - first_] = 1;
  };
  for (const Triangle& t : of_body(mesh.triangles)) add(t);
  const auto edges = of_body(mesh.edges);
  const auto first_edge = edges.empty() ? 0 : static_cast<int>(edges.data() - mesh.edges.data());
  for (std::size_t k = 0; k < edges.size(); ++k) {
    if (!is_lone_point(edges[k]) && mesh.role_of(first_edge + static_cast<int>(k)) != EdgeRole::of_triangle)
      add(edges[k]);
  }
  for (int v = first_; v < end; ++v) {
    if (!used[v - first_]) add(std::array<int, 1>{v});
  }
  std::vector<Box> boxes;
  for (const std::vector<int>& primitive : primitives_) {
    Box box = box_around_point(vertex(primitive[0]), 0);
    for (const int v : primitive) box.include(box_around_point(vertex(v), 0));
    boxes.push_back(box);
  }
  tree_.build(boxes);
  if (vertices_.cols() > 0) size_ = (vertices_.rowwise().maxCoeff() - vertices_.rowwise().minCoeff()).norm();
}

void SoftSurface::consider(const std::vector<int>& primitive, const Vector3& x, SurfacePlace& place) const {
  std::array<Vector3, 4> p = {x, x, x, x};
  for (std::size_t k = 0; k < primitive.size(); ++k) p[k + 1] = vertex(primitive[k]);
  const ClosestFeatures features = primitive.size() == 3 ? point_triangle_features(p[0], p[1], p[2], p[3])
                                   : primitive.size() == 2
                                       ? point_edge_features(p[0], p[1], p[2], 0, 1, 2)
                                       : ClosestFeatures{PairKind::point_point, {0, 1, -1, -1}};
  const ClosestPoints closest = closest_points_of_pair(features, p.data());
  if (!(closest.squared_distance() < place.squared_distance)) return;
  place.squared_distance = closest.squared_distance();
  place.primitive = primitive;
  place.nearest.clear();
  for (std::size_t k = 0; k < primitive.size(); ++k) {
    if (closest.weight[k + 1] != 0) place.nearest.push_back({primitive[k], -closest.weight[k + 1]});
  }
}

SurfacePlace SoftSurface::nearest(const Vector3& x) const {
  for (double reach = first_look * size_; reach > 0 && reach < size_; reach *= 2) {
    SurfacePlace place;
    for (const int k : tree_.overlapping(box_around_point(x, reach))) consider(primitives_[k], x, place);
    if (place.distance() <= reach) return place;
  }
  SurfacePlace place;
  for (const std::vector<int>& primitive : primitives_) consider(primitive, x, place);
  return place;
}

}  // namespace bulwark
