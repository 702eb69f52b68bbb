// A robot as its URDF file describes it: links with mass and collision shapes, and the joints that make a
// tree of them. Everything is in the file's own axes and units (m, kg, rad). import_urdf.hpp makes a scene of
// it.
#pragma once

#include <bulwark/math/types.hpp>

#include <Eigen/Geometry>
#include <optional>
#include <string>
#include <vector>

namespace bulwark {

using Frame3 = Eigen::Isometry3d;

struct UrdfShape {
  enum class Kind { box, cylinder, sphere, capsule, mesh };
  Kind kind = Kind::box;
  int line = 0;
  Frame3 origin = Frame3::Identity();  ///< in the link
  Vector3 sides = Vector3::Zero();     ///< of a box
  double radius = 0, length = 0;       ///< of a sphere, cylinder (along z) or capsule (without its ends)
  std::string file;                    ///< of a mesh, as it is written
  Vector3 scale = Vector3::Ones();     ///< of a mesh
};

struct UrdfInertial {
  int line = 0;
  double mass = 0;
  Vector3 center = Vector3::Zero();   ///< in the link
  Matrix3 inertia = Matrix3::Zero();  ///< about the center, in the link's axes
};

struct UrdfLink {
  std::string name;
  int line = 0;
  std::optional<UrdfInertial> inertial;
  std::vector<UrdfShape> collision;
  bool has_visual = false;
};

struct UrdfLimit {
  double lower = 0, upper = 0, effort = 0, velocity = 0;
};

struct UrdfMimic {
  std::string joint;
  double multiplier = 1, offset = 0;
};

struct UrdfJoint {
  enum class Type { revolute, continuous, prismatic, fixed, floating, planar };
  std::string name;
  Type type = Type::fixed;
  int line = 0;
  int parent = 0, child = 0;           ///< links
  Frame3 origin = Frame3::Identity();  ///< of the child in the parent, at the value 0
  Vector3 axis = Vector3::UnitX();     ///< in the child, of length 1
  std::optional<UrdfLimit> limit;      ///< of revolute and prismatic joints always there
  double damping = 0, friction = 0;
  std::optional<UrdfMimic> mimic;

  bool turns() const { return type == Type::revolute || type == Type::continuous; }
  bool slides() const { return type == Type::prismatic; }
};

struct UrdfRobot {
  std::string name;
  std::vector<UrdfLink> links;
  std::vector<UrdfJoint> joints;      ///< parents before children
  int root = 0;                       ///< link
  std::vector<std::string> warnings;  ///< "FILE:LINE: element: what is not carried over"
};

/// Reads the text of a URDF file. Throws InputError that names file, line, element and remedy for what is no
/// tree of links or can't be read, and for xacro.
UrdfRobot read_urdf(const std::string& text, const std::string& name);

}  // namespace bulwark
