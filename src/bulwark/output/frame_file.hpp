// Frames on disk: one .vtu file each, self-contained, readable by ParaView and meshio and by Bulwark itself;
// and the .pvd file that lists them with their times.
#pragma once

#include <bulwark/base/file_check.hpp>
#include <bulwark/output/frame.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace bulwark {

class FrameArrays;
struct VtuCache;

/// The bytes of a frame's .vtu file. Positions and all other numbers are stored exactly. With a cache that
/// the frame before it went through it is quicker; the bytes are the same.
std::string frame_to_vtu(const Frame& frame, VtuCache* cache);
std::string frame_to_vtu(const Frame& frame);

/// The frame of which frame_to_vtu made these bytes; `name` is that of their file. Every number of it is
/// finite, every index is one of something that is there. Throws InputError when that can't be, because the
/// file is damaged or not one of ours.
Frame frame_from_vtu(std::string_view bytes, const std::string& name);

/// The same of a file that is open.
Frame whole_frame(const FrameArrays& file);

/// The same of a file, which must lie in the folder `within` when one is given.
Frame read_frame(const std::filesystem::path& path, const std::filesystem::path& within = {});

/// The time of a frame from the head of its file alone.
double read_frame_time(const std::filesystem::path& path, const std::filesystem::path& within = {});

/// What the readers of frames check with, and complain by.
FileCheck frame_check(const std::string& file);

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
