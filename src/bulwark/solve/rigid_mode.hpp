// How rigid motions move the unknowns of a system: what elastic bodies resist least, and what the coarse levels of a
// preconditioner must therefore know.
#pragma once

#include <bulwark/math/types.hpp>

namespace bulwark {

/// Of one unknown 3-vector: a motion of everything by t + w x X moves it by  translation t + w x arm + rotation w.
/// A point has (1, its place, 0), a direction (0, itself, 0), the rotation vector of a rigid body (0, 0, 1), and what no
/// rigid motion changes (0, 0, 0).
struct RigidMode {
  double translation = 1;
  Vector3 arm = Vector3::Zero();
  double rotation = 0;
};

}  // namespace bulwark
