// A video that is written picture by picture, by ffmpeg at the other end of a pipe.
#pragma once

#include <bulwark/output/drawing/png.hpp>

#include <sys/types.h>

#include <filesystem>

namespace bulwark::app {

/// Whether the name ends as one of a video: .mp4, .webm or .gif.
bool is_video_name(const std::filesystem::path& file);

class VideoFile {
 public:
  /// Throws InputError when there is no ffmpeg on this machine.
  VideoFile(std::filesystem::path file, int width, int height, double frames_per_second);
  /// Without finish(), nothing stays of the file.
  ~VideoFile();
  VideoFile(const VideoFile&) = delete;
  VideoFile& operator=(const VideoFile&) = delete;

  void add(const Picture& picture);
  /// Returns when the video is complete and has its name. Throws OutputError when ffmpeg failed.
  void finish();

 private:
  void end_input();
  [[noreturn]] void fail();

  std::filesystem::path file_, partial_;
  int pipe_ = -1;
  pid_t process_ = 0;
};

}  // namespace bulwark::app
