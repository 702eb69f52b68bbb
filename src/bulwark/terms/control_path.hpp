// The path of the controls during one Newton step: straight, but for the columns of stiff bodies' A, which
// turn with the body.
//   q(t) = from + t step,   t in [0, 1];      A(t) = exp(t [w]) A + t (dA - [w] A),   dA = step.
// A straight step of A would stretch the body in second order, which a stiff energy does not forgive; on this
// path only what is meant as a stretch is one.
#pragma once

#include <bulwark/math/types.hpp>

#include <vector>

namespace bulwark {

/// The rotation of a stiff body along a path.
struct Turn {
  int body = 0;                        ///< of the collision mesh
  int first_control = 0;               ///< p; the columns of A follow
  Vector3 rotation = Vector3::Zero();  ///< w
};

struct ControlPath {
  Vectors from;
  Vectors step;  ///< to first order
  std::vector<Turn> turns;

  Vectors at(double t) const;
  /// The first part of the path, up to t.
  ControlPath part(double t) const;
};

}  // namespace bulwark
