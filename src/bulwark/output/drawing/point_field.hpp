// One number at every point of a frame, to colour it by.
#pragma once

#include <bulwark/output/frame.hpp>
#include <bulwark/output/viewing/viewed_frame.hpp>

#include <vector>

namespace bulwark {

/// |velocity| in m/s; the mean von Mises stress of the point's cells in Pa; |contact force| in N. Empty when
/// the frame has no such data.
std::vector<float> point_field(const Frame& frame, ViewedField field);

/// "m/s", "Pa" or "N".
std::string_view field_unit(ViewedField field);

}  // namespace bulwark
