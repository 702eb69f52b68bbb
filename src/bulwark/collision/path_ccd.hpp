// Continuous collision detection of candidates whose vertices move along a path, straight or turning.
#pragma once

#include <bulwark/collision/ccd.hpp>
#include <bulwark/collision/contact_set.hpp>
#include <bulwark/collision/curved_ccd.hpp>
#include <bulwark/collision/vertex_path.hpp>

#include <array>

namespace bulwark {

class PathCcd {
 public:
  /// All three must outlive it.
  PathCcd(const CollisionMesh& mesh, const VertexPath& path, const Ccd& ccd)
      : mesh_(mesh), path_(path), ccd_(ccd) {}

  /// A time up to which the pair keeps the distance that the options ask for (Ccd).
  double time(const PointTriangleCandidate& candidate, const CcdOptions& options) const {
    const std::array<int, 4> v = vertices_of(mesh_, candidate);
    CurvedQuery curved;
    const CcdQuery query = query_of(v);
    return bends(v, query, curved) ? curved_ccd<false>(curved, options) : ccd_.point_triangle(query, options);
  }
  double time(const EdgeEdgeCandidate& candidate, const CcdOptions& options) const {
    const std::array<int, 4> v = vertices_of(mesh_, candidate);
    CurvedQuery curved;
    const CcdQuery query = query_of(v);
    return bends(v, query, curved) ? curved_ccd<true>(curved, options) : ccd_.edge_edge(query, options);
  }

 private:
  CcdQuery query_of(const std::array<int, 4>& v) const {
    CcdQuery query;
    for (int i = 0; i < 4; ++i) {
      query.x[i] = path_.from.col(v[i]);
      query.p[i] = path_.straight.col(v[i]);
    }
    return query;
  }
  /// Fills the curved query, and says whether any of the vertices' bodies turns.
  bool bends(const std::array<int, 4>& v, const CcdQuery& query, CurvedQuery& curved) const {
    if (path_.turns.empty()) return false;
    bool found = false;
    for (int i = 0; i < 4; ++i) {
      curved.path[i] = path_.turn_of(mesh_, v[i]);
      // A sphere's center moves straight, however it turns.
      if (curved.path[i] != nullptr && query.x[i] == curved.path[i]->center) curved.path[i] = nullptr;
      found = found || curved.path[i] != nullptr;
    }
    if (!found) return false;
    curved.x = query.x;
    for (int i = 0; i < 4; ++i) {
      curved.p[i] = query.p[i];
      if (curved.path[i] != nullptr) curved.p[i] -= curved.path[i]->displacement;
    }
    return true;
  }

  const CollisionMesh& mesh_;
  const VertexPath& path_;
  const Ccd& ccd_;
};

}  // namespace bulwark
