#include <bulwark/terms/elasticity.hpp>
#include <bulwark/terms/elasticity_of.hpp>

namespace bulwark {

std::unique_ptr<ElasticTerm> make_elasticity(ElementType type, const ElementTable& elements,
                                             const Vectors& rest) {
  if (type == ElementType::tetrahedron) return std::make_unique<ElasticityOf<4>>(type, elements, rest);
  if (is_planar(type)) return make_triangles_elasticity(type, elements, rest);
  if (is_ancf(type)) return make_ancf_elasticity(type, elements, rest);
  if (lagrange_cell(type)->shape == CellShape::hexahedron)
    return make_hexahedra_elasticity(type, elements, rest);
  return make_tetrahedra_elasticity(type, elements, rest);
}

}  // namespace bulwark
