#include <bulwark/base/parallel.hpp>
#include <bulwark/terms/kelvin_voigt.hpp>

#include <array>

namespace bulwark {

KelvinVoigt::KelvinVoigt(std::vector<Tetrahedron> tetrahedra, const Vectors& rest,
                         std::vector<Viscosity> viscosity) {
  for (std::size_t t = 0; t < tetrahedra.size(); ++t) {
    const auto X = corners(tetrahedra[t], rest);
    elements_.push_back({tetrahedra[t], tetrahedron_rest(X.data()), viscosity[t]});
  }
}

void KelvinVoigt::resistance(const Vectors& q, BlockList& blocks) const {
  blocks.resize(10 * elements_.size());
  parallel_for(elements_.size(), [&](std::size_t t) {
    const Element& e = elements_[t];
    const auto x = corners(e.vertices, q);
    const Eigen::Matrix<double, 12, 12> C = kelvin_voigt_resistance(e.rest, e.viscosity, x.data());
    std::size_t k = 10 * t;
    for (int i = 0; i < 4; ++i) {
      for (int j = i; j < 4; ++j) blocks.set(k++, e.vertices[i], e.vertices[j], C.block<3, 3>(3 * i, 3 * j));
    }
  });
}

}  // namespace bulwark
