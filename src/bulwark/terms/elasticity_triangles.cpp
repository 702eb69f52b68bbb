#include <bulwark/terms/elasticity.hpp>
#include <bulwark/terms/elasticity_of.hpp>

namespace bulwark {

std::unique_ptr<ElasticTerm> make_triangles_elasticity(ElementType type, const ElementTable& elements,
                                                       const Vectors& rest) {
  if (type == ElementType::triangle) return std::make_unique<ElasticityOf<3>>(type, elements, rest);
  if (type == ElementType::triangle_2) return std::make_unique<ElasticityOf<6>>(type, elements, rest);
  if (type == ElementType::triangle_3) return std::make_unique<ElasticityOf<10>>(type, elements, rest);
  return std::make_unique<ElasticityOf<15>>(type, elements, rest);
}

}  // namespace bulwark
