// The frames of a run folder, for the commands that read them.
#pragma once

#include <bulwark/output/frame_file.hpp>

#include <filesystem>
#include <vector>

namespace bulwark::app {

/// The frames of a run folder, or the one frame that a .vtu file is. Throws InputError when there are none.
std::vector<FrameEntry> run_frames(const std::filesystem::path& path);

/// The run folder that the frame or folder belongs to.
std::filesystem::path run_folder_of(const std::filesystem::path& path);

}  // namespace bulwark::app
