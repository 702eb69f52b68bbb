// Whole frames back from their files.
#pragma once

#include <bulwark/output/frame.hpp>
#include <bulwark/output/reading/frame_arrays.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace bulwark {

/// The frame of a file that is open. Every number of it is finite, every index is one of something that is
/// there. Throws InputError when that can't be, because the file is damaged or not one of ours.
Frame whole_frame(const FrameArrays& file);

/// The same of the bytes that frame_to_vtu made; `name` is that of their file.
Frame frame_from_vtu(std::string_view bytes, const std::string& name);

/// The same of a file, which must lie in the folder `within` when one is given.
Frame read_frame(const std::filesystem::path& path, const std::filesystem::path& within = {});

/// The time of a frame from the head of its file alone.
double read_frame_time(const std::filesystem::path& path, const std::filesystem::path& within = {});

}  // namespace bulwark
