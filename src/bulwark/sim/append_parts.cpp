#include <bulwark/sim/append_parts.hpp>
#include <bulwark/sim/array_items.hpp>
#include <bulwark/sim/world_arrays.hpp>

#include <algorithm>
#include <iterator>

namespace bulwark {
namespace {

using Counts = std::array<int, thing_count>;

/// Parts wait until they have this many controls, and half as many as the world: it then grows by half at
/// least, and moves each item a bounded number of times however many there are.
constexpr int fewest_pending = 1 << 14;

/// Turns the numbers of a part into those of the world.
struct Shift {
  const Counts& first;

  void operator()(Thing thing, int& number, Relation) const {
    if (number >= 0) number += first[index_of(thing)];
  }
  void range(Thing thing, int& begin, int) const { begin += first[index_of(thing)]; }
};

// A part's items take their places from `first` on.

template <class T>
void move_items(std::vector<T>& to, std::vector<T>& from, int first) {
  std::move(from.begin(), from.end(), to.begin() + first);
}
void move_items(Vectors& to, const Vectors& from, int first) {
  to.middleCols(first, from.cols()) = from;
}
void move_items(VectorX& to, const VectorX& from, int first) {
  to.segment(first, from.size()) = from;
}
void move_items(WeightRows& to, const WeightRows& from, int first) {
  const int begin = to.outerIndexPtr()[first];
  std::copy_n(from.innerIndexPtr(), from.nonZeros(), to.innerIndexPtr() + begin);
  std::copy_n(from.valuePtr(), from.nonZeros(), to.valuePtr() + begin);
  for (int i = 0; i < from.rows(); ++i)
    to.outerIndexPtr()[first + i + 1] = begin + from.outerIndexPtr()[i + 1];
}
template <class Key, class Value>
void move_items(std::map<Key, Value>& to, const std::map<Key, Value>& from, int) {
  for (const auto& entry : from) to.insert(to.end(), entry);
}

/// Room in W for its rows from `rows` on, and for `nonzeros` entries.
void resize_weights(WeightRows& weights, int rows, int columns, Eigen::Index nonzeros) {
  weights.conservativeResize(rows, columns);
  weights.resizeNonZeros(nonzeros);
}

}  // namespace

void append_parts(World& world, std::vector<World> parts) {
  Counts first = thing_counts(world), total = first;
  Eigen::Index nonzeros = world.collision.weights.nonZeros();
  for (const World& part : parts) {
    const Counts counts = thing_counts(part);
    for (std::size_t t = 0; t < thing_count; ++t) total[t] += counts[t];
    nonzeros += part.collision.weights.nonZeros();
  }
  visit_arrays(
      [&](Thing thing, Extent extent, const char*, const auto&, auto& array) {
        if (extent == Extent::all) resize_items(array, total[index_of(thing)]);
      },
      world);
  resize_weights(world.collision.weights, total[index_of(Thing::vertex)], total[index_of(Thing::control)],
                 nonzeros);
  for (World& part : parts) {
    const Shift shift{first};
    visit_arrays(
        [&](Thing thing, Extent extent, const char*, const auto& numbers, auto& to, auto& from) {
          const int begin = first[index_of(thing)];
          if (extent == Extent::first_ones) {
            if (item_count(from) == 0) return;
            resize_items(to, begin + item_count(from));
          }
          change_items(from, [&](auto& item) { numbers(item, shift); });
          move_items(to, from, begin);
        },
        world, part);
    const Counts counts = thing_counts(part);
    for (int i = 0; i < counts[index_of(Thing::body)]; ++i)
      world.bodies[first[index_of(Thing::body)] + i].id = world.next_body_id++;
    for (std::size_t t = 0; t < thing_count; ++t) first[t] += counts[t];
  }
}

World PendingParts::new_part() const {
  World part;
  part.state.time = world_.state.time;
  return part;
}

int PendingParts::add(World part) {
  const int first = body_count();
  bodies_ += static_cast<int>(part.bodies.size());
  controls_ += part.control_count();
  parts_.push_back(std::move(part));
  if (controls_ >= std::max(fewest_pending, world_.control_count() / 2)) finish();
  return first;
}

void PendingParts::finish() {
  append_parts(world_, std::exchange(parts_, {}));
  bodies_ = controls_ = 0;
}

}  // namespace bulwark
