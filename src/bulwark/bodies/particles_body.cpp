#include <bulwark/bodies/mesh_checks.hpp>
#include <bulwark/bodies/particles_body.hpp>
#include <bulwark/bodies/planar_layout.hpp>

#include <cmath>
#include <numeric>

namespace bulwark {

BodyLayout particles_body(const SurfaceMesh& mesh, double mass, const SpringMaterial& springs,
                          const BodyOptions& options) {
  require(mesh.vertices.cols() > 0, options, "there are no particles",
          "give a shape or a mesh with points, such as `points`");
  require(mesh.triangles.empty(), options, "particles can't have triangles",
          "give a mesh of points and edges, or make it a shell");
  require(mass > 0 && std::isfinite(mass), options, fmt::format("the mass of a particle is {} kg", mass),
          "give a mass above 0");
  require_distinct_edges(mesh.edges, options);
  BodyLayout layout;
  layout.kind = BodyKind::particles;
  layout.meets_itself = false;
  set_points(layout, transformed(options.pose, mesh.vertices));
  for (int k = 0; k < layout.control_count(); ++k) add_point_mass(layout, k, mass);
  set_point_velocities(layout, options);
  if (!mesh.edges.empty()) layout.elements.materials.push_back(springs);
  for (const Edge& edge : mesh.edges) {
    require((layout.controls.col(edge[1]) - layout.controls.col(edge[0])).norm() > 0, options,
            fmt::format("the spring between particles {} and {} has no length", edge[0], edge[1]),
            "move them apart");
    layout.elements.add(ElementType::spring, edge);
  }
  std::vector<int> all(layout.control_count());
  std::iota(all.begin(), all.end(), 0);
  use_controls_as_vertices(layout, all);
  SurfaceMesh points;
  points.vertices = layout.vertices;
  points.points = all;
  if (options.offset) {
    points.radius.assign(all.size(), *options.offset);
    layout.meets_itself = options.self_contact;
  }
  set_surface(layout, points);
  if (options.plane_thickness) {
    require_in_plane(layout.controls, options);
    hold_in_plane(layout);
  }
  return layout;
}

}  // namespace bulwark
