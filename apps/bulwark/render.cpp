#include "commands.hpp"

#include <bulwark/base/error.hpp>
#include <bulwark/output/atomic_file.hpp>
#include <bulwark/output/frame_file.hpp>
#include <bulwark/output/picture.hpp>

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

namespace bulwark::app {
namespace {

struct Size {
  int width = 0, height = 0;
};

Size parse_size(const std::string& text) {
  constexpr int largest = 16384;
  Size size;
  const char* end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, size.width);
  const bool has_cross = width.ec == std::errc() && width.ptr != end && *width.ptr == 'x';
  const auto height = has_cross ? std::from_chars(width.ptr + 1, end, size.height) : width;
  if (!has_cross || height.ec != std::errc() || height.ptr != end || size.width < 1 || size.height < 1 ||
      size.width > largest || size.height > largest) {
    throw InputError("--size " + text,
                     fmt::format("the size is two whole numbers from 1 to {}, as 1280x720", largest));
  }
  return size;
}

std::filesystem::path frame_to_show(const RenderOptions& options) {
  const std::filesystem::path path = options.folder;
  if (std::filesystem::is_regular_file(path)) return path;
  const std::vector<FrameEntry> frames = list_frames(path / "frames");
  if (frames.empty()) {
    throw InputError(options.folder, "this folder holds no frames (frames/frame_*.vtu)",
                     "give the folder that `bulwark run -o` wrote");
  }
  if (!options.frame) return frames.back().path;
  for (const FrameEntry& frame : frames) {
    if (frame.step == *options.frame) return frame.path;
  }
  throw InputError(fmt::format("--frame {}", *options.frame),
                   fmt::format("there is no frame of that step; they go from {} to {}", frames.front().step,
                               frames.back().step));
}

}  // namespace

int render(const RenderOptions& options) {
  const Size size = parse_size(options.size);
  const std::filesystem::path path = frame_to_show(options);
  const Frame frame = read_frame(path);
  const Camera camera = camera_for(frame, static_cast<double>(size.width) / size.height);
  write_file_atomically(options.picture, picture_to_png(draw_frame(frame, camera, size.width, size.height)));
  fmt::print("{}: {} at t = {:.4g} s\n", options.picture, path.string(), frame.time);
  return 0;
}

}  // namespace bulwark::app
