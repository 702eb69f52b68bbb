#include <bulwark/sim/body_nodes.hpp>

#include <algorithm>

namespace bulwark {

Vectors rest_nodes(const World& world, const Body& body) {
  return body.nodes == NodeKind::points
             ? world.rest.middleCols(body.first_control, body.point_count)
             : world.collision.rest.middleCols(body.first_vertex, body.vertex_count);
}

Vectors node_positions(const World& world, const Body& body, const Vectors& controls) {
  if (body.nodes == NodeKind::points) return controls.middleCols(body.first_control, body.point_count);
  return controls * world.collision.weights.middleRows(body.first_vertex, body.vertex_count).transpose();
}

double body_length(const World& world, const Body& body) {
  if (body.node_count() == 0) return 0;
  const Vectors nodes = rest_nodes(world, body);
  const Vector3 radii = Vector3::Constant(2 * largest_radius(world, body));
  return (nodes.rowwise().maxCoeff() - nodes.rowwise().minCoeff() + radii).norm();
}

double largest_radius(const World& world, const Body& body) {
  double radius = 0;
  for (int v = body.first_vertex; v < body.first_vertex + body.vertex_count; ++v)
    radius = std::max(radius, world.collision.radius_of(v));
  return radius;
}

double mass_of(const World& world, const Body& body) {
  // A copy: the last bits of a sum do not depend on where in the world the body stands.
  return VectorX(world.gravity_mass.segment(body.first_control, body.point_count)).sum();
}

bool is_solid(const World& world, const Body& body) {
  return body.element_count > 0 && shape_of(world.elements.elements[body.first_element].type).solid;
}

bool is_thin(const World& world, const Body& body) {
  return body.element_count > 0 && !is_solid(world, body) &&
         !is_ancf(world.elements.elements[body.first_element].type);
}

int node_of_vertex(const World& world, const Body& body, int vertex) {
  if (body.nodes == NodeKind::surface_vertices) return vertex - body.first_vertex;
  const auto& W = world.collision.weights;
  const int first = W.outerIndexPtr()[vertex];
  if (W.outerIndexPtr()[vertex + 1] != first + 1 || W.valuePtr()[first] != 1) return -1;
  const int control = W.innerIndexPtr()[first];
  return world.roles[control] == ControlRole::point ? control - body.first_control : -1;
}

int body_of_control(const World& world, int control) {
  const auto next =
      std::upper_bound(world.bodies.begin(), world.bodies.end(), control,
                       [](int wanted, const Body& body) { return wanted < body.first_control; });
  return static_cast<int>(next - world.bodies.begin()) - 1;
}

}  // namespace bulwark
