#include <bulwark/bodies/mesh_checks.hpp>
#include <bulwark/bodies/rod_body.hpp>
#include <bulwark/math/rotation.hpp>

#include <Eigen/Geometry>
#include <numeric>

namespace bulwark {
namespace {

/// A unit vector at a right angle to each edge. Along a chain each is the one before, carried along by the
/// least rotation, so that a rod at rest has no twist but that of its own shape.
Vectors rest_directors(const Vectors& vertices, const std::vector<Edge>& edges) {
  Vectors directors(3, edges.size());
  std::vector<int> last_at(vertices.cols(), -1);
  auto tangent = [&](std::size_t k) {
    return Vector3(vertices.col(edges[k][1]) - vertices.col(edges[k][0])).normalized();
  };
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const Vector3 t = tangent(k);
    Vector3 director = t.unitOrthogonal();
    const int before = std::max(last_at[edges[k][0]], last_at[edges[k][1]]);
    if (before >= 0) {
      const Vector3 carried = turn_between(tangent(before), t) * Vector3(directors.col(before));
      director = (carried - carried.dot(t) * t).normalized();
    }
    directors.col(k) = director;
    for (const int v : edges[k]) last_at[v] = static_cast<int>(k);
  }
  return directors;
}

}  // namespace

BodyLayout rod_body(const SurfaceMesh& mesh, const RodMaterial& material, const BodyOptions& options) {
  require(!mesh.edges.empty(), options, "a rod is made of edges, but there are none",
          "give a `line`, a `circle` or a mesh of lines");
  require(mesh.triangles.empty() && mesh.points.empty(), options, "a rod can't have triangles or points",
          "give a mesh of edges alone, or make it a shell");
  require_all_used(mesh.vertices.cols(), mesh.edges, "edge", options);
  require_distinct_edges(mesh.edges, options);
  BodyLayout layout;
  layout.kind = BodyKind::rod;
  layout.meets_itself = options.self_contact;
  set_points(layout, transformed(options.pose, mesh.vertices));
  const int vertices = layout.control_count(), count = static_cast<int>(mesh.edges.size());
  add_controls(layout, ControlRole::parameter, Vectors::Zero(3, count));
  add_controls(layout, ControlRole::direction,
               rest_directors(layout.controls.leftCols(vertices), mesh.edges));
  layout.held.assign(layout.control_count(), 0);
  layout.elements.materials.push_back(material);
  for (int k = 0; k < count; ++k) {
    const Edge& edge = mesh.edges[k];
    const int turn = vertices + k, director = turn + count;
    layout.elements.add(ElementType::rod_segment, std::array{edge[0], edge[1], turn, director});
    const double length = (layout.controls.col(edge[1]) - layout.controls.col(edge[0])).norm();
    require(length > 0, options, "a segment has no length", "repair the mesh");
    const double mass = material.density * material.area() * length;
    for (const int v : edge) add_point_mass(layout, v, mass / 2);
    // Its inertia against turning about itself is m r^2/2, and the control is length * angle. No weight.
    const double lever = material.radius / length;
    layout.mass.emplace_back(turn, turn, 0.5 * mass * lever * lever);
    layout.held[turn] = 6;  // y and z
    layout.held[director] = all_axes;
  }
  set_point_velocities(layout, options);
  std::vector<int> all(vertices);
  std::iota(all.begin(), all.end(), 0);
  use_controls_as_vertices(layout, all);
  SurfaceMesh thick = mesh;
  thick.radius.assign(vertices, options.offset.value_or(material.radius));
  set_surface(layout, thick);
  return layout;
}

}  // namespace bulwark
