#include <bulwark/base/parallel.hpp>
#include <bulwark/stencils/orthogonality.hpp>
#include <bulwark/terms/orthogonality.hpp>

#include <algorithm>

namespace bulwark {

Orthogonality::Orthogonality(const std::vector<StiffBody>& stiff) {
  std::copy_if(stiff.begin(), stiff.end(), std::back_inserter(bodies_),
               [](const StiffBody& body) { return !body.rigid; });
  focus({}, true);
}

void Orthogonality::focus(const BlockMap& map, bool everything_moves) {
  moving_.clear();
  for (std::uint32_t b = 0; b < bodies_.size(); ++b) {
    const int first = bodies_[b].first_control + 1;
    auto moves = [&](int control) { return map.row[control] >= 0 || map.follows(control); };
    if (everything_moves || moves(first) || moves(first + 1) || moves(first + 2)) moving_.push_back(b);
  }
}

double Orthogonality::energy(const Vectors& q) const {
  return parallel_sum(moving_.size(), [&](std::size_t k) {
    const StiffBody& body = bodies_[moving_[k]];
    return orthogonality_energy(deformation(body, q), body.stiffness);
  });
}

void Orthogonality::add_gradient(const Vectors& q, Vectors& gradient) const {
  parallel_for(moving_.size(), [&](std::size_t k) {
    const StiffBody& body = bodies_[moving_[k]];
    gradient.middleCols<3>(body.first_control + 1) +=
        orthogonality_gradient(deformation(body, q), body.stiffness);
  });
}

void Orthogonality::hessian(const Vectors& q, const HessianModel& model, const BlockMap&,
                            HessianBlocks& blocks) const {
  constexpr int blocks_per_body = 6;
  blocks.controls.resize(blocks_per_body * moving_.size());
  parallel_for(moving_.size(), [&](std::size_t k) {
    const StiffBody& body = bodies_[moving_[k]];
    const auto h = orthogonality_hessian(deformation(body, q), body.stiffness, model.psd);
    const int first = body.first_control + 1;
    std::size_t block = blocks_per_body * k;
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j)
        blocks.controls.set(block++, first + i, first + j, h.block<3, 3>(3 * i, 3 * j));
    }
  });
}

}  // namespace bulwark
