// One frame as a viewer draws it: the places of the surface's vertices, and at wish one quantity to colour
// them by.
#pragma once

#include <bulwark/output/reading/frame_arrays.hpp>
#include <bulwark/output/viewing/viewed_surface.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bulwark {

enum class ViewedField { speed, von_mises_stress, contact_force, contact_pressure };
inline constexpr std::array viewed_fields = {ViewedField::speed, ViewedField::von_mises_stress,
                                             ViewedField::contact_force, ViewedField::contact_pressure};

std::string_view field_name(ViewedField field);
std::optional<ViewedField> field_by_name(std::string_view name);

/// Whether the frame holds what the field is made from.
bool has_field(const FrameArrays& frame, ViewedField field);

/// x, y, z of every vertex.
std::vector<float> vertex_positions(const FrameArrays& frame, const ViewedSurface& surface);

/// The field at every vertex: |velocity| in m/s; the von Mises stress in Pa (0 on obstacles), of frames that have it
/// per cell only the mean of the vertex's cells; |contact force| in N; contact pressure in Pa. Empty when the frame has no such data.
std::vector<float> vertex_field(const FrameArrays& frame, const ViewedSurface& surface, ViewedField field);

/// Where a field's colour scale should end: a few of the vertices at which the field is not zero are beyond.
/// 0 when it is zero everywhere.
float scale_end(ViewedField field, std::vector<float> values);

/// Bytes for the browser, little-endian: "BWF1", counts of vertices and of values, 0, the topology (8 bytes),
/// the time (a double), then positions and values as floats.
std::string pack_frame(std::uint64_t topology, double time, const std::vector<float>& positions,
                       const std::vector<float>& values);

}  // namespace bulwark
