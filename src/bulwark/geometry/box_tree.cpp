#include <bulwark/base/parallel.hpp>
#include <bulwark/geometry/box_tree.hpp>

#include <array>
#include <bit>

namespace bulwark {
namespace {

constexpr int bits_per_axis = 21;
constexpr int cells_per_axis = 1 << bits_per_axis;
/// A tree is rebuilt when its nodes have grown by this factor over its boxes.
constexpr double worst_growth = 1.5;

double surface(const Box& box) {
  const double x = box.upper[0] - box.lower[0], y = box.upper[1] - box.lower[1],
               z = box.upper[2] - box.lower[2];
  return x * y + y * z + z * x;
}

Box union_of(const std::vector<Box>& boxes) {
  return parallel_reduce(
      boxes.size(), boxes.front(), [&](std::size_t i) -> const Box& { return boxes[i]; },
      [](Box a, const Box& b) {
        a.include(b);
        return a;
      });
}

/// Puts two zero bits between the lowest 21 bits of x.
std::uint64_t spread(std::uint64_t x) {
  x = (x | x << 32) & 0x001f00000000ffff;
  x = (x | x << 16) & 0x001f0000ff0000ff;
  x = (x | x << 8) & 0x100f00f00f00f00f;
  x = (x | x << 4) & 0x10c30c30c30c30c3;
  x = (x | x << 2) & 0x1249249249249249;
  return x;
}

/// Cell of a coordinate on one axis. NaN falls into the first: it overlaps nothing anyway.
std::uint64_t cell(double offset, double cells_per_length) {
  const double c = offset * cells_per_length;
  if (!(c > 0)) return 0;
  return static_cast<std::uint64_t>(std::min(c, cells_per_axis - 1.0));
}

}  // namespace

void BoxTree::sort_along_curve(const std::vector<Box>& boxes) {
  const Box bounds = union_of(boxes);
  // One scale for all axes: cells are cubes, so that long scenes are first split along their length.
  double extent = 0;
  for (int i = 0; i < 3; ++i) extent = std::max(extent, bounds.upper[i] - bounds.lower[i]);
  const double cells_per_length = extent > 0 ? cells_per_axis / extent : 0;
  keys_.resize(boxes.size());
  keys_scratch_.resize(boxes.size());
  parallel_for(boxes.size(), [&](std::size_t i) {
    std::uint64_t code = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const double center = 0.5 * (boxes[i].lower[axis] + boxes[i].upper[axis]);
      code |= spread(cell(center - bounds.lower[axis], cells_per_length)) << axis;
    }
    keys_[i] = {code, static_cast<std::int32_t>(i)};
  });

  constexpr int digit_bits = 11;
  constexpr std::uint64_t digits = 1 << digit_bits;
  for (int shift = 0; shift < 3 * bits_per_axis; shift += digit_bits) {
    std::array<std::uint32_t, digits + 1> start{};
    for (const Key& key : keys_) ++start[(key.code >> shift & (digits - 1)) + 1];
    for (std::uint64_t d = 0; d < digits; ++d) start[d + 1] += start[d];
    for (const Key& key : keys_) keys_scratch_[start[key.code >> shift & (digits - 1)]++] = key;
    keys_.swap(keys_scratch_);
  }
}

void BoxTree::split(int begin, int end) {
  const int node = static_cast<int>(nodes_.size());
  nodes_.emplace_back();
  nodes_[node].first = begin;
  if (end - begin <= leaf_size) {
    nodes_[node].count = static_cast<std::uint16_t>(end - begin);
    leaves_.push_back(node);
  } else {
    nodes_[node].count = 0;
    const std::uint64_t differing = keys_[begin].code ^ keys_[end - 1].code;
    int middle = begin + (end - begin) / 2;
    if (differing != 0) {
      const std::uint64_t bit = std::bit_floor(differing);
      middle =
          static_cast<int>(std::partition_point(keys_.begin() + begin, keys_.begin() + end,
                                                [bit](const Key& key) { return (key.code & bit) == 0; }) -
                           keys_.begin());
    }
    split(begin, middle);
    split(middle, end);
  }
  nodes_[node].next = static_cast<std::int32_t>(nodes_.size());
}

void BoxTree::build(const std::vector<Box>& boxes, const std::vector<Owner>& owners) {
  nodes_.clear();
  leaves_.clear();
  order_.resize(boxes.size());
  sorted_.resize(boxes.size());
  if (boxes.empty()) return;
  sort_along_curve(boxes);
  for (std::size_t i = 0; i < boxes.size(); ++i) order_[i] = keys_[i].index;
  split(0, static_cast<int>(boxes.size()));

  for (std::size_t n = nodes_.size(); n-- > 0;) {
    Node& node = nodes_[n];
    if (node.count > 0) {
      const Owner& owner = owners[order_[node.first]];
      node.body = owner.body;
      node.only_obstacles = owner.obstacle;
      for (int k = 1; k < node.count; ++k) {
        const Owner& other = owners[order_[node.first + k]];
        if (other.body != node.body) node.body = mixed;
        node.only_obstacles &= other.obstacle;
      }
    } else {
      const Node& left = nodes_[n + 1];
      const Node& right = nodes_[left.next];
      node.body = left.body == right.body ? left.body : mixed;
      node.only_obstacles = left.only_obstacles && right.only_obstacles;
    }
  }
  fit(boxes);
  built_surface_ = relative_surface();
}

bool BoxTree::refit(const std::vector<Box>& boxes) {
  if (boxes.size() != sorted_.size()) return false;
  if (boxes.empty()) return true;
  fit(boxes);
  return relative_surface() <= worst_growth * built_surface_;
}

void BoxTree::fit(const std::vector<Box>& boxes) {
  parallel_for(leaves_.size(), [&](std::size_t leaf) {
    Node& node = nodes_[leaves_[leaf]];
    for (int k = 0; k < node.count; ++k) {
      const Box& box = sorted_[node.first + k] = boxes[order_[node.first + k]];
      if (k == 0) {
        node.box = box;
      } else {
        node.box.include(box);
      }
    }
  });
  for (std::size_t n = nodes_.size(); n-- > 0;) {
    Node& node = nodes_[n];
    if (node.count > 0) continue;
    const Node& left = nodes_[n + 1];
    node.box = left.box;
    node.box.include(nodes_[left.next].box);
  }
}

/// Summed surface of the nodes, relative to that of the boxes: a measure of the structure alone, which boxes
/// that all grow, as for a longer motion, do not worsen. Boxes without a surface are measured by the whole.
double BoxTree::relative_surface() const {
  const double nodes = parallel_sum(nodes_.size(), [&](std::size_t n) { return surface(nodes_[n].box); });
  const double boxes = parallel_sum(sorted_.size(), [&](std::size_t i) { return surface(sorted_[i]); });
  const double whole = surface(nodes_.front().box);
  const double reference = std::max(boxes, 1e-6 * whole);
  return reference > 0 ? nodes / reference : 0;
}

}  // namespace bulwark
