// Takes things out of a world, and with them all that is theirs: what comes after them in the world's arrays
// closes up, so that numbers change; order, ids and values stay. It goes by the description in
// sim/world_arrays.hpp.
#pragma once

#include <bulwark/sim/world_arrays.hpp>

#include <array>
#include <vector>

namespace bulwark {

/// Per thing: which ones go.
class Marks {
 public:
  explicit Marks(const World& world);

  void mark(Thing thing, int number);
  bool has(Thing thing, int number) const { return gone_[index_of(thing)][number] != 0; }
  int count() const { return count_; }
  const std::vector<char>& of(Thing thing) const { return gone_[index_of(thing)]; }

 private:
  std::array<std::vector<char>, thing_count> gone_;
  int count_ = 0;
};

/// Removes what is marked, all that refers to it or is owned by it, and what nothing uses any more.
void remove_marked(World& world, Marks marks);

}  // namespace bulwark
