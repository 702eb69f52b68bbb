// Solid elements at rest: shape functions, integration rules and the points that stencils/solid_point.hpp works on.
// A point of an element is x = sum_a s_a(xi) e_a over its controls e, with parent coordinates xi: the unit tetrahedron
// or cube of Lagrange elements, [-1, 1]^3 of ANCF elements. The map from xi to the rest shape is the same sum over
// the controls at rest, so that rest shapes may be curved.
#pragma once

#include <bulwark/bodies/element.hpp>
#include <bulwark/math/quadrature.hpp>
#include <bulwark/stencils/solid_point.hpp>

#include <Eigen/SparseCore>
#include <span>

#include <vector>

namespace bulwark {

struct ShapeFunctions {
  VectorX value;     ///< s_a
  Vectors gradient;  ///< by the parent coordinates
};

/// Of the Lagrange element of a shape and order.
ShapeFunctions lagrange_functions(CellShape shape, int order, const Vector3& parent);

/// One element at rest.
struct ElementGeometry {
  ElementType type;
  Vectors rest;  ///< its controls
  Vector3 size =
      Vector3::Zero();  ///< of ANCF elements: length, width and height; of planar ones z the thickness
  int node_count() const { return shape_of(type).nodes; }
  ShapeFunctions functions(const Vector3& parent) const;
  /// dx/dxi where the controls are at x: sum_a x_a grad s_a^T. The third parent axis of a planar element is z, along which
  /// it has its thickness, however it deforms: so that F_33 = 1.
  Matrix3 map(const Vectors& x, const Vectors& gradient) const;
};

ElementGeometry element_geometry(const ElementTable& table, const Element& element, const Vectors& rest);

/// The element's middle, in parent coordinates.
Vector3 parent_center(ElementType type);
/// Where its node lies, in parent coordinates.
Vector3 node_parent(ElementType type, int node);

/// Where an element is the first to lose its volume, in parent coordinates: the nodes of a Lagrange element, of tetrahedra
/// of order 3 places between them too; the corners of the sections at the nodes of an ANCF element.
std::vector<Vector3> corner_places(ElementType type);
/// The volume of the parent cell.
double parent_volume(ElementType type);

/// Axes of the material where the map from the parent has the derivative dX/dxi: orthonormal, the first along the
/// element's first parent axis, the second in the plane of the first two.
Matrix3 material_axes(const Matrix3& map);

/// The shape functions at a point of an element, by its rest shape.
struct ElementPoint {
  VectorX value;
  Vectors gradient;           ///< by the rest coordinates
  double determinant = 0;     ///< of the map from the parent: volume at rest by parent volume
  Matrix3 axes;               ///< those of the material
  double stretch_across = 0;  ///< F_33 that is not by the controls: 1 of planar elements
};
ElementPoint element_point(const ElementGeometry& geometry, const Vector3& parent);

/// Where in the element a point of the rest shape lies (it may be outside), and how far from the point the place
/// found is (m): 0 but for rounding, unless the element is strongly curved.
struct ParentPlace {
  Vector3 parent = Vector3::Zero();
  double distance = 0;
};
ParentPlace parent_place(const ElementGeometry& geometry, const Vector3& point);
/// The place's distance from the parent cell, in its units: 0 inside.
double outside_by(ElementType type, const Vector3& parent);

/// Points that the elastic energy is summed over. That of ANCF elements may be in parts, each with a rule of its own for
/// the whole volume.
struct EnergyPoint {
  Vector3 parent;
  double weight;  ///< of the parent
  int part = 0;   ///< of the material's parts (elastic_law.hpp)
};
/// Exact for constant strains but in curved tetrahedra of order 4. Curved ones need more points for that.
std::vector<EnergyPoint> energy_rule(ElementType type, const ElasticMaterial& material, bool curved);
/// Whether its nodes lie elsewhere than the corners of a tetrahedron have them.
bool is_curved(const ElementGeometry& geometry);
/// Exact for the mass matrix of the type, on curved elements too.
QuadratureRule mass_rule(ElementType type);

template <int N>
SolidPoint<N> solid_point(const ElementPoint& point, double weight, bool in_material_axes) {
  SolidPoint<N> result;
  result.gradients = in_material_axes ? Vectors(point.axes.transpose() * point.gradient) : point.gradient;
  result.weight = weight * point.determinant;
  result.stretch_across = point.stretch_across;
  return result;
}

/// Adds the element's part of the mass matrix, by the numbers of its controls.
void add_element_mass(const ElementGeometry& geometry, std::span<const int> controls, double density,
                      std::vector<Eigen::Triplet<double>>& entries);

}  // namespace bulwark
