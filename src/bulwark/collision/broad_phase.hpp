// Finding every pair of primitives whose boxes overlap.
#pragma once

#include <bulwark/collision/candidates.hpp>
#include <bulwark/collision/collision_mesh.hpp>

#include <limits>
#include <memory>
#include <string>

namespace bulwark {

/// Axis-aligned box of each vertex over a motion: column v of lower/upper.
struct VertexBoxes {
  Vectors lower, upper;
};

/// Boxes around the straight paths start -> end, grown by `inflation` on all sides.
VertexBoxes swept_boxes(const Vectors& start, const Vectors& end, double inflation);

/// Grows the boxes of vertices by their radii: boxes around the solids.
void grow_by_radii(const CollisionMesh& mesh, VertexBoxes& boxes);

/// Boxes around the vertices of each body of the mesh: column b. Empty bodies have lower > upper.
VertexBoxes body_boxes(const CollisionMesh& mesh, const VertexBoxes& boxes);
VertexBoxes body_boxes(const CollisionMesh& mesh, const Vectors& positions);
/// The same around the bodies' solids, their radii included.
VertexBoxes solid_boxes(const CollisionMesh& mesh, const VertexBoxes& boxes);

/// Whether boxes a and b are farther apart than `distance` along an axis.
inline bool boxes_apart(const VertexBoxes& boxes, int a, int b, double distance) {
  for (int i = 0; i < 3; ++i) {
    if (boxes.lower(i, a) - boxes.upper(i, b) > distance || boxes.lower(i, b) - boxes.upper(i, a) > distance)
      return true;
  }
  return false;
}

class BroadPhase {
 public:
  virtual ~BroadPhase() = default;
  /// All point-triangle, edge-edge and point-plane pairs that may collide by the mesh's rules, do not share a
  /// vertex, and whose boxes (the union of their vertices' boxes, which have the radii in them) overlap; in
  /// groups of two bodies. A point
  /// is paired with a plane when its box reaches the plane's side at some point of the plane vertex's box.
  /// With more than `limit` pairs of a kind the search ends, and the result says that it is not complete:
  /// memory stays bounded.
  Candidates find(const CollisionMesh& mesh, const VertexBoxes& boxes,
                  std::size_t limit = std::numeric_limits<std::size_t>::max());
  /// The same, given what was found when only the flagged bodies had other boxes.
  virtual Candidates update(const CollisionMesh& mesh, const VertexBoxes& boxes,
                            const std::vector<char>& /*changed*/, const Candidates& /*earlier*/,
                            std::size_t limit) {
    return find(mesh, boxes, limit);
  }

 private:
  /// The same, sorted or already in groups.
  virtual Candidates find_pairs(const CollisionMesh& mesh, const VertexBoxes& boxes, std::size_t limit) = 0;
};

/// A bounding-volume hierarchy over triangles and edges.
std::unique_ptr<BroadPhase> make_bvh();
/// Bodies first: only primitives in the common part of two bodies' boxes are looked at.
std::unique_ptr<BroadPhase> make_body_boxes();
/// Measures both on the first calls, and now and then again, and goes on with the faster. They give the same
/// answer, so the choice shows in the time alone.
std::unique_ptr<BroadPhase> make_measured_broad_phase();
/// By the scene file's name: "bvh", "body-boxes", or "auto" for the measured one.
std::unique_ptr<BroadPhase> make_broad_phase(const std::string& name);

}  // namespace bulwark
