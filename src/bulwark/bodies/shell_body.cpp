#include <bulwark/bodies/mesh_checks.hpp>
#include <bulwark/bodies/shell_body.hpp>

#include <Eigen/Geometry>
#include <numeric>

namespace bulwark {

BodyLayout shell_body(const SurfaceMesh& mesh, const ClothMaterial& material, const BodyOptions& options) {
  require(!mesh.triangles.empty(), options, "a shell is made of triangles, but there are none",
          "give a surface, such as a `grid`");
  require(mesh.edges.empty() && mesh.points.empty(), options, "a shell can't have loose edges or points",
          "remove them from the mesh, or make them a rod");
  require(material.strain_limit > 1, options,
          fmt::format("its strain limit is {}, which even its rest shape exceeds", material.strain_limit),
          "give the largest stretch, e.g. 1.1 for one tenth");
  require_all_used(mesh.vertices.cols(), mesh.triangles, "triangle", options);
  BodyLayout layout;
  layout.kind = BodyKind::shell;
  layout.meets_itself = options.self_contact;
  set_points(layout, transformed(options.pose, mesh.vertices));
  layout.elements.materials.push_back(material);
  for (const Triangle& t : mesh.triangles) {
    const Vector3 a = layout.controls.col(t[0]), b = layout.controls.col(t[1]), c = layout.controls.col(t[2]);
    const double area = 0.5 * (b - a).cross(c - a).norm();
    require(area > 0, options, "a triangle has no area", "repair the mesh");
    for (const int v : t) add_point_mass(layout, v, material.density * material.thickness * area / 3);
    layout.elements.add(ElementType::shell_triangle, t);
  }
  set_point_velocities(layout, options);
  std::vector<int> all(layout.control_count());
  std::iota(all.begin(), all.end(), 0);
  use_controls_as_vertices(layout, all);
  set_surface(layout, mesh);
  layout.radius.assign(layout.vertices.cols(), options.offset.value_or(0.5 * material.thickness));
  return layout;
}

}  // namespace bulwark
