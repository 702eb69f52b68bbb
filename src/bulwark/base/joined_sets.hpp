// Sets that grow together.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

namespace bulwark {

/// Items 0 to count - 1, each in a set of its own until it is joined. A set is named by its smallest item.
class JoinedSets {
 public:
  explicit JoinedSets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }

  int find(int item) {
    while (parent_[item] != item) item = parent_[item] = parent_[parent_[item]];
    return item;
  }
  void join(int a, int b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<int> parent_;
};

}  // namespace bulwark
