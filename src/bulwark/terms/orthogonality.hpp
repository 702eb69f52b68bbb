// The energy that keeps affine bodies nearly rigid, summed over them.
#pragma once

#include <bulwark/bodies/stiff_body.hpp>
#include <bulwark/terms/term.hpp>

#include <vector>

namespace bulwark {

class Orthogonality : public Term {
 public:
  /// Rigid bodies among them are passed over.
  explicit Orthogonality(const std::vector<StiffBody>& stiff);

  void focus(const BlockMap& map, bool everything_moves) override;
  double energy(const Vectors& q) const override;
  void add_gradient(const Vectors& q, Vectors& gradient) const override;
  void hessian(const Vectors& q, const HessianModel& model, const BlockMap& map,
               HessianBlocks& blocks) const override;

 private:
  std::vector<StiffBody> bodies_;
  std::vector<std::uint32_t> moving_;  ///< those of them that move
};

}  // namespace bulwark
