// A choice of points by place or number: which part of a body is held, moved or loaded.
#pragma once

#include <bulwark/math/types.hpp>

#include <variant>
#include <vector>

namespace bulwark {

struct SelectAll {};
struct SelectBox {
  Vector3 lower, upper;
};
struct SelectSphere {
  Vector3 center;
  double radius;
};
/// The side that the normal points to, the plane itself included.
struct SelectHalfSpace {
  Vector3 point, normal;
};
struct SelectNodes {
  std::vector<int> nodes;
};

using Selection = std::variant<SelectAll, SelectBox, SelectSphere, SelectHalfSpace, SelectNodes>;

/// Indices of the chosen columns of `points`, ascending. Boundaries count as inside, with a relative slack of
/// 1e-9 of the points' extent, so that a face picked by its own coordinate is picked whole.
std::vector<int> select(const Selection& selection, const Vectors& points);

}  // namespace bulwark
