// A body as a rigid-ipc file describes it, with that program's defaults filled in.
#pragma once

#include <bulwark/scene/rigid_ipc_object.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace bulwark {

/// A vertex X of the mesh starts at x = position + Rz Ry Rx (scale X): `position` is where the mesh's origin
/// goes, not the center of mass, and the turns are about the world's axes, x first.
struct RigidIpcBody {
  enum class Type { still, kinematic, dynamic };
  struct Pose {
    Vector3 position = Vector3::Zero();  ///< of the center of mass
    Vector3 rotation = Vector3::Zero();  ///< rotation vector, radians
  };

  std::string path;  ///< JSON pointer of the body
  std::string mesh;  ///< as written in the file
  Type type = Type::dynamic;
  Vector3 position = Vector3::Zero();
  Vector3 euler_degrees = Vector3::Zero();
  Vector3 scale = Vector3::Ones();    ///< a negative factor mirrors
  std::optional<Vector3> dimensions;  ///< sides of the scaled mesh's box, instead of `scale`
  double density = 1000;              ///< kg/m^3
  Vector3 velocity = Vector3::Zero();
  Vector3 angular_velocity_degrees = Vector3::Zero();  ///< per second, world axes
  Vector3 force = Vector3::Zero();                     ///< N
  Vector3 torque = Vector3::Zero();                    ///< N m, world axes
  std::array<bool, 6> fixed = {};                      ///< translations, then rotations
  int group = -1;
  bool split_components = false;
  double kinematic_max_time = -1;     ///< s; negative: no end
  std::vector<Pose> kinematic_poses;  ///< one for each time step; the velocities follow after the last
};

/// Reads /rigid_body_problem/rigid_bodies/N; nothing for a body that is not enabled. Throws IssueFound.
std::optional<RigidIpcBody> read_rigid_ipc_body(const Json& json, const std::string& path,
                                                ImportWarnings& warnings);

}  // namespace bulwark
