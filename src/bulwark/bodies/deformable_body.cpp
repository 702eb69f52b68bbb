#include <bulwark/base/error.hpp>
#include <bulwark/bodies/deformable_body.hpp>
#include <bulwark/bodies/tetrahedral_mass.hpp>

#include <fmt/format.h>

namespace bulwark {

BodyLayout deformable_body(const TetMesh& mesh, const ElasticMaterial& material, const BodyOptions& options,
                           MassKind mass) {
  const TetMesh placed = {transformed(options.pose, mesh.vertices), mesh.tetrahedra};
  for (std::size_t t = 0; t < placed.tetrahedra.size(); ++t) {
    const Tetrahedron& v = placed.tetrahedra[t];
    if (!(tetrahedron_volume(placed.vertices.col(v[0]), placed.vertices.col(v[1]), placed.vertices.col(v[2]),
                             placed.vertices.col(v[3])) > 0)) {
      throw InputError(fmt::format("body '{}'", options.name),
                       fmt::format("tetrahedron {} is inverted or has no volume", t), "repair the mesh");
    }
  }
  BodyLayout layout;
  layout.kind = BodyKind::deformable;
  layout.meets_itself = options.self_contact;
  set_points(layout, placed.vertices);
  layout.mass = tetrahedral_mass(placed, material.density, mass == MassKind::lumped);
  for (const auto& entry : layout.mass) layout.gravity_mass[entry.row()] += entry.value();
  set_point_velocities(layout, options);
  layout.elements.materials.push_back(material);
  for (const Tetrahedron& t : placed.tetrahedra) layout.elements.add(ElementType::tetrahedron, t);

  // The collision surface: the boundary triangles, over the boundary's nodes only.
  const std::vector<Triangle> boundary = boundary_triangles(placed.tetrahedra);
  std::vector<int> vertex_of(layout.control_count(), -1), nodes;
  for (const Triangle& t : boundary) {
    for (const int v : t) vertex_of[v] = 0;
  }
  for (int k = 0; k < layout.control_count(); ++k) {
    if (vertex_of[k] < 0) continue;
    vertex_of[k] = static_cast<int>(nodes.size());
    nodes.push_back(k);
  }
  use_controls_as_vertices(layout, nodes);
  SurfaceMesh surface;
  surface.vertices = layout.vertices;
  for (const Triangle& t : boundary)
    surface.triangles.push_back({vertex_of[t[0]], vertex_of[t[1]], vertex_of[t[2]]});
  if (options.offset) surface.radius.assign(nodes.size(), *options.offset);
  set_surface(layout, surface);
  return layout;
}

}  // namespace bulwark
