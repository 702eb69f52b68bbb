#include <bulwark/terms/elasticity.hpp>
#include <bulwark/terms/elasticity_of.hpp>

namespace bulwark {

std::unique_ptr<ElasticTerm> make_ancf_elasticity(ElementType type, const ElementTable& elements,
                                                  const Vectors& rest) {
  if (type == ElementType::ancf_beam) return std::make_unique<ElasticityOf<8>>(type, elements, rest);
  return std::make_unique<ElasticityOf<16>>(type, elements, rest);
}

}  // namespace bulwark
