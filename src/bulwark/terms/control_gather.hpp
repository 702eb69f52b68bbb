// Sums of what stencils have for their controls, in parallel over the controls: each adds its numbers in the order of the
// stencils, so that the sum has the same bits as that of one loop over the stencils.
#pragma once

#include <bulwark/base/parallel.hpp>
#include <bulwark/math/types.hpp>

#include <cstddef>
#include <numeric>
#include <vector>

namespace bulwark {

class ControlGather {
 public:
  ControlGather() = default;
  /// `count` stencils of N controls each: controls(k) is an array of them.
  template <int N, class Controls>
  static ControlGather over(std::size_t count, Controls&& controls) {
    ControlGather gather;
    int most = -1;
    for (std::size_t k = 0; k < count; ++k) {
      for (int i = 0; i < N; ++i) most = std::max<int>(most, controls(k)[i]);
    }
    std::vector<int> number(most + 1, -1);
    std::vector<std::size_t> size;
    for (std::size_t k = 0; k < count; ++k) {
      for (int i = 0; i < N; ++i) {
        int& own = number[controls(k)[i]];
        if (own < 0) {
          own = static_cast<int>(gather.control_.size());
          gather.control_.push_back(controls(k)[i]);
          size.push_back(0);
        }
        ++size[own];
      }
    }
    gather.start_.assign(size.size() + 1, 0);
    std::partial_sum(size.begin(), size.end(), gather.start_.begin() + 1);
    gather.source_.resize(gather.start_.back());
    std::vector<std::size_t> next(gather.start_.begin(), gather.start_.end() - 1);
    for (std::size_t k = 0; k < count; ++k) {
      for (int i = 0; i < N; ++i) gather.source_[next[number[controls(k)[i]]]++] = N * k + i;
    }
    return gather;
  }

  /// Adds vector N k + i of `vectors` to the sum of the i-th control of stencil k.
  void add(const double* vectors, Vectors& sums) const {
    parallel_for(control_.size(), [&](std::size_t c) {
      Vector3 sum = sums.col(control_[c]);
      for (std::size_t s = start_[c]; s < start_[c + 1]; ++s)
        sum += Eigen::Map<const Vector3>(vectors + 3 * source_[s]);
      sums.col(control_[c]) = sum;
    });
  }

 private:
  std::vector<int> control_;         ///< that have any stencil
  std::vector<std::size_t> start_;   ///< of each in source_, and the end
  std::vector<std::size_t> source_;  ///< vectors
};

}  // namespace bulwark
