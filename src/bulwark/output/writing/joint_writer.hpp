// The joints of a frame in its file: field arrays that are there only where the scene has joints.
//   joint_names, joint_kinds   texts, each ended by a zero
//   joint_bodies               two numbers each, -1 for the world
//   joint_points, joint_axes   two vectors each, of the first and of the second body
#pragma once

#include <bulwark/output/frame.hpp>
#include <bulwark/output/writing/vtu_writer.hpp>

#include <string>
#include <vector>

namespace bulwark {

/// The XML of the arrays, whose numbers go to `arrays`.
std::string joint_fields(const std::vector<FrameJoint>& joints, VtuArrays& arrays);

}  // namespace bulwark
