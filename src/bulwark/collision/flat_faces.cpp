#include <bulwark/base/joined_sets.hpp>
#include <bulwark/collision/contact_set.hpp>
#include <bulwark/collision/flat_faces.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace bulwark {
namespace {

Edge sorted(int a, int b) {
  return {std::min(a, b), std::max(a, b)};
}

double angle_at(const CollisionMesh& mesh, const Triangle& t, int corner) {
  const Vector3 x = mesh.rest.col(t[corner]);
  const Vector3 a = mesh.rest.col(t[(corner + 1) % 3]) - x, b = mesh.rest.col(t[(corner + 2) % 3]) - x;
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

bool has_vertex(const Triangle& t, int vertex) {
  return t[0] == vertex || t[1] == vertex || t[2] == vertex;
}

}  // namespace

FlatFaces::FlatFaces(const CollisionMesh& mesh) : first_(mesh.triangles.size() + 1, 0) {
  std::vector<Edge> outer;
  for (const Edge& e : mesh.edges) outer.push_back(sorted(e[0], e[1]));
  std::sort(outer.begin(), outer.end());
  const int count = static_cast<int>(mesh.triangles.size());
  JoinedSets faces(mesh.triangles.size());  // of triangles joined by edges which contact does without
  std::map<Edge, int> inner;                // with a triangle of each
  std::vector<char> in_face(mesh.triangles.size(), 0), on_outline(mesh.vertex_body.size(), 0);
  for (int t = 0; t < count; ++t) {
    for (int k = 0; k < 3; ++k) {
      const Edge edge = sorted(mesh.triangles[t][k], mesh.triangles[t][(k + 1) % 3]);
      if (std::binary_search(outer.begin(), outer.end(), edge)) {
        on_outline[edge[0]] = on_outline[edge[1]] = 1;
        continue;
      }
      in_face[t] = 1;
      const auto [found, is_new] = inner.try_emplace(edge, t);
      if (!is_new) faces.join(found->second, t);
    }
  }
  if (inner.empty()) return;
  // Convex: nowhere on the outline a face turns by more than half a turn.
  std::map<std::pair<int, int>, double> angle;  // by face and vertex
  std::vector<std::vector<int>> of_vertex(mesh.vertex_body.size());
  for (int t = 0; t < count; ++t) {
    if (!in_face[t]) continue;
    for (int k = 0; k < 3; ++k) {
      const int v = mesh.triangles[t][k];
      of_vertex[v].push_back(t);
      if (on_outline[v]) angle[{faces.find(t), v}] += angle_at(mesh, mesh.triangles[t], k);
    }
  }
  constexpr double rounding = 1e-9;
  std::vector<char> convex(mesh.triangles.size(), 1);  // by face
  for (const auto& [place, sum] : angle) {
    if (sum > std::numbers::pi * (1 + rounding)) convex[place.first] = 0;
  }
  for (int t = 0; t < count; ++t) {
    first_[t] = neighbour_.size();
    if (!in_face[t] || !convex[faces.find(t)]) continue;
    for (const int v : mesh.triangles[t]) {
      for (const int other : of_vertex[v]) {
        if (other != t && faces.find(other) == faces.find(t)) neighbour_.push_back(other);
      }
    }
    std::sort(neighbour_.begin() + static_cast<std::ptrdiff_t>(first_[t]), neighbour_.end());
    neighbour_.erase(
        std::unique(neighbour_.begin() + static_cast<std::ptrdiff_t>(first_[t]), neighbour_.end()),
        neighbour_.end());
  }
  first_[count] = neighbour_.size();
}

bool FlatFaces::covered(const CollisionMesh& mesh, const Vectors& positions,
                        const PointTriangleCandidate& candidate, const ClosestFeatures& features) const {
  if (features.kind == PairKind::point_triangle || neighbours(candidate.triangle).empty()) return false;
  const std::array<int, 4> own = vertices_of(mesh, candidate);
  const int count = vertex_count(features.kind);
  auto touches_feature = [&](auto&& has) {
    for (int k = 1; k < count; ++k) {
      if (!has(own[features.vertex[k]])) return false;
    }
    return true;
  };
  const double distance = squared_distance(features, positions_of(own, positions).data());
  for (const int other : neighbours(candidate.triangle)) {
    const Triangle& t = mesh.triangles[other];
    if (!touches_feature([&](int v) { return has_vertex(t, v); })) continue;
    const PointTriangleCandidate neighbour = {candidate.point, other};
    const std::array<int, 4> theirs = vertices_of(mesh, neighbour);
    const std::array<Vector3, 4> x = positions_of(theirs, positions);
    const ClosestFeatures nearest = features_of(neighbour, x);
    if (nearest.kind == PairKind::point_triangle) return true;
    const bool same = nearest.kind == features.kind && touches_feature([&](int v) {
                        for (int k = 1; k < count; ++k) {
                          if (theirs[nearest.vertex[k]] == v) return true;
                        }
                        return false;
                      });
    if (same ? other < candidate.triangle : squared_distance(nearest, x.data()) < distance) return true;
  }
  return false;
}

}  // namespace bulwark
