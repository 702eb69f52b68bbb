// What a surface with a radius is: a sphere or a capsule. Engines that have these shapes get them from here.
#pragma once

#include <bulwark/geometry/mesh.hpp>

#include <optional>
#include <string>

namespace bulwark::app {

struct RoundForm {
  double radius = 0;
  Vector3 half_length = Vector3::Zero();  ///< of a capsule: from its center to the center of one end

  bool is_sphere() const { return half_length.isZero(0); }
};

/// The form of a surface with radii about its center; none where it has no radius. Throws InputError that names
/// the body where it is neither one sphere nor one capsule, or its center is elsewhere.
std::optional<RoundForm> round_form(const SurfaceMesh& surface, const Vector3& center,
                                    const std::string& body_name);

}  // namespace bulwark::app
