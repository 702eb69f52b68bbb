// The joints of a frame back from its file: the arrays that writing/joint_writer.hpp describes.
#pragma once

#include <bulwark/base/file_check.hpp>
#include <bulwark/output/frame.hpp>

#include <functional>
#include <string_view>
#include <vector>

namespace bulwark {

/// The joints back; `field` gives the numbers of an array, none where the frame lacks it. Fails by `check`
/// when they do not fit together or name bodies that are not there.
std::vector<FrameJoint> read_joint_fields(const std::function<std::vector<double>(std::string_view)>& field,
                                          std::size_t body_count, const FileCheck& check);

}  // namespace bulwark
