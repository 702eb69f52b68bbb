#include <bulwark/bodies/ancf_surface.hpp>
#include <bulwark/bodies/face_surface.hpp>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace bulwark {
namespace {

/// Of the map from a flat part of the parent's faces.
int degree_on_faces(ElementType type) {
  // Places of a shell are cubic along a side and linear along the other; slopes across are linear along both.
  if (type == ElementType::ancf_shell) return 4;
  if (type == ElementType::ancf_beam) return 3;
  const LagrangeCell cell = *lagrange_cell(type);
  return cell.shape == CellShape::hexahedron ? 2 * cell.order : cell.order;
}

/// look(i, j) for the places (i, j) / degree of a triangle.
template <class Look>
void for_each_place(int degree, Look&& look) {
  for (int i = 0; i <= degree; ++i) {
    for (int j = 0; i + j <= degree; ++j) look(i, j);
  }
}

/// Coefficients in Bernstein's basis from the values at these places.
MatrixX triangle_to_bernstein(int degree) {
  const int count = (degree + 1) * (degree + 2) / 2;
  MatrixX values(count, count);
  Eigen::Index row = 0;
  for_each_place(degree, [&](int i, int j) {
    const double u = static_cast<double>(i) / degree, v = static_cast<double>(j) / degree;
    Eigen::Index column = 0;
    for_each_place(degree, [&](int k, int l) {
      const double ways = std::tgamma(degree + 1) /
                          (std::tgamma(k + 1) * std::tgamma(l + 1) * std::tgamma(degree - k - l + 1));
      values(row, column++) = ways * std::pow(u, k) * std::pow(v, l) * std::pow(1 - u - v, degree - k - l);
    });
    ++row;
  });
  return values.inverse();
}

}  // namespace

ElementTable own_elements(const ElementTable& table, int first_element, int element_count,
                          int first_control) {
  ElementTable own;
  for (int e = first_element; e < first_element + element_count; ++e) {
    const Element& element = table.elements[e];
    if (own.materials.empty()) own.materials.push_back(table.materials[element.material]);
    std::vector<int> controls;
    for (const int control : table.controls_of(element)) controls.push_back(control - first_control);
    own.add(element.type, controls);
  }
  return own;
}

SolidMesh solid_of(const ElementTable& elements, const Vectors& controls) {
  SolidMesh solid;
  const LagrangeCell cell = *lagrange_cell(elements.elements.front().type);
  solid.shape = cell.shape;
  solid.order = cell.order;
  solid.cells = elements.controls;
  solid.vertices = controls;
  return solid;
}

RidingSurface face_surface(const ElementTable& elements, const Vectors& controls, int cuts) {
  if (is_ancf(elements.elements.front().type)) return ancf_surface(elements, controls, cuts);
  return cut_boundary(solid_of(elements, controls), cuts);
}

double distance_from_faces(const ElementTable& elements, const Vectors& controls,
                           const RidingSurface& surface) {
  if (surface.parts.empty()) return 0;
  const int degree = degree_on_faces(elements.elements.front().type);
  const MatrixX to_bernstein = triangle_to_bernstein(degree);
  double largest = 0;
  for (const FacePart& part : surface.parts) {
    const ElementGeometry geometry = element_geometry(elements, elements.elements[part.element], controls);
    const auto& [a, b, c] = part.parent;
    const auto place = [&](const Vector3& parent) -> Vector3 {
      return geometry.rest * geometry.functions(parent).value;
    };
    const Vector3 flat_a = place(a), flat_b = place(b), flat_c = place(c);
    Eigen::MatrixX3d difference(to_bernstein.rows(), 3);
    Eigen::Index row = 0;
    for_each_place(degree, [&](int i, int j) {
      const double u = static_cast<double>(i) / degree, v = static_cast<double>(j) / degree;
      const Vector3 curved = place((1 - u - v) * a + u * b + v * c);
      difference.row(row++) = (curved - (1 - u - v) * flat_a - u * flat_b - v * flat_c).transpose();
    });
    largest = std::max(largest, (to_bernstein * difference).rowwise().norm().maxCoeff());
  }
  return largest;
}

}  // namespace bulwark
