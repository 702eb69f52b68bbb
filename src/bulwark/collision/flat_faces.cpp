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
  face_.resize(mesh.triangles.size());
  for (int t = 0; t < count; ++t) {
    first_[t] = neighbour_.size();
    face_[t] = t;
    if (!in_face[t] || !convex[faces.find(t)]) continue;
    face_[t] = faces.find(t);
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
  const std::span<const int> others = neighbours(candidate.triangle);
  if (others.empty()) return false;
  const double distance =
      squared_distance(features, positions_of(vertices_of(mesh, candidate), positions).data());
  return std::any_of(others.begin(), others.end(), [&](int other) {
    const PointTriangleCandidate neighbour = {candidate.point, other};
    const std::array<Vector3, 4> x = positions_of(vertices_of(mesh, neighbour), positions);
    const double theirs = squared_distance(features_of(neighbour, x), x.data());
    return theirs < distance || (theirs == distance && other < candidate.triangle);
  });
}

}  // namespace bulwark
