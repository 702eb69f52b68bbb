// The elements of a world, of all types in one table: each has a type, its controls and a material. What a
// type's controls mean, and which material it takes, stands beside the type; the terms
// (terms/elastic_terms.hpp) pick the elements of their types.
#pragma once

#include <bulwark/bodies/cloth_material.hpp>
#include <bulwark/bodies/elastic_material.hpp>
#include <bulwark/bodies/rod_material.hpp>
#include <bulwark/bodies/spring_material.hpp>
#include <bulwark/geometry/solid_mesh.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace bulwark {

enum class ElementType : unsigned char {
  tetrahedron,     ///< 4 nodes; ElasticMaterial, as the others of its order and hexahedra
  shell_triangle,  ///< 3 nodes; ClothMaterial
  rod_segment,     ///< 2 nodes, the turn and the director (rod_segment.hpp); RodMaterial
  spring,          ///< 2 nodes; SpringMaterial
  tetrahedron_2,   ///< of order 2, 3 and 4; nodes in the order of geometry/solid_mesh.hpp
  tetrahedron_3,
  tetrahedron_4,
  hexahedron,
  hexahedron_2,
  ancf_beam,   ///< 2 nodes, then of each its slopes r_u, r_v, r_w (ancf_shape.hpp); ElasticMaterial
  ancf_shell,  ///< 4 nodes, then of each its slopes
  triangle,    ///< in the plane z = 0, of order 1 to 4; nodes in the order of geometry/solid_mesh.hpp
  triangle_2,
  triangle_3,
  triangle_4
};

struct ElementShape {
  std::string_view name, plural;
  int controls;  ///< of one element
  int nodes;     ///< those of them, the first ones, that are points
  bool solid;    ///< fills space, and is a cell of a frame
};

constexpr ElementShape shape_of(ElementType type) {
  constexpr std::array<ElementShape, 15> shapes = {{{"tetrahedron", "tetrahedra", 4, 4, true},
                                                    {"triangle", "triangles", 3, 3, false},
                                                    {"segment", "segments", 4, 2, false},
                                                    {"spring", "springs", 2, 2, false},
                                                    {"tetrahedron", "tetrahedra", 10, 10, true},
                                                    {"tetrahedron", "tetrahedra", 20, 20, true},
                                                    {"tetrahedron", "tetrahedra", 35, 35, true},
                                                    {"hexahedron", "hexahedra", 8, 8, true},
                                                    {"hexahedron", "hexahedra", 27, 27, true},
                                                    {"beam element", "beam elements", 8, 2, false},
                                                    {"shell element", "shell elements", 16, 4, false},
                                                    {"triangle", "triangles", 3, 3, false},
                                                    {"triangle", "triangles", 6, 6, false},
                                                    {"triangle", "triangles", 10, 10, false},
                                                    {"triangle", "triangles", 15, 15, false}}};
  return shapes[static_cast<std::size_t>(type)];
}

/// The type of Lagrange elements of a shape and order.
constexpr ElementType element_type(CellShape shape, int order) {
  if (shape == CellShape::hexahedron) return order == 1 ? ElementType::hexahedron : ElementType::hexahedron_2;
  constexpr std::array<ElementType, 4> triangles = {ElementType::triangle, ElementType::triangle_2,
                                                    ElementType::triangle_3, ElementType::triangle_4};
  if (shape == CellShape::triangle) return triangles[order - 1];
  constexpr std::array<ElementType, 4> tetrahedra = {ElementType::tetrahedron, ElementType::tetrahedron_2,
                                                     ElementType::tetrahedron_3, ElementType::tetrahedron_4};
  return tetrahedra[order - 1];
}

/// Shape and order of a Lagrange element; none of others.
struct LagrangeCell {
  CellShape shape;
  int order;
};
constexpr std::optional<LagrangeCell> lagrange_cell(ElementType type) {
  switch (type) {
    case ElementType::tetrahedron:
      return LagrangeCell{CellShape::tetrahedron, 1};
    case ElementType::tetrahedron_2:
      return LagrangeCell{CellShape::tetrahedron, 2};
    case ElementType::tetrahedron_3:
      return LagrangeCell{CellShape::tetrahedron, 3};
    case ElementType::tetrahedron_4:
      return LagrangeCell{CellShape::tetrahedron, 4};
    case ElementType::hexahedron:
      return LagrangeCell{CellShape::hexahedron, 1};
    case ElementType::hexahedron_2:
      return LagrangeCell{CellShape::hexahedron, 2};
    case ElementType::triangle:
      return LagrangeCell{CellShape::triangle, 1};
    case ElementType::triangle_2:
      return LagrangeCell{CellShape::triangle, 2};
    case ElementType::triangle_3:
      return LagrangeCell{CellShape::triangle, 3};
    case ElementType::triangle_4:
      return LagrangeCell{CellShape::triangle, 4};
    default:
      return {};
  }
}

/// Types whose energy is an integral over a solid, of an ElasticMaterial.
constexpr std::array<ElementType, 12> solid_types = {
    ElementType::tetrahedron,   ElementType::tetrahedron_2, ElementType::tetrahedron_3,
    ElementType::tetrahedron_4, ElementType::hexahedron,    ElementType::hexahedron_2,
    ElementType::ancf_beam,     ElementType::ancf_shell,    ElementType::triangle,
    ElementType::triangle_2,    ElementType::triangle_3,    ElementType::triangle_4};

constexpr bool is_ancf(ElementType type) {
  return type == ElementType::ancf_beam || type == ElementType::ancf_shell;
}

/// Of elements in the plane z = 0, whose third parent axis is z.
constexpr bool is_planar(ElementType type) {
  const auto cell = lagrange_cell(type);
  return cell && cell->shape == CellShape::triangle;
}

using Material = std::variant<ElasticMaterial, ClothMaterial, RodMaterial, SpringMaterial>;

inline double rayleigh_damping(const Material& material) {
  return std::visit([](const auto& of) { return of.rayleigh_damping; }, material);
}

struct Element {
  ElementType type = ElementType::tetrahedron;
  int material = 0;       ///< index into the table's materials
  int first_control = 0;  ///< index into the table's controls; those of an element follow each other
  int control_count = 0;
};

struct ElementTable {
  std::vector<Element> elements;
  std::vector<int> controls;
  std::vector<Material> materials;

  int number_of(const Element& element) const { return static_cast<int>(&element - elements.data()); }
  int size() const { return static_cast<int>(elements.size()); }
  std::span<const int> controls_of(const Element& element) const {
    return {controls.data() + element.first_control, static_cast<std::size_t>(element.control_count)};
  }
  /// The number of controls that its type says.
  template <std::size_t N>
  std::array<int, N> fixed_controls_of(const Element& element) const {
    std::array<int, N> result;
    for (std::size_t i = 0; i < N; ++i) result[i] = controls[element.first_control + i];
    return result;
  }
  template <class M>
  const M& material_of(const Element& element) const {
    return std::get<M>(materials[element.material]);
  }

  /// Adds an element of the material that was added last.
  template <class Controls>
  void add(ElementType type, const Controls& of) {
    elements.push_back({type, static_cast<int>(materials.size()) - 1, static_cast<int>(controls.size()),
                        static_cast<int>(of.size())});
    controls.insert(controls.end(), of.begin(), of.end());
  }
  int count_of(ElementType type) const {
    int count = 0;
    for (const Element& element : elements) count += element.type == type ? 1 : 0;
    return count;
  }
  /// look(element, its controls) for the elements of a type, in their order. N is the type's number of
  /// controls.
  template <std::size_t N, class Look>
  void for_each(ElementType type, Look&& look) const {
    for (const Element& element : elements) {
      if (element.type == type) look(element, fixed_controls_of<N>(element));
    }
  }
  /// The elements whose materials are `wanted`, with the materials of all.
  template <class Wanted>
  ElementTable of_materials(Wanted&& wanted) const {
    ElementTable result;
    result.materials = materials;
    for (const Element& element : elements) {
      if (!wanted(materials[element.material])) continue;
      const int first = static_cast<int>(result.controls.size());
      const std::span<const int> own = controls_of(element);
      result.controls.insert(result.controls.end(), own.begin(), own.end());
      result.elements.push_back({element.type, element.material, first, element.control_count});
    }
    return result;
  }
};

}  // namespace bulwark
