// A bounding-volume hierarchy over axis-aligned boxes, as one flat array: what the BVH broad phase searches, and all
// that look for what lies near a point among many.
//
// Boxes are sorted along a Morton curve and split where their codes' highest bits differ. Nodes are stored in
// preorder with a link past their subtree, so a traversal is one loop: into the next node on a hit, to
// `next` on a miss. Started at a leaf, the same loop visits just the boxes that come after it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace bulwark {

struct Box {
  double lower[3];
  double upper[3];

  void include(const Box& other) {
    for (int i = 0; i < 3; ++i) {
      lower[i] = std::min(lower[i], other.lower[i]);
      upper[i] = std::max(upper[i], other.upper[i]);
    }
  }
};

/// Boxes that touch overlap.
inline bool overlap(const Box& a, const Box& b) {
  return bool((a.lower[0] <= b.upper[0]) & (b.lower[0] <= a.upper[0]) & (a.lower[1] <= b.upper[1]) &
              (b.lower[1] <= a.upper[1]) & (a.lower[2] <= b.upper[2]) & (b.lower[2] <= a.upper[2]));
}

class BoxTree {
 public:
  static constexpr int leaf_size = 4;
  /// The body of a node that holds several.
  static constexpr int mixed = -1;

  struct Node {
    Box box;
    std::int32_t next;    ///< first node behind this one's subtree
    std::int32_t first;   ///< position of its first box in the sorted order
    std::int32_t body;    ///< the body of all its boxes, or `mixed`
    std::uint16_t count;  ///< boxes of a leaf; 0 for an inner node
    bool only_obstacles;
  };

  /// What a box belongs to; nodes know it for whole subtrees, to leave out pairs that never collide.
  struct Owner {
    std::int32_t body;
    bool obstacle;
  };

  void build(const std::vector<Box>& boxes, const std::vector<Owner>& owners);
  /// Of boxes that belong to nobody.
  void build(const std::vector<Box>& boxes) { build(boxes, std::vector<Owner>(boxes.size(), {0, false})); }

  /// Moves the tree's boxes, keeping its structure. False when the structure no longer suits them: then
  /// build.
  bool refit(const std::vector<Box>& boxes);

  const std::vector<Node>& nodes() const { return nodes_; }
  /// Indices of the leaves among the nodes, in order.
  const std::vector<int>& leaves() const { return leaves_; }
  /// The box at a position of the sorted order, and the index it was given with.
  const Box& box(int position) const { return sorted_[position]; }
  int index(int position) const { return order_[position]; }

  /// visit(index) for all boxes that overlap this one, in the order of the curve.
  template <class Visit>
  void for_each_overlapping(const Box& box, Visit&& visit) const {
    for (std::size_t n = 0; n < nodes_.size();) {
      const Node& node = nodes_[n];
      if (!overlap(node.box, box)) {
        n = static_cast<std::size_t>(node.next);
        continue;
      }
      for (int k = node.first; k < node.first + node.count; ++k) {
        if (overlap(sorted_[k], box)) visit(index(k));
      }
      ++n;
    }
  }
  /// Their indices, ascending.
  std::vector<int> overlapping(const Box& box) const {
    std::vector<int> found;
    for_each_overlapping(box, [&](int index) { found.push_back(index); });
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  struct Key {
    std::uint64_t code;
    std::int32_t index;
  };

  void sort_along_curve(const std::vector<Box>& boxes);
  void split(int begin, int end);
  void fit(const std::vector<Box>& boxes);
  double relative_surface() const;

  std::vector<Node> nodes_;
  std::vector<int> leaves_;
  std::vector<std::int32_t> order_;
  std::vector<Box> sorted_;
  std::vector<Key> keys_, keys_scratch_;
  double built_surface_ = 0;
};

}  // namespace bulwark
