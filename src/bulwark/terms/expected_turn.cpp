#include <bulwark/base/parallel.hpp>
#include <bulwark/math/rotation.hpp>
#include <bulwark/terms/expected_turn.hpp>

namespace bulwark {

std::vector<ExpectedTurn> expected_turns(const std::vector<StiffBody>& stiff, const Vectors& q,
                                         const Vectors& v, const Vectors& target, double h) {
  std::vector<ExpectedTurn> turns(stiff.size());
  parallel_for(stiff.size(), [&](std::size_t s) {
    const Matrix3 before = deformation(stiff[s], q), rate = deformation(stiff[s], v);
    turns[s].matrix = deformation(stiff[s], target);
    turns[s].vector = nearest_turn(orthonormalized(turns[s].matrix) * orthonormalized(before).transpose(),
                                   h * mean_spin(before, rate));
  });
  return turns;
}

}  // namespace bulwark
