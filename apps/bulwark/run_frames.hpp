// The frames of a run folder, for the commands that read them.
#pragma once

#include <bulwark/output/frame_list.hpp>

#include <filesystem>
#include <optional>
#include <vector>

namespace bulwark::app {

/// The frames of a run folder, or the one frame that a .vtu file is. Throws InputError when there are none.
std::vector<FrameEntry> run_frames(const std::filesystem::path& path);

/// The frame after that step; the last one when no step is asked for. Throws InputError when there is none.
FrameEntry frame_of_step(const std::vector<FrameEntry>& frames, std::optional<long> step);

/// The run folder that the frame or folder belongs to.
std::filesystem::path run_folder_of(const std::filesystem::path& path);

}  // namespace bulwark::app
