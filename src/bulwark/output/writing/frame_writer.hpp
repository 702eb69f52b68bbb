// Frames to disk: one .vtu file each, self-contained, readable by ParaView and meshio and by Bulwark itself
// (reading/frame_reader.hpp); and the .pvd file that lists them with their times.
#pragma once

#include <bulwark/output/frame.hpp>
#include <bulwark/sim/stress_field.hpp>

#include <string>
#include <vector>

namespace bulwark {

struct VtuCache;

/// The bytes of a frame's .vtu file. Positions and all other numbers are stored exactly. With a cache that
/// the frame before it went through it is quicker; the bytes are the same.
std::string frame_to_vtu(const Frame& frame, VtuCache* cache);
std::string frame_to_vtu(const Frame& frame);

/// The bytes of a .vtu file of points, each a cell of its own.
std::string integration_points_to_vtu(const IntegrationPoints& points, std::int64_t step, double time,
                                      VtuCache* cache);

struct SeriesEntry {
  double time = 0;
  std::string file;  ///< relative to the .pvd file
};

/// The bytes of a .pvd file.
std::string series_to_pvd(const std::vector<SeriesEntry>& series);

}  // namespace bulwark
