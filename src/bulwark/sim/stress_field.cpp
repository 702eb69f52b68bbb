#include <bulwark/base/parallel.hpp>
#include <bulwark/bodies/element_geometry.hpp>
#include <bulwark/math/jacobi_eigen.hpp>
#include <bulwark/sim/body_nodes.hpp>
#include <bulwark/sim/stress_field.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace bulwark {
namespace {

bool is_solid_type(ElementType type) {
  return std::find(solid_types.begin(), solid_types.end(), type) != solid_types.end();
}

/// The elements that have a control, by control.
struct ElementsOfControls {
  std::vector<std::size_t> begin;
  std::vector<int> elements;

  ElementsOfControls(const World& world, const std::vector<int>& law_of_element)
      : begin(static_cast<std::size_t>(world.control_count()) + 1, 0) {
    const auto for_each = [&](auto&& look) {
      for (const Element& element : world.elements.elements) {
        const int number = world.elements.number_of(element);
        if (law_of_element[number] < 0) continue;
        for (const int control : world.elements.controls_of(element)) look(control, number);
      }
    };
    for_each([&](int control, int) { ++begin[static_cast<std::size_t>(control) + 1]; });
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    elements.resize(begin.back());
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
    for_each([&](int control, int number) { elements[next[control]++] = number; });
  }
  std::span<const int> of(int control) const {
    return {elements.data() + begin[control], begin[control + 1] - begin[control]};
  }
};

/// A vertex of the surface as a combination of controls.
struct VertexWeights {
  std::span<const int> controls;
  std::span<const double> values;

  VertexWeights(const World& world, int vertex) {
    const auto& W = world.collision.weights;
    const int first = W.outerIndexPtr()[vertex], end = W.outerIndexPtr()[vertex + 1];
    controls = {W.innerIndexPtr() + first, static_cast<std::size_t>(end - first)};
    values = {W.valuePtr() + first, static_cast<std::size_t>(end - first)};
  }

  bool all_in(std::span<const int> element) const {
    return std::all_of(controls.begin(), controls.end(), [&](int control) {
      return std::find(element.begin(), element.end(), control) != element.end();
    });
  }
  /// How far the shape functions at a place of the element are from the weights.
  double difference(std::span<const int> element, const VectorX& functions) const {
    double largest = 0;
    for (std::size_t a = 0; a < element.size(); ++a) {
      const auto found = std::find(controls.begin(), controls.end(), element[a]);
      const double weight = found == controls.end() ? 0 : values[found - controls.begin()];
      largest = std::max(largest, std::abs(weight - functions[static_cast<Eigen::Index>(a)]));
    }
    return largest;
  }
};

/// dx/dxi of controls at places `q`, relative to the first node.
Matrix3 derivative(ElementType type, std::span<const int> controls, const Vectors& q,
                   const Vectors& gradient) {
  const int nodes = shape_of(type).nodes;
  const Vector3 origin = q.col(controls[0]);
  Matrix3 sum = Matrix3::Zero();
  for (std::size_t a = 0; a < controls.size(); ++a) {
    Vector3 x = q.col(controls[a]);
    if (static_cast<int>(a) < nodes) x -= origin;
    sum += x * gradient.col(static_cast<Eigen::Index>(a)).transpose();
  }
  // The third axis of a planar element is z, and nothing deforms along it.
  if (is_planar(type)) sum.col(2) = Vector3::UnitZ();
  return sum;
}

PointDeformation deformation_of(const ElementTable& table, const Element& element, const Vectors& rest,
                                const Vectors& q, const Vectors& gradient) {
  const std::span<const int> controls = table.controls_of(element);
  const Matrix3 map = derivative(element.type, controls, rest, gradient);
  PointDeformation point = {
      derivative(element.type, controls, q, gradient) * inverse_transpose(map).transpose(),
      material_axes(map)};
  const auto& material = table.material_of<ElasticMaterial>(element);
  if (is_planar(element.type) && material.plane_stress)
    point.F(2, 2) = stretch_without_stress(material, point.F);
  return point;
}

/// The middle line or surface beside a place of an ANCF element.
Vector3 middle_beside(ElementType type, const Vector3& parent) {
  return {parent[0], type == ElementType::ancf_shell ? parent[1] : 0.0, 0};
}

/// How much a node of an ANCF element counts at a place of it: linear along its sides.
double share_of_node(ElementType type, int node, const Vector3& parent) {
  const Vector3 at = node_parent(type, node);
  double share = 1;
  for (int axis = 0; axis < (type == ElementType::ancf_shell ? 2 : 1); ++axis)
    share *= 0.5 * (1 + at[axis] * parent[axis]);
  return share;
}

StressField no_stress(Eigen::Index count) {
  return {SymmetricTensors::Zero(6, count), SymmetricTensors::Zero(6, count),
          SymmetricTensors::Zero(6, count), VectorX::Zero(count)};
}

void add_stress(const PointStress& stress, StressField& field, Eigen::Index column) {
  field.cauchy.col(column) += tensor_of(stress.cauchy);
  field.second.col(column) += tensor_of(stress.second);
  field.strain.col(column) += tensor_of(stress.strain);
  field.energy_density[column] += stress.energy_density;
}

/// Points of an element's energy that stand for its volume.
std::vector<EnergyPoint> volume_rule(ElementType type, const ElasticMaterial& material, bool curved) {
  std::vector<EnergyPoint> rule = energy_rule(type, material, curved);
  std::erase_if(rule, [](const EnergyPoint& point) { return point.part != bending_part; });
  return rule;
}

}  // namespace

VectorX StressField::von_mises() const {
  VectorX result(cauchy.cols());
  for (Eigen::Index i = 0; i < cauchy.cols(); ++i) result[i] = bulwark::von_mises(matrix_of(cauchy.col(i)));
  return result;
}

Vectors StressField::principal_stresses() const {
  Vectors result(3, cauchy.cols());
  for (Eigen::Index i = 0; i < cauchy.cols(); ++i) {
    Vector3 values = jacobi_eigen<3>(matrix_of(cauchy.col(i))).values;
    std::sort(values.begin(), values.end(), std::greater<>());
    result.col(i) = values;
  }
  return result;
}

StressPlaces::StressPlaces(const World& world) {
  const ElementTable& table = world.elements;
  std::map<std::tuple<int, ElementType, double, double>, int> known;
  law_of_element_.assign(table.elements.size(), -1);
  node_gradients_.resize(static_cast<std::size_t>(ElementType::triangle_4) + 1);
  for (const Element& element : table.elements) {
    if (!is_solid_type(element.type)) continue;
    const auto& material = table.material_of<ElasticMaterial>(element);
    const Vector3 size = has_law_parts(material, element.type)
                             ? element_geometry(table, element, world.rest).size
                             : Vector3::Zero();
    const auto [entry, is_new] = known.emplace(std::tuple(element.material, element.type, size[0], size[1]),
                                               static_cast<int>(laws_.size()));
    // Of plane stress the stretch along z is found for each point: with it the law in space has the stress.
    ElasticMaterial in_space = material;
    in_space.plane_stress = false;
    if (is_new) laws_.push_back(law_parts(in_space, element.type, size));
    law_of_element_[table.number_of(element)] = entry->second;
    set_node_gradients(element.type);
  }
  if (empty()) return;

  const ElementsOfControls elements_of(world, law_of_element_);
  begin_.push_back(0);
  for (int control = 0; control < world.control_count(); ++control) {
    for (const int number : elements_of.of(control)) {
      const Element& element = table.elements[number];
      const std::span<const int> controls = table.controls_of(element);
      const int node =
          static_cast<int>(std::find(controls.begin(), controls.end(), control) - controls.begin());
      if (node >= shape_of(element.type).nodes) continue;
      visits_.push_back({number, node, node_parent(element.type, node)});
    }
    begin_.push_back(visits_.size());
  }

  const int vertex_count = world.collision.vertex_count();
  node_of_vertex_.assign(vertex_count, -1);
  std::vector<std::vector<Visit>> of_vertex(vertex_count);
  parallel_for(vertex_count, [&](std::size_t v) {
    const int vertex = static_cast<int>(v);
    const Body& body = world.bodies[world.collision.vertex_body[vertex]];
    if (body.element_count == 0 || law_of_element_[body.first_element] < 0) return;
    const int node = node_of_vertex(world, body, vertex);
    if (node >= 0) {
      node_of_vertex_[v] = body.first_control + node;
      return;
    }
    const VertexWeights weights(world, vertex);
    if (!weights.controls.empty())
      of_vertex[v] = visits_of_vertex(world, vertex, elements_of.of(weights.controls[0]));
  });
  for (const std::vector<Visit>& visits : of_vertex) {
    visits_.insert(visits_.end(), visits.begin(), visits.end());
    begin_.push_back(visits_.size());
  }
}

void StressPlaces::set_node_gradients(ElementType type) {
  std::vector<Vectors>& gradients = node_gradients_[static_cast<std::size_t>(type)];
  const auto cell = lagrange_cell(type);
  if (!cell || !gradients.empty()) return;
  for (int node = 0; node < shape_of(type).nodes; ++node)
    gradients.push_back(lagrange_functions(cell->shape, cell->order, node_parent(type, node)).gradient);
}

std::vector<StressPlaces::Visit> StressPlaces::visits_of_vertex(const World& world, int vertex,
                                                                std::span<const int> candidates) const {
  const ElementTable& table = world.elements;
  const VertexWeights weights(world, vertex);
  std::vector<std::pair<double, Visit>> found;
  for (const int number : candidates) {
    const Element& element = table.elements[number];
    const std::span<const int> controls = table.controls_of(element);
    if (!weights.all_in(controls)) continue;
    const ElementGeometry geometry = element_geometry(table, element, world.rest);
    const Vector3 parent = parent_place(geometry, world.collision.rest.col(vertex)).parent;
    if (!parent.allFinite()) continue;
    found.push_back({weights.difference(controls, geometry.functions(parent).value), {number, -1, parent}});
  }
  // Every element whose shape functions there are the vertex's weights; at least the one that comes nearest.
  constexpr double rounding = 1e-6;
  double nearest = std::numeric_limits<double>::infinity();
  for (const auto& [difference, visit] : found) nearest = std::min(nearest, difference);
  std::vector<Visit> visits;
  for (const auto& [difference, visit] : found) {
    if (difference <= std::max(nearest, rounding)) visits.push_back(visit);
  }
  return visits;
}

PointStress StressPlaces::stress_at(const World& world, const Vectors& q, const Visit& visit) const {
  const Element& element = world.elements.elements[visit.element];
  const std::span<const int> controls = world.elements.controls_of(element);
  const int nodes = shape_of(element.type).nodes;
  const std::vector<ElasticLaw>& parts = laws_[law_of_element_[visit.element]];
  if (visit.node >= 0 && !is_ancf(element.type)) {
    const Vectors& gradient = node_gradients_[static_cast<std::size_t>(element.type)][visit.node];
    const PointDeformation point = deformation_of(world.elements, element, world.rest, q, gradient);
    return point_stress(parts[0], point);
  }
  const ElementGeometry geometry = element_geometry(world.elements, element, world.rest);
  const auto deformation = [&](const Vector3& parent) {
    return deformation_of(world.elements, element, world.rest, q, geometry.functions(parent).gradient);
  };
  const PointDeformation point = deformation(visit.parent);
  if (parts.size() == 1) return point_stress(parts[0], point);
  std::array<SharedDeformation, 4> at_nodes;
  for (int a = 0; a < nodes; ++a)
    at_nodes[a] = {deformation(node_parent(element.type, a)), share_of_node(element.type, a, visit.parent)};
  return point_stress(parts, point, deformation(middle_beside(element.type, visit.parent)),
                      std::span(at_nodes).first(static_cast<std::size_t>(nodes)));
}

StressField StressPlaces::field(const World& world, const Vectors& q) const {
  const Eigen::Index controls = world.control_count(), count = controls + world.collision.vertex_count();
  StressField field = no_stress(count);
  if (empty()) return field;
  parallel_for(static_cast<std::size_t>(count), [&](std::size_t i) {
    const auto column = static_cast<Eigen::Index>(i);
    int counted = 0;
    for (std::size_t k = begin_[i]; k < begin_[i + 1]; ++k) {
      const PointStress stress = stress_at(world, q, visits_[k]);
      if (!stress.is_finite()) continue;
      add_stress(stress, field, column);
      ++counted;
    }
    if (counted < 2) return;
    field.cauchy.col(column) /= counted;
    field.second.col(column) /= counted;
    field.strain.col(column) /= counted;
    field.energy_density[column] /= counted;
  });
  for (std::size_t v = 0; v < node_of_vertex_.size(); ++v) {
    if (node_of_vertex_[v] < 0) continue;
    const Eigen::Index to = controls + static_cast<Eigen::Index>(v), from = node_of_vertex_[v];
    field.cauchy.col(to) = field.cauchy.col(from);
    field.second.col(to) = field.second.col(from);
    field.strain.col(to) = field.strain.col(from);
    field.energy_density[to] = field.energy_density[from];
  }
  return field;
}

IntegrationPoints StressPlaces::integration_points(const World& world, const Vectors& q) const {
  const ElementTable& table = world.elements;
  // Elements with their rules, and the first point of each.
  struct Rule {
    const Element* element;
    const std::vector<EnergyPoint>* points;
    std::size_t first;
  };
  std::map<std::tuple<int, ElementType, bool>, std::vector<EnergyPoint>> rules;
  std::vector<Rule> of_element;
  IntegrationPoints result;
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const Body& body = world.bodies[b];
    for (int i = 0; i < body.element_count; ++i) {
      const int number = body.first_element + i;
      if (empty() || law_of_element_[number] < 0) continue;
      const Element& element = table.elements[number];
      const bool curved = is_curved(element_geometry(table, element, world.rest));
      const auto [rule, is_new] = rules.try_emplace({element.material, element.type, curved});
      if (is_new)
        rule->second = volume_rule(element.type, table.material_of<ElasticMaterial>(element), curved);
      of_element.push_back({&element, &rule->second, result.body.size()});
      result.body.insert(result.body.end(), rule->second.size(), static_cast<int>(b));
      result.element.insert(result.element.end(), rule->second.size(), i);
    }
  }
  const auto count = static_cast<Eigen::Index>(result.body.size());
  result.position = Vectors::Zero(3, count);
  result.volume.assign(result.body.size(), 0);
  result.stress = no_stress(count);
  parallel_for(of_element.size(), [&](std::size_t i) {
    const auto& [element, points, first] = of_element[i];
    const std::span<const int> controls = table.controls_of(*element);
    const ElementGeometry geometry = element_geometry(table, *element, world.rest);
    for (std::size_t k = 0; k < points->size(); ++k) {
      const EnergyPoint& point = (*points)[k];
      const auto column = static_cast<Eigen::Index>(first + k);
      const ElementPoint at = element_point(geometry, point.parent);
      for (std::size_t a = 0; a < controls.size(); ++a)
        result.position.col(column) += at.value[static_cast<Eigen::Index>(a)] * q.col(controls[a]);
      result.volume[first + k] = point.weight * at.determinant;
      const PointStress stress = stress_at(world, q, {table.number_of(*element), -1, point.parent});
      if (stress.is_finite()) add_stress(stress, result.stress, column);
    }
  });
  return result;
}

StressField stress_field(const World& world, const Vectors& q) {
  return StressPlaces(world).field(world, q);
}

IntegrationPoints integration_points(const World& world, const Vectors& q) {
  return StressPlaces(world).integration_points(world, q);
}

}  // namespace bulwark
