// Where the links of a robot are: forward kinematics from the joints' values (rad or m),
//   T_child = T_parent * origin * motion(value),   motion: a turn about, or a shift along, the joint's axis.
#pragma once

#include <bulwark/scene/urdf_model.hpp>

#include <map>
#include <string>
#include <vector>

namespace bulwark {

/// The value of each joint at the start: what `given` says by name; else 0, or what the joint that it mimics
/// says. A joint whose limits leave 0 out, or have it as their end, begins inside them, where they do not
/// push yet; what was moved is told in `notes`. Throws InputError for a name that is not there and a value
/// that is not inside the limits.
std::vector<double> start_values(const UrdfRobot& robot, const std::map<std::string, double>& given,
                                 std::vector<std::string>& notes);

/// The frame of each link when the root's is the identity.
std::vector<Frame3> link_frames(const UrdfRobot& robot, const std::vector<double>& values);

}  // namespace bulwark
