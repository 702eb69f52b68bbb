// Elastic energy of all solid elements of one type: tetrahedra and hexahedra of any order, ANCF beams and shells. One
// template over the number of controls (elasticity_of.hpp), compiled in a few files of this folder.
#pragma once

#include <bulwark/terms/elastic_term.hpp>

namespace bulwark {

/// Of the table's elements of a solid type; rest holds the controls' rest positions.
std::unique_ptr<ElasticTerm> make_elasticity(ElementType type, const ElementTable& elements,
                                             const Vectors& rest);

std::unique_ptr<ElasticTerm> make_tetrahedra_elasticity(ElementType type, const ElementTable& elements,
                                                        const Vectors& rest);
std::unique_ptr<ElasticTerm> make_triangles_elasticity(ElementType type, const ElementTable& elements,
                                                       const Vectors& rest);
std::unique_ptr<ElasticTerm> make_hexahedra_elasticity(ElementType type, const ElementTable& elements,
                                                       const Vectors& rest);
std::unique_ptr<ElasticTerm> make_ancf_elasticity(ElementType type, const ElementTable& elements,
                                                  const Vectors& rest);

}  // namespace bulwark
