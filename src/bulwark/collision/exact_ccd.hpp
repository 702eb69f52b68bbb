// The oracle of continuous collision detection: whether, and when first, two moving primitives touch, in
// exact arithmetic on the values of doubles. Slow; the tests judge by it, and recorded queries get their
// truth from it. It shares no code with the CCD methods.
//
// Along straight paths every geometric condition is a polynomial in t with integer coefficients (coordinates
// are scaled by a power of two). A pair of features touches at t when a few of them are zero, not negative or
// positive. Their roots are isolated by Sturm sequences, and the other conditions' signs at a root follow
// from common divisors and interval refinement; nothing is rounded.
#pragma once

#include <bulwark/math/types.hpp>

#include <array>

namespace bulwark::exact {

struct Impact {
  bool hit = false;
  double not_before = 0, not_after = 0;  ///< bracket of the first time, a few 1e-17 wide
};

/// Whether the point x0 comes to the closed triangle x1 x2 x3, or within `minimum_distance` (Euclidean) of
/// it, for a t in [0, 1] on straight paths from start to end. Coordinates must be finite.
Impact point_triangle_impact(const std::array<Vector3, 4>& start, const std::array<Vector3, 4>& end,
                             double minimum_distance = 0);

/// The same for the edges x0 x1 and x2 x3.
Impact edge_edge_impact(const std::array<Vector3, 4>& start, const std::array<Vector3, 4>& end,
                        double minimum_distance = 0);

}  // namespace bulwark::exact
