// How far an element of any kind can move along a straight line before too little of its volume is left anywhere in it,
// not at integration points alone. The determinant of its map, det dx/dxi, is a polynomial of the parent coordinates
// and a cubic of the step t. Its coefficients in Bernstein's basis bound it from below, so that
//   all coefficients of  det(xi, t) - keep det(xi, 0)  at least 0 on [0, t]
// proves the step t. Where that is too careful the element is cut in two, and the parts are looked at.
#pragma once

#include <bulwark/bodies/element_geometry.hpp>

namespace bulwark {

/// A step t in [0, 1] such that on [0, t] every point of the element keeps at least `keep` of its start volume.
/// x and p are its controls and their displacements.
double largest_positive_step(const ElementGeometry& geometry, const Vectors& x, const Vectors& p,
                             double keep);

/// Whether the element's map is proven to be positive everywhere.
bool is_positive(const ElementGeometry& geometry);

}  // namespace bulwark
