#include <bulwark/geometry/round_skin.hpp>
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

bool is_loaded_outside(const World& world, const Body& body) {
  return body.is_stiff() && largest_radius(world, body) > 0;
}

Vectors loaded_points(const World& world, const Body& body) {
  if (!is_loaded_outside(world, body)) return rest_nodes(world, body);
  const CollisionMesh& mesh = world.collision;
  const int first = body.first_vertex, end = first + body.vertex_count;
  const auto own = [&](int vertex) { return vertex >= first && vertex < end; };
  SurfaceMesh surface;
  surface.vertices = mesh.rest.middleCols(first, body.vertex_count);
  for (int v = first; v < end; ++v) surface.radius.push_back(mesh.radius_of(v));
  for (const Triangle& t : mesh.triangles) {
    if (own(t[0])) surface.triangles.push_back({t[0] - first, t[1] - first, t[2] - first});
  }
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    const Edge edge = mesh.edges[e];
    if (!own(edge[0]) || mesh.role_of(static_cast<int>(e)) == EdgeRole::of_triangle) continue;
    if (is_lone_point(edge)) {
      surface.points.push_back(edge[0] - first);
    } else {
      surface.edges.push_back({edge[0] - first, edge[1] - first});
    }
  }
  return round_skin(surface).vertices;
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
