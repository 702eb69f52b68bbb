// The surface that collides: all bodies' triangles, edges and points in one mesh whose vertices are fixed
// combinations of the controls, V = W q. Contact knows nothing of body kinds beyond this.
//
// A primitive may have a radius: the solid is all that lies within it. A sphere is a point with a radius, a
// capsule a segment, a rounded box a smaller box, a rope its centre line, a cloth its middle surface. Two
// primitives touch when their distance is the sum of their radii.
#pragma once

#include <bulwark/geometry/mesh.hpp>
#include <bulwark/math/types.hpp>

#include <Eigen/SparseCore>
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace bulwark {

/// How one body takes part in contact.
struct CollisionBody {
  bool obstacle = false;  ///< two obstacles never collide with each other
  bool collides = true;
  bool self = true;     ///< collides with itself
  int group = -1;       ///< bodies of the same group (>= 0) do not collide with each other
  bool exempt = false;  ///< in one of the mesh's exempt or unguarded pairs
};

/// An infinite plane: the half-space behind it is solid. It rides on one vertex of the collision mesh.
struct CollisionPlane {
  int vertex = 0;  ///< a point of the plane
  Vector3 normal = Vector3::UnitY();
  int body = 0;
};

struct CollisionMesh {
  std::vector<Triangle> triangles;
  /// Of the first triangles, those of faces of elements: by how much each corner's share of the area is more than a
  /// third (contact_areas.hpp). Others have none, and it is empty where none has.
  std::vector<std::array<double, 3>> corner_shares;
  /// Every edge once: of triangles, and free segments. A lone point, which no other edge and no triangle has,
  /// is a segment with both ends in it: so points meet points and segments by the rules for segments. Ends of
  /// free segments are such points too: two segments side by side, where the common normal of edges is lost,
  /// meet by their ends, as triangles do by their corners.
  std::vector<Edge> edges;
  std::vector<EdgeRole> edge_role;  ///< per edge; all are of triangles where this is empty
  std::vector<int> points;  ///< vertices that take part in contact: all but those that only carry planes
  std::vector<CollisionPlane> planes;

  std::vector<int> vertex_body;  ///< per vertex: index into bodies
  /// Of the first vertices, that of their primitives (m): all vertices of a primitive have the same. The others
  /// have none, and it is empty where none has one.
  std::vector<double> radius;
  std::vector<CollisionBody> bodies;
  std::vector<std::array<int, 2>> exempt_pairs;  ///< bodies (smaller, larger) that do not collide; sorted
  /// Bodies (smaller, larger) that touch by another model than the barrier, or by none; sorted. Nothing here keeps
  /// them apart.
  std::vector<std::array<int, 2>> unguarded_pairs;

  /// W, row-major: row v lists the controls of vertex v and their weights.
  Eigen::SparseMatrix<double, Eigen::RowMajor> weights;
  Vectors rest;  ///< rest positions of the vertices (mollifier thresholds come from here)

  int vertex_count() const { return static_cast<int>(vertex_body.size()); }
  double radius_of(int vertex) const {
    return static_cast<std::size_t>(vertex) < radius.size() ? radius[vertex] : 0;
  }
  /// Of a corner of a triangle, as a part of the triangle's area.
  double share_of_corner(int triangle, int corner) const {
    const bool has = static_cast<std::size_t>(triangle) < corner_shares.size();
    return 1.0 / 3 + (has ? corner_shares[triangle][corner] : 0);
  }
  EdgeRole role_of(int edge) const { return edge_role.empty() ? EdgeRole::of_triangle : edge_role[edge]; }
  bool may_collide(int body_a, int body_b) const {
    const CollisionBody& a = bodies[body_a];
    const CollisionBody& b = bodies[body_b];
    if (!a.collides || !b.collides) return false;
    if (body_a == body_b) return a.self && !a.obstacle;
    if (a.obstacle && b.obstacle) return false;
    if (a.exempt && b.exempt && is_exempt(body_a, body_b)) return false;
    return a.group < 0 || a.group != b.group;
  }
  /// Two bodies do not collide with each other any more; with all others they do.
  void exempt(int body_a, int body_b) {
    const std::array<int, 2> pair = {std::min(body_a, body_b), std::max(body_a, body_b)};
    const auto place = std::lower_bound(exempt_pairs.begin(), exempt_pairs.end(), pair);
    if (place == exempt_pairs.end() || *place != pair) exempt_pairs.insert(place, pair);
    bodies[body_a].exempt = bodies[body_b].exempt = true;
  }
  /// Marks the bodies of both kinds of pairs, after these were changed.
  void mark_exempt() {
    for (CollisionBody& body : bodies) body.exempt = false;
    for (const auto* pairs : {&exempt_pairs, &unguarded_pairs}) {
      for (const auto& [a, b] : *pairs) bodies[a].exempt = bodies[b].exempt = true;
    }
  }

 private:
  bool is_exempt(int body_a, int body_b) const {
    const std::array<int, 2> pair = {std::min(body_a, body_b), std::max(body_a, body_b)};
    return std::binary_search(exempt_pairs.begin(), exempt_pairs.end(), pair) ||
           std::binary_search(unguarded_pairs.begin(), unguarded_pairs.end(), pair);
  }
};

/// The same vertices with the triangles, edges and points of the flagged bodies alone, and no planes.
CollisionMesh mesh_of_bodies(const CollisionMesh& mesh, const std::vector<char>& bodies);

/// An array of radii ends with the last vertex that has one.
inline void drop_last_zeros(std::vector<double>& radius) {
  while (!radius.empty() && radius.back() == 0) radius.pop_back();
}

inline void drop_last_zeros(std::vector<std::array<double, 3>>& shares) {
  while (!shares.empty() && shares.back() == std::array<double, 3>{}) shares.pop_back();
}

/// V = W q.
Vectors vertex_positions(const CollisionMesh& mesh, const Vectors& controls);

}  // namespace bulwark
