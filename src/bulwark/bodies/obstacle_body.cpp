#include <bulwark/bodies/mesh_checks.hpp>
#include <bulwark/bodies/obstacle_body.hpp>
#include <bulwark/bodies/planar_layout.hpp>
#include <bulwark/geometry/flat_parts.hpp>

#include <numeric>

namespace bulwark {

BodyLayout obstacle_body(const SurfaceMesh& mesh, const BodyOptions& options, const Motion& motion) {
  BodyLayout layout;
  layout.kind = BodyKind::obstacle;
  layout.meets_itself = options.self_contact;
  layout.nodes = NodeKind::surface_vertices;
  layout.motion = motion;
  SurfaceMesh placed = mesh;
  placed.vertices = transformed(options.pose, mesh.vertices);
  set_points(layout, placed.vertices);
  std::vector<int> all(layout.control_count());
  std::iota(all.begin(), all.end(), 0);
  use_controls_as_vertices(layout, all);
  for (double& radius : placed.radius) radius *= options.pose.scale.maxCoeff();
  placed.radius.resize(options.offset ? placed.vertices.cols() : placed.radius.size(), 0);
  for (double& radius : placed.radius) radius += options.offset.value_or(0);
  if (options.plane_thickness) {
    require_in_plane(placed.vertices, options);
    set_outline(layout, placed);
    hold_in_plane(layout);
    return layout;
  }
  // Where a script meets something it moves the vertices one by one: only what stays is sure to stay flat.
  const FlatParts flat = motion.is_still() ? flat_parts(placed) : FlatParts();
  set_surface(
      layout, placed, [&](const Edge& e) { return !flat.edges.contains(e); },
      [&](int v) { return !flat.inner_vertices.contains(v); });
  return layout;
}

BodyLayout plane_body(const Vector3& point, const Vector3& normal, const BodyOptions& options,
                      const Motion& motion) {
  require(normal.norm() > 0, options, "the plane's normal has no length", "give a direction");
  require(motion.angular_velocity.isZero(), options, "an infinite plane can't turn",
          "use a box or a grid as the obstacle");
  BodyLayout layout;
  layout.kind = BodyKind::obstacle;
  layout.meets_itself = options.self_contact;
  layout.nodes = NodeKind::surface_vertices;
  layout.motion = motion;
  set_points(layout, transformed(options.pose, point));
  use_controls_as_vertices(layout, {0});
  layout.plane_normal = (options.pose.rotation * normal).normalized();
  return layout;
}

}  // namespace bulwark
