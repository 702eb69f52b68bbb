#include <bulwark/collision/exact_intersection.hpp>
#include <bulwark/collision/exact_predicates.hpp>
#include <bulwark/collision/self_crossing.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace bulwark {
namespace {

/// Meetings that are looked at, touching ones among them.
constexpr std::size_t most_meetings = 100'000;

class Crossings {
 public:
  explicit Crossings(const SurfaceMesh& mesh) : x_(mesh.vertices), triangles_(mesh.triangles) {
    for (std::size_t t = 0; t < triangles_.size(); ++t) {
      for (int k = 0; k < 3; ++k)
        triangles_at_[sorted(triangles_[t][k], triangles_[t][(k + 1) % 3])].push_back(static_cast<int>(t));
    }
  }

  static Edge sorted(int a, int b) { return {std::min(a, b), std::max(a, b)}; }
  const std::vector<int>& triangles_at(const Edge& edge) const {
    return triangles_at_.at(sorted(edge[0], edge[1]));
  }

  /// Whether the edge, which meets the triangle, goes from one side of the surface to the other there.
  bool passes(const Edge& edge, int triangle) const {
    const int side = direction(edge, triangle);
    if (side == 0) return false;
    const Triangle& t = triangles_[triangle];
    const Vector3 p = x_.col(edge[0]), q = x_.col(edge[1]);
    for (int k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      if (exact::orientation(p, q, x_.col(a), x_.col(b)) != 0) continue;
      // Through the rim of the triangle: it has to pass the neighbour there in the same direction.
      const std::vector<int>& both = triangles_at({a, b});
      if (both.size() != 2) return false;
      const int neighbour = both[0] == triangle ? both[1] : both[0];
      if (direction(edge, neighbour) != side) return false;
    }
    return true;
  }

 private:
  /// 1 or -1 when the edge's ends are on opposite sides of the triangle's plane, else 0.
  int direction(const Edge& edge, int triangle) const {
    const Triangle& t = triangles_[triangle];
    const Vector3 a = x_.col(t[0]), b = x_.col(t[1]), c = x_.col(t[2]);
    const int from = exact::orientation(a, b, c, x_.col(edge[0]));
    const int to = exact::orientation(a, b, c, x_.col(edge[1]));
    return from == -to ? to : 0;
  }

  const Vectors& x_;
  const std::vector<Triangle>& triangles_;
  std::map<Edge, std::vector<int>> triangles_at_;
};

}  // namespace

std::vector<SelfCrossing> find_self_crossings(const SurfaceMesh& mesh, std::size_t limit) {
  CollisionMesh collision;
  collision.triangles = mesh.triangles;
  collision.edges = unique_edges(mesh.triangles);
  collision.vertex_body.assign(mesh.vertices.cols(), 0);
  collision.bodies.resize(1);
  std::vector<SelfCrossing> found;
  const std::vector<Intersection> meetings = find_intersections(collision, mesh.vertices, most_meetings);
  if (meetings.empty()) return found;
  const Crossings crossings(mesh);
  std::set<std::array<int, 2>> known;
  for (const Intersection& meeting : meetings) {
    const Edge& edge = collision.edges[meeting.first];
    if (!crossings.passes(edge, meeting.second)) continue;
    const int of_edge = crossings.triangles_at(edge).front();
    const std::array<int, 2> pair = {std::min(of_edge, meeting.second), std::max(of_edge, meeting.second)};
    if (!known.insert(pair).second) continue;
    found.push_back({pair[0], pair[1], location(collision, mesh.vertices, meeting)});
    if (found.size() >= limit) break;
  }
  return found;
}

std::vector<SelfCrossing> find_crossing_segments(const SurfaceMesh& mesh, std::size_t limit) {
  CollisionMesh collision;
  collision.edges = mesh.edges;
  collision.edge_role.assign(mesh.edges.size(), EdgeRole::outline);
  collision.vertex_body.assign(mesh.vertices.cols(), 0);
  collision.bodies.resize(1);
  collision.rest = mesh.vertices;
  std::vector<SelfCrossing> found;
  for (const Intersection& meeting : find_intersections(collision, mesh.vertices, limit))
    found.push_back({meeting.first, meeting.second, location(collision, mesh.vertices, meeting)});
  return found;
}

}  // namespace bulwark
