#include <bulwark/terms/elasticity.hpp>
#include <bulwark/terms/elasticity_of.hpp>

namespace bulwark {

std::unique_ptr<ElasticTerm> make_hexahedra_elasticity(ElementType type, const ElementTable& elements,
                                                       const Vectors& rest) {
  if (type == ElementType::hexahedron) return std::make_unique<ElasticityOf<8>>(type, elements, rest);
  return std::make_unique<ElasticityOf<27>>(type, elements, rest);
}

}  // namespace bulwark
