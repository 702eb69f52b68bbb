// The joints of a frame in its file: field arrays that are there only where the scene has joints.
//   joint_names, joint_kinds   texts, each ended by a zero
//   joint_bodies               two numbers each, -1 for the world
//   joint_points, joint_axes   two vectors each, of the first and of the second body
#pragma once

#include <bulwark/base/file_check.hpp>
#include <bulwark/output/frame.hpp>
#include <bulwark/output/vtu_writer.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace bulwark {

/// The XML of the arrays, whose numbers go to `arrays`.
std::string joint_fields(const std::vector<FrameJoint>& joints, VtuArrays& arrays);

/// The joints back; `field` gives the numbers of an array, none where the frame lacks it. Fails by `check`
/// when they do not fit together or name bodies that are not there.
std::vector<FrameJoint> read_joint_fields(const std::function<std::vector<double>(std::string_view)>& field,
                                          std::size_t body_count, const FileCheck& check);

}  // namespace bulwark
