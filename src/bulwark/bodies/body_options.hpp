// What can be said of a body of any kind when it is made.
#pragma once

#include <bulwark/bodies/given_mass.hpp>
#include <bulwark/geometry/pose.hpp>

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
  std::optional<double> restitution_damping;  ///< s
  bool collides = true;
  bool self_contact = true;
  int group = -1;
};

}  // namespace bulwark
