// One frame as a viewer draws it: the places of the surface's vertices, and at wish one quantity to colour
// them by.
#pragma once

#include <bulwark/output/reading/frame_arrays.hpp>
#include <bulwark/output/viewing/viewed_field.hpp>
#include <bulwark/output/viewing/viewed_surface.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace bulwark {

/// Whether the frame holds what the field is made from.
bool has_field(const FrameArrays& frame, ViewedField field);

/// x, y, z of every vertex.
std::vector<float> vertex_positions(const FrameArrays& frame, const ViewedSurface& surface);

/// The field at every vertex, 0 on obstacles that have none; the von Mises stress of frames that have it per cell only is
/// the mean of the vertex's cells. Empty when the frame has no such data.
std::vector<float> vertex_field(const FrameArrays& frame, const ViewedSurface& surface, ViewedField field);

/// Where a field's colour scale should end: the sizes of a few of the values that are not zero are beyond. 0 when all
/// are zero.
float scale_end(ViewedField field, std::vector<float> values);

/// Bytes for the browser, little-endian: "BWF1", counts of vertices and of values, 0, the topology (8 bytes),
/// the time (a double), then positions and values as floats.
std::string pack_frame(std::uint64_t topology, double time, const std::vector<float>& positions,
                       const std::vector<float>& values);

}  // namespace bulwark
