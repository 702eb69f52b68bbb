#include <bulwark/output/writing/hash_numbers.hpp>
#include <bulwark/sim/array_items.hpp>
#include <bulwark/sim/world_arrays.hpp>

#include <string_view>
#include <vector>

namespace bulwark {
namespace {

struct Collect {
  std::vector<int> numbers;

  void operator()(Thing, const int& number, Relation) { numbers.push_back(number); }
  void range(Thing, const int& first, int count) {
    numbers.push_back(first);
    numbers.push_back(count);
  }
};

}  // namespace

void hash_numbers(Hash& hash, const World& world) {
  visit_arrays(
      [&](Thing, Extent extent, std::string_view name, const auto& numbers, const auto& array) {
        // What a program applies, and what the state remembers, is no part of the scene.
        if (extent != Extent::all || name.starts_with("state.")) return;
        Collect collect{{item_count(array)}};
        for_each_item(array, [&](const auto& item, int) { numbers(item, collect); });
        hash.add(collect.numbers.data(), collect.numbers.size() * sizeof(int));
      },
      world);
}

}  // namespace bulwark
