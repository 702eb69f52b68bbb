#include <bulwark/sim/array_items.hpp>
#include <bulwark/sim/joint_steering.hpp>
#include <bulwark/sim/remove_marked.hpp>

namespace bulwark {
namespace {

/// Marks what goes with what is marked: the item, and what it owns.
struct Follow {
  Marks& marks;
  Thing item_thing;
  int item;

  void operator()(Thing thing, const int& number, Relation relation) {
    if (number < 0 || relation == Relation::uses) return;
    if (marks.has(thing, number)) marks.mark(item_thing, item);
    const bool owned = relation == Relation::owns || relation == Relation::owns_or_none;
    if (owned && marks.has(item_thing, item)) marks.mark(thing, number);
  }
  void range(Thing thing, const int& first, int count) {
    for (int i = first; i < first + count; ++i) (*this)(thing, i, Relation::owns);
  }
};

/// Finds the things that are shared by their users, and which of them have a user that stays.
struct FindUsed {
  std::array<std::vector<char>, thing_count>& used;
  std::array<bool, thing_count>& shared;
  bool stays;

  void operator()(Thing thing, const int& number, Relation relation) {
    if (relation != Relation::uses) return;
    shared[index_of(thing)] = true;
    if (stays) used[index_of(thing)][number] = 1;
  }
  void range(Thing, const int&, int) {}
};

void mark_followers(const World& world, Marks& marks) {
  int before = -1;
  while (marks.count() != before) {
    before = marks.count();
    visit_arrays(
        [&](Thing thing, Extent, const char*, const auto& numbers, const auto& array) {
          for_each_item(array, [&](const auto& item, int i) {
            Follow follow{marks, thing, i};
            numbers(item, follow);
          });
        },
        world);
  }
}

void mark_unused(const World& world, Marks& marks) {
  std::array<std::vector<char>, thing_count> used;
  std::array<bool, thing_count> shared{};
  for (std::size_t t = 0; t < thing_count; ++t) used[t].resize(marks.of(static_cast<Thing>(t)).size(), 0);
  visit_arrays(
      [&](Thing thing, Extent, const char*, const auto& numbers, const auto& array) {
        for_each_item(array, [&](const auto& item, int i) {
          FindUsed find{used, shared, !marks.has(thing, i)};
          numbers(item, find);
        });
      },
      world);
  for (std::size_t t = 0; t < thing_count; ++t) {
    if (!shared[t]) continue;
    for (std::size_t i = 0; i < used[t].size(); ++i) {
      if (!used[t][i]) marks.mark(static_cast<Thing>(t), static_cast<int>(i));
    }
  }
}

/// Gives what stays its new number: how many before it stay.
struct Renumber {
  const std::array<std::vector<int>, thing_count>& kept_before;

  void operator()(Thing thing, int& number, Relation) const {
    if (number >= 0) number = kept_before[index_of(thing)][number];
  }
  void range(Thing thing, int& first, int) const { first = kept_before[index_of(thing)][first]; }
};

}  // namespace

Marks::Marks(const World& world) {
  const std::array<int, thing_count> counts = thing_counts(world);
  for (std::size_t t = 0; t < thing_count; ++t) gone_[t].resize(counts[t], 0);
}

void Marks::mark(Thing thing, int number) {
  char& gone = gone_[index_of(thing)][number];
  if (!gone) ++count_;
  gone = 1;
}

void remove_marked(World& world, Marks marks) {
  if (marks.count() == 0) return;
  mark_followers(world, marks);
  mark_unused(world, marks);
  std::array<std::vector<int>, thing_count> kept_before;
  for (std::size_t t = 0; t < thing_count; ++t) {
    const std::vector<char>& gone = marks.of(static_cast<Thing>(t));
    kept_before[t].reserve(gone.size() + 1);
    int kept = 0;
    for (const char is_gone : gone) {
      kept_before[t].push_back(kept);
      if (!is_gone) ++kept;
    }
    kept_before[t].push_back(kept);  // where a range without things ends the array
  }
  const Renumber renumber{kept_before};
  visit_arrays(
      [&](Thing thing, Extent, const char*, const auto& numbers, auto& array) {
        erase_items(array, marks.of(thing));
        change_items(array, [&](auto& item) { numbers(item, renumber); });
      },
      world);
  world.collision.weights.conservativeResize(world.collision.vertex_count(), world.control_count());
  world.collision.weights.makeCompressed();
  drop_last_zeros(world.collision.radius);
  drop_last_zeros(world.collision.corner_shares);
  world.collision.mark_exempt();
  forget_steering(world);
}

}  // namespace bulwark
