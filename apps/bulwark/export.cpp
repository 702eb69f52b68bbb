#include "command_line.hpp"
#include "commands.hpp"
#include "numbered_name.hpp"
#include "run_frames.hpp"

#include <bulwark/base/error.hpp>
#include <bulwark/output/drawing/gltf.hpp>
#include <bulwark/output/reading/frame_reader.hpp>
#include <bulwark/output/reading/run_summary.hpp>
#include <bulwark/output/writing/atomic_file.hpp>
#include <bulwark/output/writing/frame_writer.hpp>
#include <bulwark/output/writing/surface_files.hpp>

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <optional>

namespace bulwark::app {
namespace {

struct ExportOptions {
  std::string folder;
  std::string format;         ///< gltf, obj, ply, stl, vtk or vtu; "": told by the output's name
  std::string output;         ///< a file, or the folder of the files; "": in the folder `export` of the run
  std::optional<long> frame;  ///< the step of the only frame to write; empty: all
  int every = 1;              ///< frames from one to the next
  bool quiet = false;
};

constexpr const char* all_formats = "gltf, obj, ply, stl, vtk or vtu";

struct FrameFormat {
  std::string name;  ///< and the end of the files' names
  std::string (*write)(const Frame&);
};
const std::array<FrameFormat, 5> frame_formats = {{{"obj", frame_to_obj},
                                                   {"ply", frame_to_ply},
                                                   {"stl", frame_to_stl},
                                                   {"vtk", frame_to_legacy_vtk},
                                                   {"vtu", frame_to_vtu}}};

/// The format that a file's name stands for; "" when it stands for none.
std::string format_by_name(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  if (extension == ".glb" || extension == ".gltf") return "gltf";
  for (const FrameFormat& format : frame_formats) {
    if (extension == "." + format.name) return format.name;
  }
  return "";
}

std::string chosen_format(const ExportOptions& options) {
  const std::string by_name = format_by_name(options.output);
  if (options.format.empty() && by_name.empty()) {
    throw InputError(
        options.output.empty() ? "bulwark export" : options.output,
        "neither the output name nor --format gives the format",
        fmt::format("end the name in .glb, .gltf, .obj, .ply, .stl, .vtk or .vtu, or give --format with {}",
                    all_formats));
  }
  if (!options.format.empty() && !by_name.empty() && options.format != by_name) {
    throw InputError(options.output,
                     fmt::format("--format {} contradicts the end of this name", options.format),
                     "leave --format out, or give another name");
  }
  return options.format.empty() ? by_name : options.format;
}

/// All frames, or every Nth, or the one that is asked for.
std::vector<FrameEntry> chosen_frames(const ExportOptions& options) {
  const std::vector<FrameEntry> all = run_frames(options.folder);
  if (options.frame) return {frame_of_step(all, options.frame)};
  std::vector<FrameEntry> chosen;
  for (std::size_t i = 0; i < all.size(); i += static_cast<std::size_t>(options.every)) {
    chosen.push_back(all[i]);
  }
  return chosen;
}

void note_planes(const Frame& frame, const std::string& format) {
  if (frame.planes.empty() || format == "vtk" || format == "vtu") return;
  fmt::print("note: infinite planes are left out: {} does not have them\n", format);
}

/// ParaView opens a series of legacy files, with their times, by this list.
std::string series_json(const std::vector<std::pair<std::string, double>>& files) {
  std::string json = "{\"file-series-version\": \"1.0\", \"files\": [";
  for (std::size_t i = 0; i < files.size(); ++i) {
    json += fmt::format("{}\n  {{\"name\": \"{}\", \"time\": {}}}", i == 0 ? "" : ",", files[i].first,
                        files[i].second);
  }
  return json + "\n]}\n";
}

void make_parent(const std::filesystem::path& file) {
  if (file.has_parent_path()) make_folder(file.parent_path());
}

/// One frame into one file.
int export_frame(const ExportOptions& options, const FrameFormat& format) {
  const FrameEntry entry = frame_of_step(run_frames(options.folder), options.frame);
  const Frame frame = read_frame(entry.path);
  make_parent(options.output);
  write_file_atomically(options.output, format.write(frame));
  if (options.quiet) return 0;
  note_planes(frame, format.name);
  fmt::print("{}: step {}, t = {:.4g} s\n", options.output, frame.step, frame.time);
  return 0;
}

int export_frames(const ExportOptions& options, const FrameFormat& format) {
  const std::filesystem::path output = options.output;
  const bool numbered = !format_by_name(output).empty();
  const std::filesystem::path folder = numbered         ? output.parent_path()
                                       : output.empty() ? run_folder_of(options.folder) / "export"
                                                        : output;
  if (!folder.empty()) make_folder(folder);
  std::vector<std::pair<std::string, double>> files;
  for (const FrameEntry& entry : chosen_frames(options)) {
    const Frame frame = read_frame(entry.path);
    if (files.empty() && !options.quiet) note_planes(frame, format.name);
    files.emplace_back(numbered ? with_number(output, frame.step).filename().string()
                                : fmt::format("frame_{:06}.{}", frame.step, format.name),
                       frame.time);
    write_file_atomically(folder / files.back().first, format.write(frame));
  }
  if (format.name == "vtk") write_file_atomically(folder / "run.vtk.series", series_json(files));
  if (!options.quiet) {
    fmt::print("{}: {} {} files\n", numbered ? output.string() : folder.string(), files.size(), format.name);
  }
  return 0;
}

int export_gltf(const ExportOptions& options) {
  const std::vector<FrameEntry> frames = chosen_frames(options);
  const std::filesystem::path run = run_folder_of(options.folder);
  const std::filesystem::path file =
      options.output.empty() ? run / "export" / "run.glb" : std::filesystem::path(options.output);
  if (format_by_name(file) != "gltf") {
    throw InputError(file.string(), "glTF is written as one file", "give a name that ends in .glb or .gltf");
  }
  make_parent(file);
  GltfCounts counts;
  const GltfForm form = file.extension() == ".gltf" ? GltfForm::text : GltfForm::binary;
  const std::string bytes = run_to_gltf(frames, up_direction(read_run_summary(run)), form, &counts);
  write_file_atomically(file, bytes);
  if (options.quiet) return 0;
  fmt::print("{}: {} frames, {} bodies that move rigidly, {} that deform, {} stationary; {:.1f} MB\n",
             file.string(), frames.size(), counts.rigid, counts.deforming, counts.still,
             static_cast<double>(bytes.size()) / 1e6);
  return 0;
}

int export_run(const ExportOptions& options) {
  const std::string name = chosen_format(options);
  for (const FrameFormat& format : frame_formats) {
    if (name != format.name) continue;
    // A file takes one frame; a folder, or a name with a number, all of them.
    const bool one = !format_by_name(options.output).empty() && !is_numbered(options.output);
    return one ? export_frame(options, format) : export_frames(options, format);
  }
  return export_gltf(options);
}

}  // namespace

void add_export_command(CommandLine& line) {
  auto [command, options] =
      line.add<ExportOptions>("export", "Write a run in the formats of other programs", export_run);
  command.add_option("DIR", options.folder, "Run folder, or one frame (.vtu)")->required();
  command.add_option("--format", options.format, "gltf, obj, ply, stl, vtk or vtu (default: from -o)")
      ->check(CLI::IsMember({"gltf", "obj", "ply", "stl", "vtk", "vtu"}).description(""))
      ->type_name("NAME");
  command
      .add_option("-o,--output", options.output, "File, files (out/%04d.obj) or folder (default: DIR/export)")
      ->type_name("PATH");
  command
      .add_option("--frame", options.frame, "Step of the only frame (default: all; of one .obj, .. the last)")
      ->check(not_negative())
      ->type_name("N");
  command.add_option("--every", options.every, "Use every Nth frame")
      ->check(CLI::Range(1, 1'000'000'000).description(""))
      ->type_name("N");
  add_quiet(command, options.quiet);
  command.footer("Example:\n  bulwark export out/trial -o trial.glb");
}

}  // namespace bulwark::app
