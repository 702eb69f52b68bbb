// Every pair tested: what the broad phases are checked against.
#pragma once

#include <bulwark/collision/pair_rules.hpp>

#include <algorithm>
#include <array>
#include <memory>

namespace bulwark::test {

/// Whether the unions of the boxes of two sets of vertices overlap.
template <class VerticesA, class VerticesB>
bool boxes_overlap(const VertexBoxes& boxes, const VerticesA& a, const VerticesB& b) {
  for (int axis = 0; axis < 3; ++axis) {
    auto lowest = [&](int u, int v) { return boxes.lower(axis, u) < boxes.lower(axis, v); };
    auto highest = [&](int u, int v) { return boxes.upper(axis, u) < boxes.upper(axis, v); };
    const double lower_a = boxes.lower(axis, *std::min_element(a.begin(), a.end(), lowest));
    const double upper_a = boxes.upper(axis, *std::max_element(a.begin(), a.end(), highest));
    const double lower_b = boxes.lower(axis, *std::min_element(b.begin(), b.end(), lowest));
    const double upper_b = boxes.upper(axis, *std::max_element(b.begin(), b.end(), highest));
    if (!(lower_a <= upper_b && lower_b <= upper_a)) return false;
  }
  return true;
}

class BruteForce final : public BroadPhase {
 public:
  Candidates find_pairs(const CollisionMesh& mesh, const VertexBoxes& boxes, std::size_t limit) override {
    Candidates candidates;
    auto may_collide = [&](int u, int v) {
      return mesh.may_collide(mesh.vertex_body[u], mesh.vertex_body[v]);
    };

    for (int point : mesh.points) {
      for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const Triangle& triangle = mesh.triangles[t];
        if (share_vertex(point, triangle) || !may_collide(point, triangle[0])) continue;
        if (!boxes_overlap(boxes, std::array{point}, triangle)) continue;
        candidates.point_triangle.push_back({point, static_cast<int>(t)});
      }
    }
    for (std::size_t a = 0; a < mesh.edges.size(); ++a) {
      for (std::size_t b = a + 1; b < mesh.edges.size(); ++b) {
        const Edge& edge_a = mesh.edges[a];
        const Edge& edge_b = mesh.edges[b];
        if (share_vertex(edge_a, edge_b) || !may_collide(edge_a[0], edge_b[0])) continue;
        if (!boxes_overlap(boxes, edge_a, edge_b)) continue;
        candidates.edge_edge.push_back({static_cast<int>(a), static_cast<int>(b)});
      }
    }
    candidates.point_plane = find_point_plane(mesh, boxes);
    std::sort(candidates.point_triangle.begin(), candidates.point_triangle.end());
    if (candidates.point_triangle.size() > limit || candidates.edge_edge.size() > limit) {
      candidates = {};
      candidates.complete = false;
    }
    return candidates;
  }
};

inline std::unique_ptr<BroadPhase> make_brute_force() {
  return std::make_unique<BruteForce>();
}

}  // namespace bulwark::test
