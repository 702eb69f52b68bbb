// The names of frames' files, and those that a folder holds.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace bulwark {

/// frame_000120.vtu is the frame after step 120.
std::string frame_file_name(std::int64_t step);
/// points_000120.vtu has the integration points beside that frame.
std::string points_file_name(std::int64_t step);

struct FrameEntry {
  std::int64_t step = 0;
  std::filesystem::path path;
};

/// The finished frames in a folder, by step.
std::vector<FrameEntry> list_frames(const std::filesystem::path& folder);

}  // namespace bulwark
