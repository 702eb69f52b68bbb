#include <bulwark/sim/array_items.hpp>
#include <bulwark/sim/arrays_fit.hpp>
#include <bulwark/sim/world_arrays.hpp>

#include <fmt/format.h>

namespace bulwark {
namespace {

struct FindOutside {
  const std::array<int, thing_count>& counts;
  bool outside = false;

  void operator()(Thing thing, const int& number, Relation relation) {
    const bool may_be_none = relation == Relation::refers_or_none || relation == Relation::owns_or_none;
    const bool none = may_be_none && number == -1;
    outside |= !none && (number < 0 || number >= counts[index_of(thing)]);
  }
  void range(Thing thing, const int& first, int count) {
    outside |= first < 0 || count < 0 || first > counts[index_of(thing)] - count;
  }
};

}  // namespace

std::string arrays_misfit(const World& world) {
  const std::array<int, thing_count> counts = thing_counts(world);
  std::string misfit;
  visit_arrays(
      [&](Thing thing, Extent extent, const char* name, const auto& numbers, const auto& array) {
        if (!misfit.empty()) return;
        const int count = item_count(array), wanted = counts[index_of(thing)];
        if (extent == Extent::all ? count != wanted : count > wanted) {
          misfit = fmt::format("`{}` has {} items instead of {}", name, count, wanted);
          return;
        }
        for_each_item(array, [&](const auto& item, int i) {
          FindOutside find{counts};
          numbers(item, find);
          if (find.outside && misfit.empty())
            misfit = fmt::format("item {} of `{}` refers to something that does not exist", i, name);
        });
      },
      world);
  return misfit;
}

}  // namespace bulwark
