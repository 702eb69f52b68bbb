#include <bulwark/terms/elastic_term.hpp>
#include <bulwark/terms/elasticity.hpp>
#include <bulwark/terms/rods.hpp>
#include <bulwark/terms/shells.hpp>
#include <bulwark/terms/springs.hpp>

namespace bulwark {
namespace {

template <class T>
void add_term(const ElementTable& elements, const Vectors& rest, ElementType type,
              std::vector<std::unique_ptr<ElasticTerm>>& terms) {
  if (elements.count_of(type) > 0) terms.push_back(std::make_unique<T>(elements, rest));
}

}  // namespace

std::vector<std::unique_ptr<ElasticTerm>> make_elastic_terms(const ElementTable& elements,
                                                             const Vectors& rest) {
  std::vector<std::unique_ptr<ElasticTerm>> terms;
  for (const ElementType type : solid_types) {
    if (elements.count_of(type) > 0) terms.push_back(make_elasticity(type, elements, rest));
  }
  add_term<Shells>(elements, rest, ElementType::shell_triangle, terms);
  add_term<Rods>(elements, rest, ElementType::rod_segment, terms);
  add_term<Springs>(elements, rest, ElementType::spring, terms);
  return terms;
}

}  // namespace bulwark
