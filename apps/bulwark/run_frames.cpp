#include "run_frames.hpp"

#include <bulwark/base/error.hpp>

#include <fmt/format.h>

namespace bulwark::app {

std::vector<FrameEntry> run_frames(const std::filesystem::path& path) {
  if (std::filesystem::is_regular_file(path)) return {{0, path}};
  if (!std::filesystem::is_directory(path)) {
    throw InputError(path.string(), "there is no such run folder",
                     "give the folder that `bulwark run -o` wrote");
  }
  std::vector<FrameEntry> frames = list_frames(path / "frames");
  if (frames.empty()) {
    throw InputError(path.string(), "this folder holds no frames (frames/frame_*.vtu)",
                     "give the folder that `bulwark run -o` wrote");
  }
  return frames;
}

FrameEntry frame_of_step(const std::vector<FrameEntry>& frames, std::optional<long> step) {
  if (!step) return frames.back();
  for (const FrameEntry& frame : frames) {
    if (frame.step == *step) return frame;
  }
  throw InputError(fmt::format("--frame {}", *step),
                   fmt::format("there is no frame of that step; they go from {} to {}", frames.front().step,
                               frames.back().step));
}

std::filesystem::path run_folder_of(const std::filesystem::path& path) {
  if (!std::filesystem::is_regular_file(path)) return path;
  return std::filesystem::absolute(path).parent_path().parent_path();
}

}  // namespace bulwark::app
