#include <bulwark/base/parallel.hpp>
#include <bulwark/stencils/kelvin_voigt.hpp>
#include <bulwark/terms/kelvin_voigt.hpp>
#include <bulwark/terms/solid_elements.hpp>

#include <memory>

namespace bulwark {
namespace {

template <int N>
void add_viscous_type(ElementType type, const ElementTable& table, const Vectors& rest,
                      std::vector<std::function<void(const Vectors&, BlockList&)>>& of_types) {
  if (table.count_of(type) == 0) return;
  const auto solids =
      std::make_shared<SolidElements<N>>(type, table, rest, [](const ElasticMaterial& material) {
        return material.shear_viscosity > 0 || material.bulk_viscosity > 0;
      });
  if (solids->elements.empty()) return;
  std::vector<Viscosity> viscosity;
  for (const auto& element : solids->elements) {
    const auto& material = table.material_of<ElasticMaterial>(table.elements[element.place]);
    viscosity.push_back({material.shear_viscosity, material.bulk_viscosity});
  }
  of_types.push_back([solids, viscosity](const Vectors& q, BlockList& blocks) {
    blocks.resize(solids->block_count * solids->elements.size());
    parallel_for(solids->elements.size(), [&](std::size_t t) {
      const auto& element = solids->elements[t];
      const ElementControls<N> x = solids->gather(element, q);
      ElementBlocks<N> sum = ElementBlocks<N>::Zero();
      for (int k = element.first_point; k < element.first_point + element.point_count; ++k) {
        // A second part of the law is on top of the volume that the first one covers.
        if (solids->part[k] == 0) add_kelvin_voigt_resistance<N>(solids->points[k], viscosity[t], x, sum);
      }
      solids->write_blocks(t, sum, blocks);
    });
  });
}

}  // namespace

KelvinVoigt::KelvinVoigt(const ElementTable& table, const Vectors& rest) {
  add_viscous_type<4>(ElementType::tetrahedron, table, rest, of_types_);
  add_viscous_type<10>(ElementType::tetrahedron_2, table, rest, of_types_);
  add_viscous_type<20>(ElementType::tetrahedron_3, table, rest, of_types_);
  add_viscous_type<35>(ElementType::tetrahedron_4, table, rest, of_types_);
  add_viscous_type<8>(ElementType::hexahedron, table, rest, of_types_);
  add_viscous_type<27>(ElementType::hexahedron_2, table, rest, of_types_);
  add_viscous_type<8>(ElementType::ancf_beam, table, rest, of_types_);
  add_viscous_type<16>(ElementType::ancf_shell, table, rest, of_types_);
  add_viscous_type<3>(ElementType::triangle, table, rest, of_types_);
  add_viscous_type<6>(ElementType::triangle_2, table, rest, of_types_);
  add_viscous_type<10>(ElementType::triangle_3, table, rest, of_types_);
  add_viscous_type<15>(ElementType::triangle_4, table, rest, of_types_);
}

void KelvinVoigt::resistance(const Vectors& q, BlockList& blocks) const {
  of_types_.front()(q, blocks);
  BlockList more;
  for (std::size_t k = 1; k < of_types_.size(); ++k) {
    of_types_[k](q, more);
    blocks.key.insert(blocks.key.end(), more.key.begin(), more.key.end());
    blocks.value.insert(blocks.value.end(), more.value.begin(), more.value.end());
  }
}

}  // namespace bulwark
