#include <bulwark/base/parallel.hpp>
#include <bulwark/collision/pair_rules.hpp>
#include <bulwark/geometry/box_tree.hpp>

#include <algorithm>
#include <atomic>

namespace bulwark {
namespace {

/// Leaves of one tree that a task searches the other tree with.
constexpr std::size_t leaves_per_chunk = 32;

/// Two primitives; for edges the smaller index first.
struct Pair {
  int first, second;
};

/// The parts of a mesh that shape the trees. Kept to notice when a different mesh comes.
struct Topology {
  std::vector<Triangle> triangles;
  std::vector<Edge> edges;
  std::vector<int> points;
  std::vector<int> vertex_body;
  std::vector<CollisionBody> bodies;

  bool matches(const CollisionMesh& mesh) const {
    auto same_role = [](const CollisionBody& a, const CollisionBody& b) {
      return a.collides == b.collides && a.obstacle == b.obstacle;
    };
    return triangles == mesh.triangles && edges == mesh.edges && points == mesh.points &&
           vertex_body == mesh.vertex_body &&
           std::equal(bodies.begin(), bodies.end(), mesh.bodies.begin(), mesh.bodies.end(), same_role);
  }
};

/// One kind of primitive: those of bodies that collide, their boxes, and the tree over them.
template <class Primitive>
class PrimitiveTree {
 public:
  void set_topology(const CollisionMesh& mesh, const std::vector<Primitive>& primitives) {
    indices_.clear();
    owners_.clear();
    for (std::size_t i = 0; i < primitives.size(); ++i) {
      const int body = mesh.vertex_body[first_vertex(primitives[i])];
      if (!mesh.bodies[body].collides) continue;
      indices_.push_back(static_cast<int>(i));
      owners_.push_back({body, mesh.bodies[body].obstacle});
    }
    built_ = false;
  }

  void update(const std::vector<Primitive>& primitives, const VertexBoxes& boxes) {
    boxes_.resize(indices_.size());
    parallel_for(indices_.size(), [&](std::size_t i) { boxes_[i] = box_of(primitives[indices_[i]], boxes); });
    if (!built_ || !tree_.refit(boxes_)) tree_.build(boxes_, owners_);
    built_ = true;
  }

  const BoxTree& tree() const { return tree_; }
  int primitive(int position) const { return indices_[tree_.index(position)]; }

 private:
  static int first_vertex(int point) { return point; }
  template <std::size_t n>
  static int first_vertex(const std::array<int, n>& primitive) {
    return primitive[0];
  }

  static Box box_of(int vertex, const VertexBoxes& boxes) {
    return {{boxes.lower(0, vertex), boxes.lower(1, vertex), boxes.lower(2, vertex)},
            {boxes.upper(0, vertex), boxes.upper(1, vertex), boxes.upper(2, vertex)}};
  }
  template <std::size_t n>
  static Box box_of(const std::array<int, n>& primitive, const VertexBoxes& boxes) {
    Box box = box_of(primitive[0], boxes);
    for (std::size_t k = 1; k < n; ++k) box.include(box_of(primitive[k], boxes));
    return box;
  }

  std::vector<int> indices_;
  std::vector<BoxTree::Owner> owners_;
  std::vector<Box> boxes_;
  BoxTree tree_;
  bool built_ = false;
};

/// Whether any box of one node may collide with any of the other, whatever their places.
bool may_collide(const CollisionMesh& mesh, const BoxTree::Node& a, const BoxTree::Node& b) {
  if (a.only_obstacles && b.only_obstacles) return false;
  return a.body == BoxTree::mixed || b.body == BoxTree::mixed || mesh.may_collide(a.body, b.body);
}

/// Calls body(leaf) for every leaf of `tree` from node `start` on whose box overlaps that of `query`.
template <class Body>
void for_each_overlapping_leaf(const CollisionMesh& mesh, const BoxTree::Node& query, const BoxTree& tree,
                               int start, Body&& body) {
  const std::vector<BoxTree::Node>& nodes = tree.nodes();
  const int end = static_cast<int>(nodes.size());
  for (int n = start; n < end;) {
    const BoxTree::Node& node = nodes[n];
    if (!overlap(query.box, node.box) || !may_collide(mesh, query, node)) {
      n = node.next;
      continue;
    }
    if (node.count > 0) body(node);
    ++n;  // the first child, or behind a leaf
  }
}

class Bvh final : public BroadPhase {
 public:
  Candidates find_pairs(const CollisionMesh& mesh, const VertexBoxes& boxes, std::size_t limit) override {
    limit_ = limit;
    if (!topology_.matches(mesh)) {
      topology_ = {mesh.triangles, mesh.edges, mesh.points, mesh.vertex_body, mesh.bodies};
      points_.set_topology(mesh, mesh.points);
      triangles_.set_topology(mesh, mesh.triangles);
      edges_.set_topology(mesh, mesh.edges);
    }
    points_.update(mesh.points, boxes);
    triangles_.update(mesh.triangles, boxes);
    edges_.update(mesh.edges, boxes);

    Candidates candidates;
    find_point_triangle(mesh);
    if (count_ > limit_) return not_complete();
    gather(candidates.point_triangle, mesh.vertex_count());
    find_edge_edge(mesh);
    if (count_ > limit_) return not_complete();
    gather(candidates.edge_edge, mesh.edges.size());
    candidates.point_plane = bulwark::find_point_plane(mesh, boxes);
    return candidates;
  }

 private:
  void find_point_triangle(const CollisionMesh& mesh) {
    const BoxTree& points = points_.tree();
    const BoxTree& triangles = triangles_.tree();
    search(points, [&](int leaf, std::vector<Pair>& found) {
      const BoxTree::Node& query = points.nodes()[leaf];
      for_each_overlapping_leaf(mesh, query, triangles, 0, [&](const BoxTree::Node& node) {
        for (int i = query.first; i < query.first + query.count; ++i) {
          const Box& box = points.box(i);
          if (!overlap(box, node.box)) continue;
          const int point = mesh.points[points_.primitive(i)];
          for (int j = node.first; j < node.first + node.count; ++j) {
            if (!overlap(box, triangles.box(j))) continue;
            const int index = triangles_.primitive(j);
            const Triangle& triangle = mesh.triangles[index];
            if (share_vertex(point, triangle)) continue;
            if (!mesh.may_collide(mesh.vertex_body[point], mesh.vertex_body[triangle[0]])) continue;
            found.push_back({point, index});
          }
        }
      });
    });
  }

  void find_edge_edge(const CollisionMesh& mesh) {
    const BoxTree& tree = edges_.tree();
    search(tree, [&](int leaf, std::vector<Pair>& found) {
      const BoxTree::Node& query = tree.nodes()[leaf];
      // Only leaves from this one on: each pair is met once.
      for_each_overlapping_leaf(mesh, query, tree, leaf, [&](const BoxTree::Node& node) {
        for (int i = query.first; i < query.first + query.count; ++i) {
          const Box& box = tree.box(i);
          if (!overlap(box, node.box)) continue;
          const int a = edges_.primitive(i);
          for (int j = std::max(node.first, i + 1); j < node.first + node.count; ++j) {
            if (!overlap(box, tree.box(j))) continue;
            const int b = edges_.primitive(j);
            if (share_vertex(mesh.edges[a], mesh.edges[b]) || !edges_meet(mesh, a, b)) continue;
            if (!mesh.may_collide(mesh.vertex_body[mesh.edges[a][0]], mesh.vertex_body[mesh.edges[b][0]]))
              continue;
            found.push_back({std::min(a, b), std::max(a, b)});
          }
        }
      });
    });
  }

  /// Runs search_leaf(node index, found) for the leaves of a tree; fills found_ by chunks.
  template <class SearchLeaf>
  void search(const BoxTree& tree, SearchLeaf&& search_leaf) {
    const std::vector<int>& leaves = tree.leaves();
    count_ = 0;
    chunks_ = (leaves.size() + leaves_per_chunk - 1) / leaves_per_chunk;
    if (found_.size() < chunks_) found_.resize(chunks_);
    parallel_chunks(leaves.size(), leaves_per_chunk,
                    [&](std::size_t begin, std::size_t end, std::size_t chunk) {
                      found_[chunk].clear();
                      // Whether the limit is passed does not depend on who gets there first.
                      for (std::size_t i = begin; i < end && count_ <= limit_; ++i) {
                        const std::size_t before = found_[chunk].size();
                        search_leaf(leaves[i], found_[chunk]);
                        count_ += found_[chunk].size() - before;
                      }
                    });
  }

  Candidates not_complete() {
    found_.clear();
    found_.shrink_to_fit();
    Candidates none;
    none.complete = false;
    return none;
  }

  /// Sorts what search() found: by counting on the first index, then each first index's few pairs.
  template <class Candidate>
  void gather(std::vector<Candidate>& sorted, std::size_t first_count) {
    start_.assign(first_count + 1, 0);
    for (std::size_t c = 0; c < chunks_; ++c) {
      for (const Pair& pair : found_[c]) ++start_[pair.first + 1];
    }
    for (std::size_t i = 0; i < first_count; ++i) start_[i + 1] += start_[i];
    sorted.resize(start_[first_count]);
    for (std::size_t c = 0; c < chunks_; ++c) {
      for (const Pair& pair : found_[c]) sorted[start_[pair.first]++] = {pair.first, pair.second};
    }
    // start_[i] has moved to the end of i, which is the start of i + 1.
    parallel_for(first_count, [&](std::size_t i) {
      std::sort(sorted.begin() + (i == 0 ? 0 : start_[i - 1]), sorted.begin() + start_[i]);
    });
  }

  Topology topology_;
  PrimitiveTree<int> points_;
  PrimitiveTree<Triangle> triangles_;
  PrimitiveTree<Edge> edges_;
  std::vector<std::vector<Pair>> found_;
  std::size_t chunks_ = 0;
  std::size_t limit_ = 0;
  std::atomic<std::size_t> count_ = 0;  ///< pairs found by the search that runs
  std::vector<std::size_t> start_;
};

}  // namespace

std::unique_ptr<BroadPhase> make_bvh() {
  return std::make_unique<Bvh>();
}

}  // namespace bulwark
