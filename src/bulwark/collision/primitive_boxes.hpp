// The boxes of the primitives that collide, and the pairs found among them: what the simpler broad phases
// share.
#pragma once

#include <bulwark/collision/box_tree.hpp>
#include <bulwark/collision/pair_rules.hpp>

#include <array>
#include <atomic>
#include <vector>

namespace bulwark {

/// The box around the boxes of some vertices.
template <std::size_t count>
Box box_around(const VertexBoxes& boxes, const std::array<int, count>& vertices) {
  const double *lower = boxes.lower.data(), *upper = boxes.upper.data();
  Box box;
  for (int i = 0; i < 3; ++i) {
    box.lower[i] = lower[3 * vertices[0] + i];
    box.upper[i] = upper[3 * vertices[0] + i];
    for (std::size_t v = 1; v < count; ++v) {
      box.lower[i] = std::min(box.lower[i], lower[3 * vertices[v] + i]);
      box.upper[i] = std::max(box.upper[i], upper[3 * vertices[v] + i]);
    }
  }
  return box;
}

/// One kind of primitive of a mesh: those of bodies that collide.
struct PrimitiveBoxes {
  std::vector<int> index;  ///< vertex, triangle or edge of the mesh
  std::vector<int> body;
  std::vector<Box> box;

  std::size_t size() const { return index.size(); }
};

PrimitiveBoxes point_boxes(const CollisionMesh& mesh, const VertexBoxes& boxes);
PrimitiveBoxes triangle_boxes(const CollisionMesh& mesh, const VertexBoxes& boxes);
PrimitiveBoxes edge_boxes(const CollisionMesh& mesh, const VertexBoxes& boxes);

/// Whether a pair whose boxes overlap is a candidate by the mesh's rules.
bool is_candidate(const CollisionMesh& mesh, const PointTriangleCandidate& pair);
bool is_candidate(const CollisionMesh& mesh, const EdgeEdgeCandidate& pair);

/// Collects the pairs that parallel chunks of a search find, up to a limit.
template <class Candidate>
class PairCollector {
 public:
  PairCollector(const CollisionMesh& mesh, std::size_t chunks, std::size_t limit)
      : mesh_(mesh), parts_(chunks), limit_(limit) {}

  /// Adds the pair where the mesh's rules allow it. Only one thread works on a chunk.
  void add(std::size_t chunk, int a, int b) {
    const Candidate pair = {a, b};
    if (!is_candidate(mesh_, pair)) return;
    parts_[chunk].push_back(pair);
    count_.fetch_add(1, std::memory_order_relaxed);
  }
  bool full() const { return count_.load(std::memory_order_relaxed) > limit_; }

  /// All pairs, sorted and each once; empty when there were too many.
  std::vector<Candidate> take() {
    std::vector<Candidate> all;
    if (full()) return all;
    for (const auto& part : parts_) all.insert(all.end(), part.begin(), part.end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

 private:
  const CollisionMesh& mesh_;
  std::vector<std::vector<Candidate>> parts_;
  std::size_t limit_;
  std::atomic<std::size_t> count_ = 0;
};

/// Candidates from two searches that fill their list and return false when there are too many.
template <class FindPoints, class FindEdges>
Candidates gathered(const CollisionMesh& mesh, const VertexBoxes& boxes, FindPoints&& find_points,
                    FindEdges&& find_edges) {
  Candidates candidates;
  candidates.complete = find_points(candidates.point_triangle) && find_edges(candidates.edge_edge);
  if (candidates.complete) {
    candidates.point_plane = find_point_plane(mesh, boxes);
  } else {
    candidates.point_triangle.clear();
    candidates.edge_edge.clear();
  }
  return candidates;
}

}  // namespace bulwark
