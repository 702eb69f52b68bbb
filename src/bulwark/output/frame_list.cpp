#include <bulwark/output/frame_list.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace bulwark {

std::string frame_file_name(std::int64_t step) {
  return fmt::format("frame_{:06}.vtu", step);
}

std::string points_file_name(std::int64_t step) {
  return fmt::format("points_{:06}.vtu", step);
}

std::vector<FrameEntry> list_frames(const std::filesystem::path& folder) {
  std::vector<FrameEntry> frames;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    constexpr std::string_view prefix = "frame_";
    std::int64_t step = 0;
    if (!name.starts_with(prefix)) continue;
    std::from_chars(name.data() + prefix.size(), name.data() + name.size(), step);
    if (step >= 0 && name == frame_file_name(step)) frames.push_back({step, entry.path()});
  }
  std::sort(frames.begin(), frames.end(), [](const auto& a, const auto& b) { return a.step < b.step; });
  return frames;
}

}  // namespace bulwark
