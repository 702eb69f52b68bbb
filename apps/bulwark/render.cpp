#include "command_line.hpp"
#include "commands.hpp"
#include "numbered_name.hpp"
#include "run_frames.hpp"
#include "units.hpp"
#include "video_file.hpp"

#include <bulwark/base/error.hpp>
#include <bulwark/output/drawing/color_bar.hpp>
#include <bulwark/output/drawing/picture.hpp>
#include <bulwark/output/drawing/point_field.hpp>
#include <bulwark/output/reading/frame_reader.hpp>
#include <bulwark/output/reading/run_summary.hpp>
#include <bulwark/output/writing/atomic_file.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

namespace bulwark::app {
namespace {

struct RenderOptions {
  std::string folder;
  std::string output;         ///< a picture, numbered pictures (%04d.png) or a video
  std::optional<long> frame;  ///< of a picture: the step that the frame shows; empty: the last
  std::string size = "1280x720";
  std::string color = "body";    ///< body, stress, or a field by its name
  std::string camera;            ///< "x,y,z,tx,ty,tz"; "": the scene's, or one that fits
  double deformation_scale = 1;  ///< of displacements since the run's first frame
  bool mesh_edges = false;
  bool quiet = false;
  std::optional<int> every;  ///< of videos and numbered pictures: frames from one to the next
  std::optional<double> frames_per_second;
};

/// Frames that are looked at to fit a camera to a whole run.
constexpr std::size_t looked_at = 16;

void parse_size(const std::string& text, PictureStyle& style) {
  constexpr int largest = 16384;
  const char* end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, style.width);
  const bool has_cross = width.ec == std::errc() && width.ptr != end && *width.ptr == 'x';
  const auto height = has_cross ? std::from_chars(width.ptr + 1, end, style.height) : width;
  if (!has_cross || height.ec != std::errc() || height.ptr != end || style.width < 1 || style.height < 1 ||
      style.width > largest || style.height > largest) {
    throw InputError("--size " + text,
                     fmt::format("the size is two whole numbers from 1 to {}, as 1280x720", largest));
  }
}

/// "x,y,z,tx,ty,tz": where the camera is, and the point that it looks at.
CameraSettings parse_camera(const std::string& text) {
  std::array<double, 6> numbers{};
  const char* at = text.data();
  const char* end = at + text.size();
  std::size_t count = 0;
  while (count < numbers.size()) {
    const auto [after, error] = std::from_chars(at, end, numbers[count]);
    if (error != std::errc() || !std::isfinite(numbers[count])) break;
    ++count;
    at = after;
    if (count == numbers.size() || at == end || *at != ',') break;
    ++at;
  }
  CameraSettings camera;
  camera.position = {numbers[0], numbers[1], numbers[2]};
  camera.target = {numbers[3], numbers[4], numbers[5]};
  if (count < numbers.size() || at != end || camera.position == camera.target) {
    throw InputError("--camera " + text,
                     "the camera is six numbers: its position, and another point that it looks at",
                     "write them as 3,2,4,0,0.5,0 (x,y,z, then x,y,z of the target; m)");
  }
  return camera;
}

std::vector<std::string> names_of_colors() {
  std::vector<std::string> names = {"body", "stress"};
  for (const FieldDescription& field : viewed_field_table) names.emplace_back(field.name);
  return names;
}

std::optional<ViewedField> field_to_show(const std::string& name) {
  if (name == "body") return std::nullopt;
  if (name == "stress") return ViewedField::von_mises_stress;
  return field_by_name(name);
}

/// What the output is: one picture, numbered pictures, or a video.
enum class Output { picture, pictures, video };

Output kind_of_output(const std::filesystem::path& file) {
  if (is_video_name(file)) return Output::video;
  if (file.extension() != ".png") {
    throw InputError(file.string(), "pictures end in .png, videos in .mp4, .webm or .gif",
                     "pictures of all frames are asked for as -o pictures/%04d.png");
  }
  return is_numbered(file) ? Output::pictures : Output::picture;
}

std::vector<FrameEntry> every_nth(const std::vector<FrameEntry>& frames, std::size_t n) {
  std::vector<FrameEntry> chosen;
  for (std::size_t i = 0; i < frames.size(); i += n) chosen.push_back(frames[i]);
  return chosen;
}

/// How a video plays: which frames, how many a second.
struct Timing {
  std::size_t every = 1;
  double frames_per_second = 30;
  double speed = 0;  ///< against real time; 0: unknown
};

/// Real time where frames are dense enough for it, by leaving frames out where there are more than a screen
/// shows. A run that would be over in a blink is shown slowly instead.
Timing video_timing(const RenderOptions& options, const std::vector<FrameEntry>& frames) {
  constexpr double most = 60, fewest = 10, usual = 30, shortest_seconds = 1;
  Timing timing;
  const double duration =
      frames.size() > 1 ? read_frame_time(frames.back().path) - read_frame_time(frames.front().path) : 0;
  const double rate =
      duration > 0 ? static_cast<double>(frames.size() - 1) / duration : 0;  // frames per simulated second
  const bool real_time = rate >= fewest && duration >= shortest_seconds;
  if (options.every) {
    timing.every = static_cast<std::size_t>(*options.every);
  } else if (!options.frames_per_second && real_time) {
    timing.every = static_cast<std::size_t>(std::ceil(rate / most - 1e-9));
  }
  const double kept_rate = rate / static_cast<double>(timing.every);
  timing.frames_per_second =
      options.frames_per_second.value_or(real_time && kept_rate <= most ? kept_rate : usual);
  if (kept_rate > 0) timing.speed = timing.frames_per_second / kept_rate;
  return timing;
}

bool has_same_cells(const Frame& a, const Frame& b) {
  return a.point_body == b.point_body && a.bodies.size() == b.bodies.size() && a.tetrahedra == b.tetrahedra &&
         a.solids == b.solids && a.triangles == b.triangles && a.skin == b.skin && a.segments == b.segments &&
         a.vertices == b.vertices && a.planes.size() == b.planes.size();
}

class Renderer {
 public:
  Renderer(const RenderOptions& options, const std::vector<FrameEntry>& frames)
      : summary_(read_run_summary(run_folder_of(options.folder))) {
    parse_size(options.size, style_);
    width_ = style_.width;
    if (!options.camera.empty()) summary_.camera = parse_camera(options.camera);
    style_.up = up_direction(summary_);
    style_.field = field_to_show(options.color);
    style_.mesh_edges = options.mesh_edges;
    // The scale stands beside what it explains, and covers nothing of it.
    if (style_.field) bar_width_ = color_bar_width(style_.width, style_.height);
    style_.width -= bar_width_;
    deformation_scale_ = options.deformation_scale;
    if (deformation_scale_ != 1) first_ = read_frame(run_frames(run_folder_of(options.folder)).front().path);
    find_scale(frames);
    find_camera(frames);
  }

  Picture draw(const FrameEntry& entry, double* time = nullptr) {
    const Frame frame = drawn_frame(entry);
    if (time != nullptr) *time = frame.time;
    // Which corners are smooth is decided once: else corners would flicker when a body bends.
    if (!has_same_cells(frame, seen_)) {
      seen_ = frame;
      surface_ = viewed_surface(frame);
    }
    const Picture picture = draw_frame(frame, surface_, camera_, style_);
    return bar_width_ > 0 ? with_color_bar(picture, bar_width_, scale()) : picture;
  }

  int width() const { return width_; }
  int height() const { return style_.height; }
  std::string scale_text() const {
    if (!style_.field) return "";
    const FieldDescription& field = described(*style_.field);
    const std::string end = with_unit(style_.field_end, std::string(field.unit));
    return field.is_signed() ? fmt::format("colours: {} from -{} to {} (blue to red)\n", field.name, end, end)
                             : fmt::format("colours: {} from 0 to {} (dark to bright)\n", field.name, end);
  }
  ColorScale scale() const {
    const FieldDescription& field = described(*style_.field);
    return {std::string(field.title), std::string(field.unit), style_.field_end, field.is_signed()};
  }

 private:
  /// With displacements drawn larger: X + s (x - X), X the place in the first frame.
  Frame drawn_frame(const FrameEntry& entry) const {
    Frame frame = read_frame(entry.path);
    if (deformation_scale_ == 1) return frame;
    if (frame.point_body != first_.point_body) {
      throw InputError(entry.path.string(),
                       "bodies came or went since the first frame, so that there are no displacements",
                       "leave out --deformation-scale, or draw frames before that");
    }
    frame.position = first_.position + deformation_scale_ * (frame.position - first_.position);
    return frame;
  }

  /// The scale ends at the largest value that a moving body has in any of the frames.
  void find_scale(const std::vector<FrameEntry>& frames) {
    if (!style_.field) return;
    double largest = 0;
    for (const FrameEntry& entry : frames) {
      const Frame frame = read_frame(entry.path);
      const std::vector<float> values = point_field(frame, *style_.field);
      if (values.empty()) {
        throw InputError(
            entry.path.string(), fmt::format("this frame has no {}", described(*style_.field).name),
            *style_.field == ViewedField::von_mises_stress
                ? "only soft bodies have it, and only with \"stress\" in output.fields"
                : "add its array to output.fields in the scene, and run again: see docs/output.md");
      }
      for (std::size_t point = 0; point < values.size(); ++point) {
        if (frame.bodies[frame.point_body[point]].obstacle || !std::isfinite(values[point])) continue;
        largest = std::max<double>(largest, std::abs(values[point]));
      }
    }
    style_.field_end = largest > 0 ? largest : 1;
  }

  /// Finds the camera that suits all frames, unless the scene or the user has one.
  void find_camera(const std::vector<FrameEntry>& frames) {
    if (summary_.camera) {
      camera_ = look_at(summary_.camera->position, summary_.camera->target,
                        summary_.camera->field_of_view_degrees, style_.up);
      return;
    }
    std::vector<Vectors> places;
    Eigen::Index count = 0;
    for (const FrameEntry& entry : every_nth(frames, (frames.size() + looked_at - 1) / looked_at)) {
      places.push_back(moving_points(drawn_frame(entry)));
      count += places.back().cols();
    }
    Vectors all(3, count);
    count = 0;
    for (const Vectors& points : places) {
      all.middleCols(count, points.cols()) = points;
      count += points.cols();
    }
    camera_ = fit_camera(all, static_cast<double>(style_.width) / style_.height, style_.up);
  }

  RunSummary summary_;
  PictureStyle style_;  ///< of the picture without its colour bar
  int width_ = 0, bar_width_ = 0;
  Camera camera_;
  Frame first_;  ///< of the run, where displacements are scaled
  double deformation_scale_ = 1;
  Frame seen_;  ///< whose surface it is
  ViewedSurface surface_;
};

/// The line that is rewritten while many pictures are drawn, on a terminal only.
void show_progress(const RenderOptions& options, std::size_t done, std::size_t count) {
  if (options.quiet || isatty(STDOUT_FILENO) == 0) return;
  fmt::print("\r\033[Kpicture {}/{}{}", done, count, done == count ? "\r\033[K" : "");
  std::fflush(stdout);
}

void make_parent(const std::filesystem::path& file) {
  if (file.has_parent_path()) make_folder(file.parent_path());
}

int render_video(const RenderOptions& options, const std::vector<FrameEntry>& all) {
  const Timing timing = video_timing(options, all);
  const std::vector<FrameEntry> frames = every_nth(all, timing.every);
  Renderer renderer(options, frames);
  make_parent(options.output);
  VideoFile video(options.output, renderer.width(), renderer.height(), timing.frames_per_second);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    video.add(renderer.draw(frames[i]));
    show_progress(options, i + 1, frames.size());
  }
  video.finish();
  if (options.quiet) return 0;
  fmt::print("{}{}: {} of {} frames, {:.3g} s at {:.4g} a second{}\n", renderer.scale_text(), options.output,
             frames.size(), all.size(), static_cast<double>(frames.size()) / timing.frames_per_second,
             timing.frames_per_second,
             timing.speed > 0 ? fmt::format(", {:.3g} x real time", timing.speed) : "");
  return 0;
}

int render_pictures(const RenderOptions& options, const std::vector<FrameEntry>& all) {
  const std::vector<FrameEntry> frames = every_nth(all, static_cast<std::size_t>(options.every.value_or(1)));
  Renderer renderer(options, frames);
  const std::filesystem::path pattern = options.output;
  make_parent(pattern);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    write_file_atomically(with_number(pattern, frames[i].step), picture_to_png(renderer.draw(frames[i])));
    show_progress(options, i + 1, frames.size());
  }
  if (options.quiet) return 0;
  fmt::print("{}{}: {} pictures, numbered by step\n", renderer.scale_text(), options.output, frames.size());
  return 0;
}

int render(const RenderOptions& options) {
  const Output output = kind_of_output(options.output);
  const std::vector<FrameEntry> frames = run_frames(options.folder);
  if (output == Output::video) return render_video(options, frames);
  if (output == Output::pictures) return render_pictures(options, frames);
  const FrameEntry entry = frame_of_step(frames, options.frame);
  Renderer renderer(options, {entry});
  make_parent(options.output);
  double time = 0;
  write_file_atomically(options.output, picture_to_png(renderer.draw(entry, &time)));
  if (options.quiet) return 0;
  fmt::print("{}{}: {} at t = {:.4g} s\n", renderer.scale_text(), options.output, entry.path.string(), time);
  return 0;
}

}  // namespace

void add_render_command(CommandLine& line) {
  auto [command, options] =
      line.add<RenderOptions>("render", "Picture or video of a run, without a screen", render);
  command.add_option("DIR", options.folder, "Run folder, or one frame (.vtu)")->required();
  command
      .add_option("-o,--output", options.output,
                  "Picture (.png), pictures (out/%04d.png), or video (.mp4, .webm, .gif)")
      ->type_name("FILE")
      ->required();
  command.add_option("--frame", options.frame, "Step of the frame to show (default: the last)")
      ->check(not_negative())
      ->type_name("N");
  command.add_option("--size", options.size, "Pixels (default: 1280x720)")->type_name("WxH");
  command
      .add_option("--color", options.color,
                  "body, speed, stress, contact_pressure, stress_xx or another\n"
                  "field of the frames (default: body)")
      ->check(CLI::IsMember(names_of_colors()).description(""))
      ->type_name("BY");
  command
      .add_option("--camera", options.camera, "Camera and the point it looks at, m (default: the scene's)")
      ->type_name("X,Y,Z,TX,TY,TZ");
  command
      .add_option("--deformation-scale", options.deformation_scale,
                  "Draw displacements since the first frame that much larger (default: 1)")
      ->check(CLI::Range(0.0, 1e9).description(""))
      ->type_name("S");
  command.add_flag("--edges", options.mesh_edges, "Draw the edges of the mesh");
  command
      .add_option("--every", options.every,
                  "Video: use every Nth frame (default: so that it plays in real time)")
      ->check(CLI::Range(1, 1'000'000'000).description(""))
      ->type_name("N");
  command.add_option("--fps", options.frames_per_second, "Video: frames a second")
      ->check(CLI::Range(0.1, 1000.0).description(""))
      ->type_name("N");
  add_quiet(command, options.quiet);
  command.footer("Example:\n  bulwark render out/trial -o trial.mp4 --color speed");
}

}  // namespace bulwark::app
