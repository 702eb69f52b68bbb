#include <bulwark/base/parallel.hpp>
#include <bulwark/terms/rayleigh_damping.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

namespace bulwark {
namespace {

int row_of(std::uint64_t key) {
  return static_cast<int>(key >> 32);
}
int column_of(std::uint64_t key) {
  return static_cast<int>(key & 0xffffffffu);
}

/// The list with the blocks of each key summed, in the order they came.
BlockList summed(const BlockList& list) {
  std::vector<std::size_t> order(list.key.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return list.key[a] < list.key[b]; });
  BlockList sum;
  for (const std::size_t k : order) {
    if (sum.key.empty() || sum.key.back() != list.key[k]) {
      sum.key.push_back(list.key[k]);
      sum.value.push_back(list.value[k]);
    } else {
      sum.value.back() += list.value[k];
    }
  }
  return sum;
}

}  // namespace

RayleighDamping::RayleighDamping(Term& term, double coefficient)
    : resistance_([&term](const Vectors& q, BlockList& blocks) {
        term.prepare(q);
        term.damped_hessian(q, blocks);
      }),
      coefficient_(coefficient) {}

void RayleighDamping::begin_step(const Vectors& q, const Vectors& reference, double rate) {
  BlockList resistance;
  resistance_(q, resistance);
  blocks_ = summed(resistance);
  for (Matrix3& block : blocks_.value) block *= coefficient_ * rate;
  reference_ = reference;
  rate_ = rate;
}

double RayleighDamping::energy(const Vectors& q) const {
  if (blocks_.key.empty()) return 0;
  const Vectors away = q - reference_;
  return parallel_sum(blocks_.key.size(), [&](std::size_t k) {
    const int i = row_of(blocks_.key[k]), j = column_of(blocks_.key[k]);
    const double product = away.col(i).dot(blocks_.value[k] * away.col(j));
    return i == j ? 0.5 * product : product;
  });
}

void RayleighDamping::add_gradient(const Vectors& q, Vectors& gradient) const {
  if (blocks_.key.empty()) return;
  const Vectors away = q - reference_;
  for (std::size_t k = 0; k < blocks_.key.size(); ++k) {
    const int i = row_of(blocks_.key[k]), j = column_of(blocks_.key[k]);
    gradient.col(i) += blocks_.value[k] * away.col(j);
    if (i != j) gradient.col(j) += blocks_.value[k].transpose() * away.col(i);
  }
}

void RayleighDamping::hessian(const Vectors&, const HessianModel&, const BlockMap&,
                              HessianBlocks& blocks) const {
  blocks.controls = blocks_;
}

}  // namespace bulwark
