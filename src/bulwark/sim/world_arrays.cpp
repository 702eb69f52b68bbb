#include <bulwark/sim/array_items.hpp>
#include <bulwark/sim/world_arrays.hpp>

namespace bulwark {

std::array<int, thing_count> thing_counts(const World& world) {
  std::array<int, thing_count> counts;
  counts.fill(-1);
  visit_arrays(
      [&](Thing thing, Extent extent, const char*, const auto&, const auto& array) {
        int& count = counts[index_of(thing)];
        if (count < 0 && extent == Extent::all) count = item_count(array);
      },
      world);
  return counts;
}

void append_zeros(World& world, Thing thing, int count) {
  visit_arrays(
      [&](Thing other, Extent extent, const char*, const auto&, auto& array) {
        if (other == thing && extent == Extent::all) resize_items(array, item_count(array) + count);
      },
      world);
}

}  // namespace bulwark
