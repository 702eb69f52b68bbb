#include <bulwark/base/parallel.hpp>
#include <bulwark/stencils/orthogonality.hpp>
#include <bulwark/terms/orthogonality.hpp>

#include <algorithm>

namespace bulwark {

Orthogonality::Orthogonality(const std::vector<StiffBody>& stiff) {
  std::copy_if(stiff.begin(), stiff.end(), std::back_inserter(bodies_),
               [](const StiffBody& body) { return !body.rigid; });
}

double Orthogonality::energy(const Vectors& q) {
  return parallel_sum(bodies_.size(), [&](std::size_t b) {
    return orthogonality_energy(deformation(bodies_[b], q), bodies_[b].stiffness);
  });
}

void Orthogonality::add_gradient(const Vectors& q, Vectors& gradient) {
  parallel_for(bodies_.size(), [&](std::size_t b) {
    gradient.middleCols<3>(bodies_[b].first_control + 1) +=
        orthogonality_gradient(deformation(bodies_[b], q), bodies_[b].stiffness);
  });
}

void Orthogonality::hessian(const Vectors& q, Psd psd, const BlockMap&, HessianBlocks& blocks) {
  constexpr int blocks_per_body = 6;
  blocks.controls.resize(blocks_per_body * bodies_.size());
  parallel_for(bodies_.size(), [&](std::size_t b) {
    const auto h = orthogonality_hessian(deformation(bodies_[b], q), bodies_[b].stiffness, psd);
    const int first = bodies_[b].first_control + 1;
    std::size_t k = blocks_per_body * b;
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j) blocks.controls.set(k++, first + i, first + j, h.block<3, 3>(3 * i, 3 * j));
    }
  });
}

}  // namespace bulwark
