// One number at every point of a frame, to colour it by.
#pragma once

#include <bulwark/output/frame.hpp>
#include <bulwark/output/viewing/viewed_frame.hpp>

#include <vector>

namespace bulwark {

/// Empty when the frame has no such data; the von Mises stress of frames that have it per cell only is the mean of the
/// point's cells.
std::vector<float> point_field(const Frame& frame, ViewedField field);

}  // namespace bulwark
