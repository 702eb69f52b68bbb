// The eye of a picture: a perspective camera that looks at a point.
#pragma once

#include <bulwark/math/types.hpp>

namespace bulwark {

struct Camera {
  Vector3 eye = Vector3::Zero();
  Vector3 right = Vector3::UnitX(), up = Vector3::UnitY(), forward = -Vector3::UnitZ();
  double tangent = 0.35;  ///< of half the vertical field of view

  /// (right, up, depth) of a point as the camera sees it.
  Vector3 see(const Vector3& point) const {
    const Vector3 d = point - eye;
    return {d.dot(right), d.dot(up), d.dot(forward)};
  }
};

/// A camera that sees all `points` from the front, the right and above, as close as they allow; from the
/// front alone where all of them lie in the plane z = 0. `aspect` is width over height; `up` is the unit vector that points up in the picture.
Camera fit_camera(const Vectors& points, double aspect, const Vector3& up = Vector3::UnitY());

/// A camera at `position` that has `target` in the middle of the picture. The field of view is the vertical
/// one. Where the view is along `up`, another direction serves as up.
Camera look_at(const Vector3& position, const Vector3& target, double field_of_view_degrees,
               const Vector3& up = Vector3::UnitY());

}  // namespace bulwark
