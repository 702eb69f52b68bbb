#include "video_file.hpp"

#include "programs.hpp"

#include <bulwark/base/error.hpp>
#include <bulwark/output/writing/atomic_file.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <utility>
#include <vector>

namespace bulwark::app {
namespace {

/// What ffmpeg is told of the video, by the end of its name.
std::vector<std::string> encoder(const std::string& extension) {
  // Even numbers of rows and columns, as the colour format of videos wants them.
  const std::string even = "pad=ceil(iw/2)*2:ceil(ih/2)*2";
  if (extension == ".gif") {
    return {"-vf", "split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=bayer", "-f", "gif"};
  }
  if (extension == ".webm") {
    return {"-vf",  even, "-c:v",     "libvpx-vp9", "-crf", "30",
            "-b:v", "0",  "-pix_fmt", "yuv420p",    "-f",   "webm"};
  }
  return {"-vf",      even,      "-c:v",      "libx264",    "-crf", "18",
          "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f",   "mp4"};
}

}  // namespace

bool is_video_name(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  return extension == ".mp4" || extension == ".webm" || extension == ".gif";
}

VideoFile::VideoFile(std::filesystem::path file, int width, int height, double frames_per_second)
    : file_(std::move(file)), partial_(file_.string() + std::string(partial_suffix)) {
  const auto program = find_program("ffmpeg");
  if (!program) {
    throw InputError(file_.string(), "videos need the program ffmpeg, which is not installed",
                     "install the package `ffmpeg` (sudo apt install ffmpeg), or write numbered pictures: "
                     "-o pictures/%04d.png");
  }
  std::vector<std::string> arguments = {"ffmpeg",
                                        "-y",
                                        "-nostdin",
                                        "-loglevel",
                                        "error",
                                        "-f",
                                        "rawvideo",
                                        "-pix_fmt",
                                        "rgb24",
                                        "-s",
                                        fmt::format("{}x{}", width, height),
                                        "-r",
                                        fmt::format("{}", frames_per_second),
                                        "-i",
                                        "-"};
  for (const std::string& argument : encoder(file_.extension().string())) arguments.push_back(argument);
  arguments.push_back(partial_.string());
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);

  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw OutputError(file_.string() + ": " + std::strerror(errno));
  process_ = fork();
  if (process_ == 0) {
    dup2(ends[0], STDIN_FILENO);
    execv(program->c_str(), pointers.data());
    _exit(127);
  }
  close(ends[0]);
  pipe_ = ends[1];
  std::signal(SIGPIPE, SIG_IGN);  // an ffmpeg that gave up is seen by write()
}

VideoFile::~VideoFile() {
  if (process_ <= 0) return;
  kill(process_, SIGKILL);
  end_input();
  waitpid(process_, nullptr, 0);
  std::error_code error;
  std::filesystem::remove(partial_, error);
}

void VideoFile::end_input() {
  if (pipe_ >= 0) close(std::exchange(pipe_, -1));
}

void VideoFile::fail() {
  throw OutputError(file_.string() + ": ffmpeg could not write the video; its output is above");
}

void VideoFile::add(const Picture& picture) {
  const std::uint8_t* bytes = picture.rgb.data();
  for (std::size_t left = picture.rgb.size(); left > 0;) {
    const ssize_t written = write(pipe_, bytes, left);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail();
    bytes += written;
    left -= static_cast<std::size_t>(written);
  }
}

void VideoFile::finish() {
  end_input();
  int status = 0;
  waitpid(std::exchange(process_, 0), &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    std::error_code error;
    std::filesystem::remove(partial_, error);
    fail();
  }
  std::error_code error;
  std::filesystem::rename(partial_, file_, error);
  if (error) throw OutputError(file_.string() + ": " + error.message());
}

}  // namespace bulwark::app
