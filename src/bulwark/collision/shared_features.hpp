// The edges and corners that the faces near one point have in common: what has to be taken off so that a
// point counts a surface once, not once for each face that it is near to.
//
// With b(d) a decreasing function of the distance and A_F the weights of the faces near a point x,
//
//   sum_F A_F b(d(x, F))  -  sum_e A_e b(d(x, e))  +  sum_v A_v b(d(x, v)),
//   A_e = sum of A_F over the faces F at e, less the largest of them,
//   A_v = the largest A_F of the faces at v, less their sum, plus the sum of A_e over the edges e at v,
//
// is the weight of the nearest face times b on a flat or convex surface. For two faces at an edge A_e is the
// smaller weight, for a closed ring of equal faces around a corner A_v is one of them.
//
// Where x comes to touch the surface the sum grows beyond bounds, as the barrier of a single face does: what
// vanishes there are the distances to the faces, edges and corners around one point y of the surface, and
// their weights add up to the largest A_F: A_F in a face; sum A_F - A_e at an edge; at a corner
// sum A_F - sum A_e + A_v. The barrier goes to infinity like the logarithm of one over the distance, so that
// sum counts. Farther away, let chi(r) be the Euler characteristic of the part of the surface within r of x:
// for equal weights the sum is A times the integral of -b'(r) chi(r). Within reach of no more than one corner
// chi is that of discs and at most one ring, so it is never negative, and it is 1 for the smallest r.
//
// In valleys an edge keeps a negative weight beside the two faces' positive ones, which are nearer.
#pragma once

#include <bulwark/geometry/mesh.hpp>

#include <span>
#include <vector>

namespace bulwark {

/// A triangle within reach of the point.
struct NearFace {
  Triangle corners;
  int face;       ///< triangles of one face count as one
  double weight;  ///< A_F, m^2
  double offset;  ///< m, of the point and the triangle
};

/// An edge, or a corner as an edge with both ends in it.
struct SharedFeature {
  Edge edge;
  double weight;  ///< -A_e or A_v, m^2; not zero
  double offset;  ///< the smallest of its faces', so that what is taken off is never more than they are
};

/// Edges first, then corners; in ascending order. Complete for features within reach: all faces of such a
/// feature are within reach too.
std::vector<SharedFeature> shared_features(std::span<const NearFace> faces);

}  // namespace bulwark
