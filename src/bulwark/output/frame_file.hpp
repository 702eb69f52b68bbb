// Frames on disk: one .vtu file each, self-contained, readable by ParaView and meshio and by Bulwark itself;
// and the .pvd file that lists them with their times.
#pragma once

#include <bulwark/output/frame.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace bulwark {

struct VtuCache;

/// The bytes of a frame's .vtu file. Positions and all other numbers are stored exactly. With a cache that
/// the frame before it went through it is quicker; the bytes are the same.
std::string frame_to_vtu(const Frame& frame, VtuCache* cache);
std::string frame_to_vtu(const Frame& frame);

/// Reads a frame that frame_to_vtu wrote. Throws InputError when the file is damaged or not one of ours.
Frame read_frame(const std::filesystem::path& path);

/// The time of a frame from the head of its file alone.
double read_frame_time(const std::filesystem::path& path);

/// frame_000120.vtu is the frame after step 120.
std::string frame_file_name(std::int64_t step);

struct FrameEntry {
  std::int64_t step = 0;
  std::filesystem::path path;
};

/// The finished frames in a folder, by step.
std::vector<FrameEntry> list_frames(const std::filesystem::path& folder);

struct SeriesEntry {
  double time = 0;
  std::string file;  ///< relative to the .pvd file
};

/// The bytes of a .pvd file.
std::string series_to_pvd(const std::vector<SeriesEntry>& series);

}  // namespace bulwark
