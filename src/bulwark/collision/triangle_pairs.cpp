#include <bulwark/collision/triangle_pairs.hpp>
#include <bulwark/geometry/box_tree.hpp>

#include <algorithm>
#include <limits>

namespace bulwark {
namespace {

Box grown_box(const Triangle& triangle, const Vectors& positions, double reach) {
  Box box;
  for (int axis = 0; axis < 3; ++axis) {
    const double x = positions(axis, triangle[0]), y = positions(axis, triangle[1]),
                 z = positions(axis, triangle[2]);
    box.lower[axis] = std::min({x, y, z}) - reach;
    box.upper[axis] = std::max({x, y, z}) + reach;
  }
  return box;
}

constexpr double farthest = std::numeric_limits<double>::infinity();
constexpr Box no_box = {{farthest, farthest, farthest}, {-farthest, -farthest, -farthest}};

/// A body's triangles with their boxes.
struct BoxedBody {
  std::vector<Box> boxes;
  Box whole = no_box;
};

/// Places of the boxes that overlap `region`, by their lower ends along x.
std::vector<int> boxes_within(const std::vector<Box>& boxes, const Box& region) {
  std::vector<int> found;
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    if (overlap(boxes[k], region)) found.push_back(static_cast<int>(k));
  }
  std::sort(found.begin(), found.end(), [&](int a, int b) {
    return boxes[a].lower[0] != boxes[b].lower[0] ? boxes[a].lower[0] < boxes[b].lower[0] : a < b;
  });
  return found;
}

/// Calls visit(i, j) for all boxes of two lists that overlap: each pair where the later of the two begins.
template <class Visit>
void sweep_lists(const std::vector<Box>& first, const std::vector<int>& in_first,
                 const std::vector<Box>& second, const std::vector<int>& in_second, Visit&& visit) {
  std::size_t i = 0, j = 0;
  while (i < in_first.size() && j < in_second.size()) {
    if (first[in_first[i]].lower[0] <= second[in_second[j]].lower[0]) {
      const Box& box = first[in_first[i]];
      for (std::size_t k = j; k < in_second.size() && second[in_second[k]].lower[0] <= box.upper[0]; ++k) {
        if (overlap(box, second[in_second[k]])) visit(in_first[i], in_second[k]);
      }
      ++i;
    } else {
      const Box& box = second[in_second[j]];
      for (std::size_t k = i; k < in_first.size() && first[in_first[k]].lower[0] <= box.upper[0]; ++k) {
        if (overlap(box, first[in_first[k]])) visit(in_first[k], in_second[j]);
      }
      ++j;
    }
  }
}

}  // namespace

OverlapSearch::OverlapSearch(const CollisionMesh& mesh, std::vector<std::array<int, 2>> body_pairs)
    : body_pairs_(std::move(body_pairs)),
      triangles_(mesh.bodies.size()),
      planes_(mesh.bodies.size()),
      vertices_(mesh.bodies.size()) {
  for (const std::array<int, 2>& pair : body_pairs_) bodies_.insert(bodies_.end(), pair.begin(), pair.end());
  std::sort(bodies_.begin(), bodies_.end());
  bodies_.erase(std::unique(bodies_.begin(), bodies_.end()), bodies_.end());
  std::vector<char> wanted(mesh.bodies.size(), 0);
  for (const int body : bodies_) wanted[body] = 1;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const int body = mesh.vertex_body[mesh.triangles[t][0]];
    if (!wanted[body]) continue;
    triangles_[body].push_back({static_cast<int>(t), mesh.triangles[t]});
    vertices_[body].insert(vertices_[body].end(), mesh.triangles[t].begin(), mesh.triangles[t].end());
  }
  for (std::size_t p = 0; p < mesh.planes.size(); ++p) {
    const int body = mesh.planes[p].body;
    if (!wanted[body]) continue;
    planes_[body].push_back({static_cast<int>(p), mesh.planes[p]});
    vertices_[body].push_back(mesh.planes[p].vertex);
  }
  for (std::vector<int>& vertices : vertices_) {
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  }
}

TrianglePairs OverlapSearch::find(const Vectors& positions, const std::vector<double>& reach) const {
  std::vector<BoxedBody> boxed(triangles_.size());
  for (const int body : bodies_) {
    for (const NumberedTriangle& t : triangles_[body]) {
      boxed[body].boxes.push_back(grown_box(t.corners, positions, reach[body]));
      boxed[body].whole.include(boxed[body].boxes.back());
    }
  }
  TrianglePairs pairs;
  const auto add_on_planes = [&](int body, int other) {
    for (const auto& [p, plane] : planes_[other]) {
      const double height = plane.normal.dot(positions.col(plane.vertex)) + reach[body] + reach[other];
      for (const auto& [t, triangle] : triangles_[body]) {
        double lowest = farthest;
        for (const int v : triangle) lowest = std::min(lowest, plane.normal.dot(positions.col(v)));
        if (lowest <= height) pairs.on_planes.push_back({t, p});
      }
    }
  };
  for (const auto& [a, b] : body_pairs_) {
    add_on_planes(a, b);
    add_on_planes(b, a);
    if (!overlap(boxed[a].whole, boxed[b].whole)) continue;
    const std::vector<int> in_a = boxes_within(boxed[a].boxes, boxed[b].whole),
                           in_b = boxes_within(boxed[b].boxes, boxed[a].whole);
    sweep_lists(boxed[a].boxes, in_a, boxed[b].boxes, in_b, [&, a = a, b = b](int i, int j) {
      pairs.triangles.push_back({triangles_[a][i].number, triangles_[b][j].number});
    });
  }
  std::sort(pairs.triangles.begin(), pairs.triangles.end());
  std::sort(pairs.on_planes.begin(), pairs.on_planes.end());
  return pairs;
}

}  // namespace bulwark
