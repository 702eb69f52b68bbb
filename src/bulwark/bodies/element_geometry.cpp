#include <bulwark/bodies/ancf_shape.hpp>
#include <bulwark/bodies/elastic_law.hpp>
#include <bulwark/bodies/element_geometry.hpp>
#include <bulwark/geometry/lagrange_cell.hpp>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>

namespace bulwark {

ShapeFunctions lagrange_functions(CellShape shape, int order, const Vector3& parent) {
  return {lagrange_values(shape, order, parent), lagrange_gradients(shape, order, parent)};
}

ShapeFunctions ElementGeometry::functions(const Vector3& parent) const {
  if (const auto cell = lagrange_cell(type)) return lagrange_functions(cell->shape, cell->order, parent);
  return type == ElementType::ancf_beam ? ancf_beam_functions(size, parent)
                                        : ancf_shell_functions(size, parent);
}

Matrix3 ElementGeometry::map(const Vectors& x, const Vectors& gradient) const {
  Matrix3 derivative = x * gradient.transpose();
  if (is_planar(type)) derivative.col(2) = size.z() * Vector3::UnitZ();
  return derivative;
}

ElementGeometry element_geometry(const ElementTable& table, const Element& element, const Vectors& rest) {
  ElementGeometry geometry{element.type, Vectors(3, element.control_count), Vector3::Zero()};
  const std::span<const int> controls = table.controls_of(element);
  for (int a = 0; a < element.control_count; ++a) geometry.rest.col(a) = rest.col(controls[a]);
  if (is_ancf(element.type)) {
    const auto& material = table.material_of<ElasticMaterial>(element);
    geometry.size = ancf_size(element.type, geometry.rest, material.width, material.height);
  }
  if (is_planar(element.type))
    geometry.size.z() = table.material_of<ElasticMaterial>(element).plane_thickness;
  return geometry;
}

Vector3 parent_center(ElementType type) {
  const auto cell = lagrange_cell(type);
  if (!cell) return Vector3::Zero();
  if (cell->shape == CellShape::triangle) return {1.0 / 3, 1.0 / 3, 0};
  return Vector3::Constant(cell->shape == CellShape::tetrahedron ? 0.25 : 0.5);
}

Vector3 node_parent(ElementType type, int node) {
  if (const auto cell = lagrange_cell(type)) {
    const std::array<int, 3>& place = lattice_nodes(cell->shape, cell->order)[node];
    return Vector3(place[0], place[1], place[2]) / cell->order;
  }
  if (type == ElementType::ancf_beam) return {node == 0 ? -1.0 : 1.0, 0, 0};
  return {node == 1 || node == 2 ? 1.0 : -1.0, node >= 2 ? 1.0 : -1.0, 0};
}

std::vector<Vector3> corner_places(ElementType type) {
  std::vector<Vector3> places;
  if (type == ElementType::tetrahedron_3) {
    // Its volume is a polynomial of degree 6 and may vanish between nodes: places that fix the polynomial.
    constexpr int parts = 6;
    for (int i = 0; i <= parts; ++i) {
      for (int j = 0; i + j <= parts; ++j) {
        for (int k = 0; i + j + k <= parts; ++k) places.push_back(Vector3(i, j, k) / parts);
      }
    }
    return places;
  }
  for (int node = 0; node < shape_of(type).nodes; ++node) {
    const Vector3 place = node_parent(type, node);
    if (!is_ancf(type)) {
      places.push_back(place);
      continue;
    }
    for (const double across : {-1.0, 1.0}) {
      if (type == ElementType::ancf_shell) places.push_back(place + across * Vector3::UnitZ());
      for (const double along : {-1.0, 1.0}) {
        if (type == ElementType::ancf_beam) places.push_back(place + Vector3(0, across, along));
      }
    }
  }
  return places;
}

double parent_volume(ElementType type) {
  if (is_ancf(type)) return 8;
  return lagrange_cell(type)->shape == CellShape::tetrahedron ? 1.0 / 6 : 1;
}

Matrix3 material_axes(const Matrix3& map) {
  const Vector3 first = map.col(0).normalized();
  const Vector3 third = first.cross(map.col(1)).normalized();
  Matrix3 axes;
  axes << first, third.cross(first), third;
  return axes;
}

ElementPoint element_point(const ElementGeometry& geometry, const Vector3& parent) {
  const ShapeFunctions functions = geometry.functions(parent);
  const Matrix3 map = geometry.map(geometry.rest, functions.gradient);
  ElementPoint point;
  point.value = functions.value;
  point.gradient = inverse_transpose(map) * functions.gradient;
  point.determinant = determinant(map);
  point.axes = material_axes(map);
  point.stretch_across = is_planar(geometry.type) ? 1 : 0;
  return point;
}

double outside_by(ElementType type, const Vector3& parent) {
  const auto cell = lagrange_cell(type);
  if (!cell) return std::max(0.0, parent.cwiseAbs().maxCoeff() - 1);
  if (cell->shape == CellShape::triangle)
    return std::max({0.0, -parent.head<2>().minCoeff(), parent.head<2>().sum() - 1});
  if (cell->shape == CellShape::tetrahedron) return std::max({0.0, -parent.minCoeff(), parent.sum() - 1});
  return std::max({0.0, -parent.minCoeff(), parent.maxCoeff() - 1});
}

ParentPlace parent_place(const ElementGeometry& geometry, const Vector3& point) {
  // Newton's method from the middle; far outside of a curved element it need not converge, which the distance shows.
  ParentPlace place{parent_center(geometry.type), 0};
  for (int iteration = 0; iteration < 30; ++iteration) {
    const ShapeFunctions functions = geometry.functions(place.parent);
    const Vector3 missing = point - geometry.rest * functions.value;
    place.distance = missing.norm();
    const Matrix3 map = geometry.map(geometry.rest, functions.gradient);
    Vector3 step = map.partialPivLu().solve(missing);
    if (!step.allFinite()) break;
    const double length = step.norm();
    if (length > 1) step /= length;
    place.parent += step;
    if (length < 1e-14) break;
  }
  place.distance = (point - geometry.rest * geometry.functions(place.parent).value).norm();
  return place;
}

bool is_curved(const ElementGeometry& geometry) {
  const auto cell = lagrange_cell(geometry.type);
  if (!cell || cell->shape != CellShape::tetrahedron || cell->order == 1) return false;
  const auto corner = [&](int k) -> Vector3 { return geometry.rest.col(k); };
  Matrix3 sides;
  sides << corner(1) - corner(0), corner(2) - corner(0), corner(3) - corner(0);
  constexpr double rounding = 1e-6;  // of places in files of seven digits, by the size of the element
  const double slack = rounding * sides.colwise().norm().maxCoeff();
  for (int node = 4; node < geometry.node_count(); ++node) {
    const Vector3 straight = corner(0) + sides * node_parent(geometry.type, node);
    if ((geometry.rest.col(node) - straight).norm() > slack) return true;
  }
  return false;
}

std::vector<EnergyPoint> energy_rule(ElementType type, const ElasticMaterial& material, bool curved) {
  std::vector<EnergyPoint> result;
  auto add = [&](const QuadratureRule& rule, int part) {
    for (const QuadraturePoint& point : rule) result.push_back({point.place, point.weight, part});
  };
  if (const auto cell = lagrange_cell(type)) {
    if (cell->shape == CellShape::triangle) {
      add(triangle_rule(2 * cell->order - 2), 0);
    } else if (cell->shape == CellShape::tetrahedron) {
      // Forces of a constant stress are integrals of dN/dxi, of degree order - 1, times the cofactors of dX/dxi, which
      // are constant where the element is straight and else of degree 2 (order - 1). Order 4 would need 216 points for
      // that, nine times those of straight elements.
      const bool more = curved && cell->order <= 3;
      add(tetrahedron_rule((more ? 3 : 2) * (cell->order - 1)), 0);
    } else {
      const int count = cell->order + 1;
      add(cube_rule(count, count, count), 0);
      for (EnergyPoint& point : result) {
        point.parent = 0.5 * (point.parent + Vector3::Ones());
        point.weight /= 8;
      }
    }
    return result;
  }
  const bool beam = type == ElementType::ancf_beam;
  if (!has_law_parts(material, type)) {
    add(beam ? cube_rule(3, 2, 2) : cube_rule(4, 4, 3), 0);
    return result;
  }
  add(beam ? cube_rule(3, 2, 2) : cube_rule(3, 3, 2), bending_part);
  const int nodes = shape_of(type).nodes;
  for (int node = 0; node < nodes; ++node)
    result.push_back({node_parent(type, node), 8.0 / nodes, section_part});
  add(beam ? cube_rule(3, 1, 1) : cube_rule(3, 3, 1), shear_part);
  return result;
}

QuadratureRule mass_rule(ElementType type) {
  if (const auto cell = lagrange_cell(type)) {
    const int order = cell->order;
    if (cell->shape == CellShape::triangle) return triangle_rule(2 * order + 2 * (order - 1));
    if (cell->shape == CellShape::tetrahedron) return tetrahedron_rule(2 * order + 3 * (order - 1));
    const int count = (2 * order + 3 * order) / 2 + 1;
    QuadratureRule rule = cube_rule(count, count, count);
    for (QuadraturePoint& point : rule) {
      point.place = 0.5 * (point.place + Vector3::Ones());
      point.weight /= 8;
    }
    return rule;
  }
  return type == ElementType::ancf_beam ? cube_rule(6, 3, 3) : cube_rule(6, 6, 3);
}

void add_element_mass(const ElementGeometry& geometry, std::span<const int> controls, double density,
                      std::vector<Eigen::Triplet<double>>& entries) {
  const auto count = static_cast<Eigen::Index>(controls.size());
  MatrixX mass = MatrixX::Zero(count, count);
  for (const QuadraturePoint& point : mass_rule(geometry.type)) {
    const ShapeFunctions functions = geometry.functions(point.place);
    const double weight =
        density * point.weight * determinant(geometry.map(geometry.rest, functions.gradient));
    mass += weight * functions.value * functions.value.transpose();
  }
  for (Eigen::Index i = 0; i < count; ++i) {
    for (Eigen::Index j = 0; j < count; ++j) entries.emplace_back(controls[i], controls[j], mass(i, j));
  }
}

}  // namespace bulwark
