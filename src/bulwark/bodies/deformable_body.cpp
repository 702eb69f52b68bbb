#include <bulwark/base/error.hpp>
#include <bulwark/base/parallel.hpp>
#include <bulwark/bodies/deformable_body.hpp>
#include <bulwark/bodies/element_inversion.hpp>
#include <bulwark/bodies/mesh_checks.hpp>
#include <bulwark/bodies/planar_layout.hpp>
#include <bulwark/bodies/riding_surface.hpp>

#include <fmt/format.h>

namespace bulwark {
namespace {

/// Throws unless the map of every element is positive.
void require_positive(const ElementTable& elements, const Vectors& rest, const BodyOptions& options) {
  std::vector<char> positive(elements.elements.size(), 0);
  parallel_for(positive.size(), [&](std::size_t e) {
    positive[e] = is_positive(element_geometry(elements, elements.elements[e], rest)) ? 1 : 0;
  });
  for (std::size_t e = 0; e < positive.size(); ++e) {
    if (positive[e]) continue;
    const ElementType type = elements.elements[e].type;
    throw InputError(fmt::format("body '{}'", options.name),
                     fmt::format("{} {} is inverted or has no {}{}", shape_of(type).name, e,
                                 is_planar(type) ? "area" : "volume",
                                 lagrange_cell(type)->order > 1 ? " somewhere in it" : ""),
                     "repair the mesh");
  }
}

/// rho * integral of s_a s_b; lumped, the sums of its rows.
void set_mass(BodyLayout& layout, double density, bool lumped) {
  std::vector<Eigen::Triplet<double>> entries;
  const ElementTable& table = layout.elements;
  for (const Element& element : table.elements)
    add_element_mass(element_geometry(table, element, layout.controls), table.controls_of(element), density,
                     entries);
  Eigen::SparseMatrix<double> mass(layout.control_count(), layout.control_count());
  mass.setFromTriplets(entries.begin(), entries.end());
  for (int column = 0; column < mass.outerSize(); ++column) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(mass, column); it; ++it) {
      layout.gravity_mass[it.row()] += it.value();
      if (!lumped)
        layout.mass.emplace_back(static_cast<int>(it.row()), static_cast<int>(it.col()), it.value());
    }
  }
  for (int k = 0; lumped && k < layout.control_count(); ++k)
    layout.mass.emplace_back(k, k, layout.gravity_mass[k]);
}

}  // namespace

BodyLayout deformable_body(const SolidMesh& mesh, const ElasticMaterial& material, const BodyOptions& options,
                           MassKind mass, const SolidSurface& surface) {
  SolidMesh placed = mesh;
  placed.vertices = transformed(options.pose, mesh.vertices);
  BodyLayout layout;
  layout.kind = BodyKind::deformable;
  layout.meets_itself = options.self_contact;
  set_points(layout, placed.vertices);
  layout.elements.materials.push_back(material);
  const bool in_plane = mesh.shape == CellShape::triangle;
  if (in_plane) {
    require(options.plane_thickness.has_value(), options,
            "triangles are solids of a scene in the plane alone", "use tetrahedra or hexahedra");
    require_in_plane(placed.vertices, options);
    std::get<ElasticMaterial>(layout.elements.materials.back()).plane_thickness = *options.plane_thickness;
  }
  const ElementType type = element_type(mesh.shape, mesh.order);
  for (int c = 0; c < placed.cell_count(); ++c) layout.elements.add(type, placed.cell(c));
  require_positive(layout.elements, layout.controls, options);
  set_mass(layout, material.density, mass == MassKind::lumped && mesh.order == 1);
  set_point_velocities(layout, options);
  if (in_plane) {
    hold_in_plane(layout);
    use_cut_outline(layout, placed, surface.cuts > 0 ? surface.cuts : mesh.order, options.offset.value_or(0));
  } else if (surface.carried) {
    SurfaceMesh carried = *surface.carried;
    carried.vertices = transformed(options.pose, carried.vertices);
    double farthest = 0;
    const RidingSurface riding = carried_mesh(placed, carried, farthest);
    constexpr double allowed = 1;  // an element's size: beyond it shape functions extrapolate wildly
    if (!(farthest <= allowed)) {
      throw InputError(fmt::format("body '{}'", options.name),
                       "a vertex of its `collision_mesh` lies farther from it than an element is large",
                       "place the mesh around the body: both have the same coordinates");
    }
    use_riding_surface(layout, riding, options.offset.value_or(0));
  } else {
    const int cuts = surface.cuts > 0 ? surface.cuts : mesh.order;
    use_riding_surface(layout, cut_boundary(placed, cuts), options.offset.value_or(0));
    layout.face_cuts = cuts;
  }
  return layout;
}

BodyLayout deformable_body(const TetMesh& mesh, const ElasticMaterial& material, const BodyOptions& options,
                           MassKind mass) {
  return deformable_body(as_solid_mesh(mesh), material, options, mass);
}

}  // namespace bulwark
