#include <bulwark/solve/focus.hpp>

#include <algorithm>
#include <array>
#include <numeric>

namespace bulwark {
namespace {

/// Motion over the tolerance above which a body goes on.
constexpr double quiet = 0.1;

}  // namespace

void Focus::set_neighbours(const std::vector<StiffBody>& stiff, const BlockMatrix& hessian,
                           const BlockMap& map) {
  const int count = static_cast<int>(stiff.size());
  std::vector<int> body_of_row(hessian.rows, -1);
  for (int b = 0; b < count; ++b) {
    for (int k = 0; k < 4; ++k) {
      const int row = map.row[stiff[b].first_control + k];
      if (row >= 0) body_of_row[row] = b;
    }
  }
  std::vector<std::array<int, 2>> pairs;
  for (int i = 0; i < hessian.rows; ++i) {
    for (int k = hessian.row_start[i]; k < hessian.row_start[i + 1]; ++k) {
      const int a = body_of_row[i], b = body_of_row[hessian.column[k]];
      if (a < 0 || b < 0 || a == b) continue;
      if (pairs.empty() || pairs.back() != std::array{a, b}) pairs.push_back({a, b});
    }
  }
  start_.assign(count + 1, 0);
  for (const auto& [a, b] : pairs) {
    ++start_[a + 1];
    ++start_[b + 1];
  }
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  neighbour_.resize(start_[count]);
  std::vector<int> next(start_.begin(), start_.end() - 1);
  for (const auto& [a, b] : pairs) {
    neighbour_[next[a]++] = b;
    neighbour_[next[b]++] = a;
  }
}

std::vector<char> Focus::choose(const std::vector<double>& motion) const {
  std::vector<char> moves(motion.size(), 0);
  for (std::size_t b = 0; b < motion.size(); ++b) {
    if (motion[b] > quiet) moves[b] = 1;
    if (motion[b] <= 1) continue;
    for (int k = start_[b]; k < start_[b + 1]; ++k) moves[neighbour_[k]] = 1;
  }
  return moves;
}

}  // namespace bulwark
