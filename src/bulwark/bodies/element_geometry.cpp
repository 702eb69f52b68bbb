#include <bulwark/bodies/ancf_shape.hpp>
#include <bulwark/bodies/elastic_law.hpp>
#include <bulwark/bodies/element_geometry.hpp>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>

namespace bulwark {
namespace {

/// The Lagrange polynomial of one coordinate t that is 1 at k/p and 0 at the i/p before, and its slope:
///   prod_{i<k} (p t - i) / (k - i).
struct Factor {
  double value = 1, slope = 0;
};
Factor ascending_factor(int order, int k, double t) {
  Factor f;
  for (int i = 0; i < k; ++i) {
    const double term = (order * t - i) / (k - i);
    f.slope = f.slope * term + f.value * order / (k - i);
    f.value *= term;
  }
  return f;
}

/// The same, 1 at k/p and 0 at all other i/p.
Factor lattice_factor(int order, int k, double t) {
  Factor f;
  for (int i = 0; i <= order; ++i) {
    if (i == k) continue;
    const double term = (order * t - i) / (k - i);
    f.slope = f.slope * term + f.value * order / (k - i);
    f.value *= term;
  }
  return f;
}

}  // namespace

ShapeFunctions lagrange_functions(CellShape shape, int order, const Vector3& parent) {
  const auto lattice = lattice_nodes(shape, order);
  const auto count = static_cast<Eigen::Index>(lattice.size());
  ShapeFunctions result{VectorX(count), Vectors(3, count)};
  for (Eigen::Index a = 0; a < count; ++a) {
    const std::array<int, 3>& k = lattice[a];
    if (shape == CellShape::tetrahedron) {
      // In barycentric coordinates L0 = 1 - x - y - z, x, y, z.
      const Factor zero = ascending_factor(order, order - k[0] - k[1] - k[2], 1 - parent.sum());
      const Factor f[3] = {ascending_factor(order, k[0], parent[0]), ascending_factor(order, k[1], parent[1]),
                           ascending_factor(order, k[2], parent[2])};
      const double all = f[0].value * f[1].value * f[2].value;
      result.value[a] = zero.value * all;
      for (int axis = 0; axis < 3; ++axis) {
        const double others = f[(axis + 1) % 3].value * f[(axis + 2) % 3].value;
        result.gradient(axis, a) = zero.value * f[axis].slope * others - zero.slope * all;
      }
    } else {
      const Factor f[3] = {lattice_factor(order, k[0], parent[0]), lattice_factor(order, k[1], parent[1]),
                           lattice_factor(order, k[2], parent[2])};
      result.value[a] = f[0].value * f[1].value * f[2].value;
      for (int axis = 0; axis < 3; ++axis)
        result.gradient(axis, a) = f[axis].slope * f[(axis + 1) % 3].value * f[(axis + 2) % 3].value;
    }
  }
  return result;
}

ShapeFunctions ElementGeometry::functions(const Vector3& parent) const {
  if (const auto cell = lagrange_cell(type)) return lagrange_functions(cell->shape, cell->order, parent);
  return type == ElementType::ancf_beam ? ancf_beam_functions(size, parent) : ancf_shell_functions(size, parent);
}

ElementGeometry element_geometry(const ElementTable& table, const Element& element, const Vectors& rest) {
  ElementGeometry geometry{element.type, Vectors(3, element.control_count), Vector3::Zero()};
  const std::span<const int> controls = table.controls_of(element);
  for (int a = 0; a < element.control_count; ++a) geometry.rest.col(a) = rest.col(controls[a]);
  if (is_ancf(element.type)) {
    const auto& material = table.material_of<ElasticMaterial>(element);
    geometry.size = ancf_size(element.type, geometry.rest, material.width, material.height);
  }
  return geometry;
}

Vector3 parent_center(ElementType type) {
  const auto cell = lagrange_cell(type);
  if (!cell) return Vector3::Zero();
  return Vector3::Constant(cell->shape == CellShape::tetrahedron ? 0.25 : 0.5);
}

ElementPoint element_point(const ElementGeometry& geometry, const Vector3& parent) {
  const ShapeFunctions functions = geometry.functions(parent);
  const Matrix3 map = geometry.rest * functions.gradient.transpose();  // dX/dxi
  ElementPoint point;
  point.value = functions.value;
  point.gradient = inverse_transpose(map) * functions.gradient;
  point.determinant = determinant(map);
  const Vector3 first = map.col(0).normalized();
  const Vector3 third = first.cross(map.col(1)).normalized();
  point.axes << first, third.cross(first), third;
  return point;
}

double outside_by(ElementType type, const Vector3& parent) {
  const auto cell = lagrange_cell(type);
  if (!cell) return std::max(0.0, parent.cwiseAbs().maxCoeff() - 1);
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
    const Matrix3 map = geometry.rest * functions.gradient.transpose();
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

std::vector<EnergyPoint> energy_rule(ElementType type, const ElasticMaterial& material) {
  std::vector<EnergyPoint> result;
  auto add = [&](const QuadratureRule& rule, int part) {
    for (const QuadraturePoint& point : rule) result.push_back({point.place, point.weight, part});
  };
  if (const auto cell = lagrange_cell(type)) {
    if (cell->shape == CellShape::tetrahedron) {
      add(tetrahedron_rule(2 * cell->order - 2), 0);
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
  const bool split = law_part_count(material, type) > 1;
  if (type == ElementType::ancf_beam) {
    add(cube_rule(3, 2, 2), 0);
    if (split) add(cube_rule(3, 1, 1), 1);
  } else {
    add(cube_rule(4, 4, split ? 2 : 3), 0);
    if (split) add(cube_rule(4, 4, 1), 1);
  }
  return result;
}

QuadratureRule mass_rule(ElementType type) {
  if (const auto cell = lagrange_cell(type)) {
    const int order = cell->order;
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
    const double weight = density * point.weight * determinant(geometry.rest * functions.gradient.transpose());
    mass += weight * functions.value * functions.value.transpose();
  }
  for (Eigen::Index i = 0; i < count; ++i) {
    for (Eigen::Index j = 0; j < count; ++j) entries.emplace_back(controls[i], controls[j], mass(i, j));
  }
}

}  // namespace bulwark
