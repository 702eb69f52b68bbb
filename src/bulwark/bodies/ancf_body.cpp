#include <bulwark/base/error.hpp>
#include <bulwark/bodies/ancf_body.hpp>
#include <bulwark/bodies/ancf_surface.hpp>
#include <bulwark/bodies/element_inversion.hpp>
#include <bulwark/bodies/mesh_checks.hpp>

#include <fmt/format.h>
#include <Eigen/Geometry>
#include <cmath>

namespace bulwark {

BodyLayout ancf_body(const AncfMesh& mesh, const ElasticMaterial& material, const BodyOptions& options,
                     int cuts) {
  const bool beam = mesh.type == ElementType::ancf_beam;
  require(material.height > 0 && (!beam || material.width > 0), options,
          beam ? "its cross-section has no area" : "it has no thickness", "give it one (m)");
  BodyLayout layout;
  layout.kind = beam ? BodyKind::ancf_beam : BodyKind::ancf_shell;
  layout.meets_itself = options.self_contact;
  layout.directions_per_node = 3;
  const Vector3& scale = options.pose.scale;
  require(scale.maxCoeff() - scale.minCoeff() <= 1e-12 * scale.maxCoeff(), options,
          "a beam or shell with slopes can't be stretched by its `scale`", "give its size instead");
  ElasticMaterial scaled = material;
  scaled.width *= scale[0];
  scaled.height *= scale[0];
  set_points(layout, transformed(options.pose, mesh.nodes));
  // Slopes turn with the body; they are by lengths, which the scale changes too.
  add_controls(layout, ControlRole::direction, options.pose.rotation * mesh.slopes);
  const int nodes = static_cast<int>(mesh.nodes.cols()), per_element = mesh.nodes_per_element();
  layout.elements.materials.push_back(scaled);
  std::vector<double> length(nodes, 0);
  for (int e = 0; e < mesh.element_count(); ++e) {
    std::vector<int> controls(mesh.elements.begin() + e * per_element,
                              mesh.elements.begin() + (e + 1) * per_element);
    for (int a = 0; a < per_element; ++a) {
      for (int k = 0; k < 3; ++k) controls.push_back(nodes + 3 * controls[a] + k);
    }
    layout.elements.add(mesh.type, controls);
  }
  std::vector<Eigen::Triplet<double>> mass;
  for (const Element& element : layout.elements.elements) {
    const ElementGeometry geometry = element_geometry(layout.elements, element, layout.controls);
    if (!is_positive(geometry)) {
      throw InputError(fmt::format("body '{}'", options.name),
                       fmt::format("{} {} is too strongly bent or twisted for its thickness at rest",
                                   shape_of(mesh.type).name, layout.elements.number_of(element)),
                       "use more elements, or a thinner section");
    }
    const std::span<const int> controls = layout.elements.controls_of(element);
    for (int a = 0; a < per_element; ++a)
      length[controls[a]] = std::max(length[controls[a]], geometry.size.head(beam ? 1 : 2).maxCoeff());
    add_element_mass(geometry, controls, scaled.density, mass);
  }
  Eigen::SparseMatrix<double> sum(layout.control_count(), layout.control_count());
  sum.setFromTriplets(mass.begin(), mass.end());
  // The weight of a control is the integral of rho s: how the mass matrix answers a shift of all nodes.
  for (int column = 0; column < sum.outerSize(); ++column) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(sum, column); it; ++it) {
      if (column < nodes) layout.gravity_mass[it.row()] += it.value();
      layout.mass.emplace_back(static_cast<int>(it.row()), static_cast<int>(it.col()), it.value());
    }
  }
  for (int k = 0; k < nodes; ++k) {
    // The cubic of a slope reaches 4/27 of the length; across, slopes move the outer surface by half of its size.
    layout.lever[nodes + 3 * k] = 4.0 / 27 * length[k];
    layout.lever[nodes + 3 * k + 1] = beam ? scaled.width / 2 : 4.0 / 27 * length[k];
    layout.lever[nodes + 3 * k + 2] = scaled.height / 2;
  }
  set_point_velocities(layout, options);
  for (int k = nodes; k < layout.control_count(); ++k)
    layout.velocity.col(k) = options.angular_velocity.cross(Vector3(layout.controls.col(k)));
  use_riding_surface(layout, ancf_surface(layout.elements, layout.controls, cuts),
                     options.offset.value_or(0));
  layout.face_cuts = cuts;
  return layout;
}

}  // namespace bulwark
