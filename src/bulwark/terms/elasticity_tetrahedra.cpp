#include <bulwark/terms/elasticity.hpp>
#include <bulwark/terms/elasticity_of.hpp>

namespace bulwark {

std::unique_ptr<ElasticTerm> make_tetrahedra_elasticity(ElementType type, const ElementTable& elements,
                                                        const Vectors& rest) {
  if (type == ElementType::tetrahedron_2) return std::make_unique<ElasticityOf<10>>(type, elements, rest);
  if (type == ElementType::tetrahedron_3) return std::make_unique<ElasticityOf<20>>(type, elements, rest);
  return std::make_unique<ElasticityOf<35>>(type, elements, rest);
}

}  // namespace bulwark
