// How to part two surfaces that touch or pass through each other: the shortest translation among some
// directions that takes one clear of the other. For messages; no solver depends on it.
//
// Two triangles, one of which moves along d, are within a margin m of each other during one interval of the
// way t at the most: on every axis n, [min a + t n.d, max a + t n.d] must come within m of [min b, max b].
// The way is the first t >= 0 that no pair's interval covers, and at which no surface is inside of the other.
#pragma once

#include <bulwark/math/types.hpp>

#include <array>
#include <vector>

namespace bulwark {

/// A body's surface. Segments and points are triangles with equal corners.
struct LooseSurface {
  std::vector<std::array<Vector3, 3>> pieces;
  bool closed = false;  ///< encloses a volume, which nothing is to be moved into
};

struct Parting {
  Vector3 direction = Vector3::UnitY();  ///< of unit length
  double way = 0;                        ///< m
  bool exact = true;  ///< false: there was too much to look at, and the way is that of the convex hulls
};

/// How `moving` gets farther than `margin` from `other`. The directions need not have unit length; those of
/// none are left out. Of equally short ways, that of the first direction counts.
Parting find_parting(const LooseSurface& moving, const LooseSurface& other,
                     const std::vector<Vector3>& directions, double margin);

}  // namespace bulwark
