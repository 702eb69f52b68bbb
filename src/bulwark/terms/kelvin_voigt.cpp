#include <bulwark/base/parallel.hpp>
#include <bulwark/terms/kelvin_voigt.hpp>

#include <array>

namespace bulwark {

KelvinVoigt::KelvinVoigt(const ElementTable& elements, const Vectors& rest) {
  elements.for_each<4>(ElementType::tetrahedron, [&](const Element& element, const Tetrahedron& vertices) {
    const auto& material = elements.material_of<ElasticMaterial>(element);
    if (!(material.shear_viscosity > 0) && !(material.bulk_viscosity > 0)) return;
    const auto X = corners(vertices, rest);
    elements_.push_back(
        {vertices, tetrahedron_rest(X.data()), {material.shear_viscosity, material.bulk_viscosity}});
  });
}

void KelvinVoigt::resistance(const Vectors& q, BlockList& blocks) const {
  blocks.resize(10 * elements_.size());
  parallel_for(elements_.size(), [&](std::size_t t) {
    const Viscous& e = elements_[t];
    const auto x = corners(e.vertices, q);
    const Eigen::Matrix<double, 12, 12> C = kelvin_voigt_resistance(e.rest, e.viscosity, x.data());
    std::size_t k = 10 * t;
    for (int i = 0; i < 4; ++i) {
      for (int j = i; j < 4; ++j) blocks.set(k++, e.vertices[i], e.vertices[j], C.block<3, 3>(3 * i, 3 * j));
    }
  });
}

}  // namespace bulwark
