// The path of all vertices of the collision mesh during one step: each moves straight, and with its body about
// the body's center where that turns.
//   x(t) = x + t p + (exp(t [w]) - I) (x - center),   t in [0, 1]
#pragma once

#include <bulwark/collision/body_path.hpp>
#include <bulwark/collision/collision_mesh.hpp>

#include <vector>

namespace bulwark {

struct VertexPath {
  Vectors from;
  Vectors straight;  ///< p
  std::vector<BodyPath> turns;
  std::vector<int> turn_of_body;  ///< per body of the mesh: index into turns, or -1; empty when nothing turns

  const BodyPath* turn_of(const CollisionMesh& mesh, int vertex) const {
    if (turn_of_body.empty()) return nullptr;
    const int turn = turn_of_body[mesh.vertex_body[vertex]];
    return turn < 0 ? nullptr : &turns[turn];
  }
  Vectors at(const CollisionMesh& mesh, double t) const;
  /// The first part of the path.
  VertexPath part(double t) const;
  /// The same path from its end, which the caller has computed, to its start.
  VertexPath reversed(const Vectors& end) const;
  /// A path of straight lines.
  static VertexPath line(const Vectors& from, const Vectors& to) { return {from, to - from, {}, {}}; }
};

}  // namespace bulwark
