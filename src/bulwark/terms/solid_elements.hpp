// The solid elements of one type as the loops over them want them: controls, laws and integration points at rest.
// Shared by elasticity and viscosity.
#pragma once

#include <bulwark/bodies/elastic_law.hpp>
#include <bulwark/bodies/element_geometry.hpp>
#include <bulwark/math/block_matrix.hpp>

#include <array>
#include <map>
#include <tuple>
#include <vector>

namespace bulwark {

template <int N>
struct SolidElements {
  struct One {
    int place;  ///< in the table
    std::array<int, N> controls;
    int first_law;  ///< of its parts
    int first_point, point_count;
  };
  ElementType type = ElementType::tetrahedron;
  std::vector<One> elements;
  std::vector<ElasticLaw> laws;
  std::vector<SolidPoint<N>> points;
  std::vector<unsigned char> part;  ///< per point: of the law

  /// Those of the table whose material is `wanted`; `rest` holds the controls at rest.
  template <class Wanted>
  SolidElements(ElementType of, const ElementTable& table, const Vectors& rest, Wanted&& wanted) : type(of) {
    // The laws of ANCF elements depend on their size: equal ones share them.
    using Key = std::tuple<int, double, double, double>;
    std::map<Key, int> first_laws;
    std::vector<std::array<std::vector<EnergyPoint>, 2>> rules_of_material(table.materials.size());
    for (int e = 0; e < table.size(); ++e) {
      const Element& element = table.elements[e];
      if (element.type != type) continue;
      const auto& material = table.material_of<ElasticMaterial>(element);
      if (!wanted(material)) continue;
      const ElementGeometry geometry = element_geometry(table, element, rest);
      const Vector3 size = has_law_parts(material, type) ? geometry.size : Vector3::Zero();
      const auto [entry, is_new] =
          first_laws.emplace(Key{element.material, size[0], size[1], size[2]}, static_cast<int>(laws.size()));
      if (is_new) {
        for (ElasticLaw& law : law_parts(material, type, size)) laws.push_back(law);
      }
      const bool curved = is_curved(geometry);
      std::vector<EnergyPoint>& rule = rules_of_material[element.material][curved ? 1 : 0];
      if (rule.empty()) rule = energy_rule(type, material, curved);
      const int first_law = entry->second;
      elements.push_back({e, table.fixed_controls_of<N>(element), first_law, static_cast<int>(points.size()),
                          static_cast<int>(rule.size())});
      for (const EnergyPoint& point : rule) {
        points.push_back(solid_point<N>(element_point(geometry, point.parent), point.weight,
                                        has_axes(laws[first_law + point.part])));
        part.push_back(static_cast<unsigned char>(point.part));
      }
    }
  }

  /// Its controls in q, points relative to its first node.
  ElementControls<N> gather(const One& element, const Vectors& q) const {
    ElementControls<N> x;
    const int nodes = shape_of(type).nodes;
    const Vector3 origin = q.col(element.controls[0]);
    for (int a = 0; a < N; ++a) {
      x.col(a) = q.col(element.controls[a]);
      if (a < nodes) x.col(a) -= origin;
    }
    return x;
  }

  /// look(point, law) for the integration points of an element.
  template <class Look>
  void for_each_point(const One& element, Look&& look) const {
    for (int k = element.first_point; k < element.first_point + element.point_count; ++k)
      look(points[k], laws[element.first_law + part[k]]);
  }

  static constexpr int block_count = N * (N + 1) / 2;
  /// Writes an element's blocks, which are `number` among the elements, into the list.
  void write_blocks(std::size_t number, const ElementBlocks<N>& blocks, BlockList& list) const {
    std::size_t k = block_count * number;
    const One& element = elements[number];
    for (int j = 0; j < N; ++j) {
      for (int i = 0; i <= j; ++i) {
        list.set(k++, element.controls[i], element.controls[j],
                 Eigen::Map<const Matrix3>(blocks.col(block_number(i, j)).data()));
      }
    }
  }
};

}  // namespace bulwark
