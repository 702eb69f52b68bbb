// Patches: where two solids overlap, as one contact each. Pairs of triangles that overlap (stencils/triangle_overlap.hpp)
// belong to one patch where their triangles hang together, by corners, on both bodies. With the area A_k, normal n_k, depth
// d_k and volume V_k of each pair's pillar
//   n = sum A_k n_k / |sum A_k n_k|,   A = sum A_k max(0, n_k.n),   d = max d_k max(0, n_k.n),
//   point = sum V_k x_k / sum V_k,     x_k the pillar's center, half way between the two surfaces.
// Pillars stand on the faces of one of the two bodies: on those that make the patch less deep. (Chosen for each pair of
// triangles alone, pillars of both kinds would cover some of the patch twice and leave out some.)
//
// The force of a patch acts at the points of its pillars, by their parts of the volume: as a pressure that grows with
// the depth.
#pragma once

#include <bulwark/collision/triangle_pairs.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace bulwark {

/// A point of a patch. sum_i weight_i x_i is where it is on the first body, less where it is on the second.
struct PatchPoint {
  std::array<int, 6> vertex;  ///< of both triangles; -1 for those that are not needed
  std::array<double, 6> weight;
  double share;  ///< of the patch's force; they add up to 1
};

struct ContactPatch {
  int body_a = 0, body_b = 0;  ///< body_a < body_b
  Vector3 normal;              ///< from b to a
  Vector3 point;
  double area = 0, depth = 0, volume = 0;
  std::size_t first_point = 0, point_count = 0;

  /// p of an area that grows as depth^p when the bodies move together: 0 of flat faces, 1 of round ones, from
  /// V = A d/(1 + p).
  double growth() const;
};

struct ContactPatches {
  std::vector<ContactPatch> patches;  ///< by bodies
  std::vector<PatchPoint> points;
};

/// The patches of the pairs at the given positions of the mesh's vertices. Triangles that are farther behind each other
/// than the smaller of their bodies' limits (m) do not count, nor those that are farther than half of the walls behind them
/// are thick (m, by triangles; none where it is empty): that would be a wall's far side. There are no limits for planes. Pairs
/// that do not overlap change nothing of the result.
ContactPatches contact_patches(const CollisionMesh& mesh, const Vectors& positions,
                               const TrianglePairs& pairs, const std::vector<double>& depth_limit,
                               const std::vector<double>& walls = {});

}  // namespace bulwark
