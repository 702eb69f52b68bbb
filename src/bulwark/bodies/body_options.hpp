// What can be said of a body of any kind when it is made.
#pragma once

#include <bulwark/bodies/given_mass.hpp>
#include <bulwark/geometry/mesh.hpp>
#include <bulwark/geometry/pose.hpp>

#include <memory>
#include <optional>
#include <string>

namespace bulwark {

struct BodyOptions {
  std::string name;
  Pose pose;
  Vector3 velocity = Vector3::Zero();
  Vector3 angular_velocity = Vector3::Zero();  ///< rad/s, about the center of mass
  std::optional<GivenMass> mass;               ///< of stiff bodies; by default from shape and density
  std::optional<double> friction;
  std::optional<double> restitution_damping;   ///< s
  std::optional<double> hydroelastic_modulus;  ///< Pa
  double rolling_resistance = 0;               ///< m: torque against rolling, per newton of normal force
  double spinning_resistance = 0;              ///< m: the same against turning about the contact's normal
  /// m: the solid reaches this far around the surface, or the middle surface or line. By default that of the
  /// mesh, half the thickness of a shell, the radius of a rod.
  std::optional<double> offset;
  std::shared_ptr<const SurfaceMesh>
      skin;  ///< of stiff bodies with radii, before the pose; made where absent
  /// m: of a body of a scene in the plane z = 0, how far it reaches along z (planar_layout.hpp).
  std::optional<double> plane_thickness;
  bool collides = true;
  bool self_contact = true;
  int group = -1;
};

}  // namespace bulwark
