// A symmetric sparse matrix of N x N blocks with both of its triangles, so that its rows can be worked off in parallel.
#pragma once

#include <bulwark/math/types.hpp>

#include <cstddef>
#include <vector>

namespace bulwark {

template <int N>
struct BlockRows {
  using Block = Eigen::Matrix<double, N, N>;

  std::vector<int> start;   ///< of each row in `column`, and the end
  std::vector<int> column;  ///< rising in each row
  std::vector<double>
      value;  ///< by columns, block after block, and as many zeros as a vector register has room for

  int rows() const { return static_cast<int>(start.size()) - 1; }
  Eigen::Map<const Block> block(int entry) const {
    return Eigen::Map<const Block>(value.data() + static_cast<std::size_t>(N) * N * entry);
  }
  Eigen::Map<Block> block(int entry) {
    return Eigen::Map<Block>(value.data() + static_cast<std::size_t>(N) * N * entry);
  }
  void make_room() { value.resize(static_cast<std::size_t>(N) * N * column.size() + 4); }
};

}  // namespace bulwark
