#include <bulwark/base/time_left.hpp>

#include <algorithm>

namespace bulwark {

double TimeLeft::seconds() const {
  constexpr std::size_t fewest = 5, most = 200;
  const std::size_t done = ends_.size() - 1;
  if (done == 0) return 0;
  const std::size_t recent = std::min(done, std::clamp(done / 4, fewest, most));
  const double per_round = (ends_.back() - ends_[done - recent]) / static_cast<double>(recent);
  return per_round * static_cast<double>(last_ - first_ - static_cast<std::int64_t>(done));
}

}  // namespace bulwark
