// The area-weighted formulation of contact: every pair counts with an area of the surfaces at rest, so that
// the sum over pairs approximates an integral over the surfaces that touch,
//
//   P = sum over pairs of  A k e b(D - xi^2)   ~   integral of  p-barrier(gap) dA,
//
// and neither gaps nor pressures depend on how finely the surfaces are meshed. b is the barrier of
// stencils/barrier.hpp, e the mollifier of edges, k the stiffness per area of the two bodies
// (ContactScales), A the area of the pair:
//
//   a_x          of a point: an equal share of the area of each face that it is a corner of (a third of each
//                triangle; of faces of elements by bodies/face_weights.hpp), of what faces one way: max over normals
//                n of  sum |F| share max(0, n_F . n), n that of one of the faces. A point at the rim of a pressed
//                face counts with its part of this face and not with the sides'. Of a point of free segments half
//                their length times their thickness 2 r; of a sphere pi r^2
//   a_F          of a face: the mean of its points' areas
//   c_e          width of an edge: for each of its faces the area over the perimeter, of what faces one way;
//                of a free segment 2 r
//
//   point, plane               a_x
//   point, face                a_x a_F / (a_x + a_F);  a_x where the point belongs to no triangle
//   edge, edge                 s (pi / 2) c_1 c_2,  s = 1/4;  1 where one is a free segment
//   lone point, lone point or free segment     (pi / 4) c_1 c_2,  with c = 2 r of a point
//   end of a free segment, free segment        a_x a_e / (a_x + a_e),  a_e the mean of its ends' areas
//
// Both surfaces' points sample the same gap. Of equal meshes each gets half, else the finer one gets more:
// a_F / (a_x + a_F) and a_x / (a_x + a_F) add up to one. So a single vertex of a coarse mesh under a fine
// one does not carry the load of its whole area. Two sets of edges of random directions that fill an area S
// cross (2 / pi) S / (c_1 c_2) times; with (pi / 2) c_1 c_2 for each crossing the areas add up to S. But where
// surfaces lie on each other their points have counted all of it, and how often edges cross goes by how the
// two meshes happen to lie: edges have a share s of it, which is by how much the sum may be more than the
// integral, and enough to hold edges that meet alone. Free segments may have no point in a
// contact, and count fully.
//
// An area is at least d-hat^2 and a width d-hat: wires and points without a radius act over this. Those of
// obstacles have no mass to be held, and take the width or the area of the other side.
#pragma once

#include <bulwark/collision/candidates.hpp>
#include <bulwark/collision/collision_mesh.hpp>

#include <vector>

namespace bulwark {

class FlatFaces;

class ContactAreas {
 public:
  /// No areas: every pair counts once.
  ContactAreas() = default;
  ContactAreas(const CollisionMesh& mesh, const FlatFaces& faces);

  bool empty() const { return vertex_.empty(); }
  /// Of a vertex at rest (m^2); 0 where nothing has an area.
  double of_vertex(int v) const { return vertex_[v]; }

  /// Areas of pairs (m^2) of two bodies with the contact distance d-hat.
  double of_pair(const PointPlaneCandidate& pair, double distance) const;
  double of_pair(const CollisionMesh& mesh, const PointTriangleCandidate& pair, double distance) const;
  double of_pair(const CollisionMesh& mesh, const EdgeEdgeCandidate& pair, double distance) const;

 private:
  std::vector<double> vertex_;     ///< m^2
  std::vector<char> of_triangle_;  ///< whether a vertex belongs to one
  std::vector<double> triangle_;   ///< m^2, of the face it belongs to
  std::vector<double> width_;      ///< per edge, m
};

}  // namespace bulwark
