#include "commands.hpp"
#include "run_frames.hpp"

#include <bulwark/base/error.hpp>
#include <bulwark/output/atomic_file.hpp>
#include <bulwark/output/gltf.hpp>
#include <bulwark/output/run_summary.hpp>
#include <bulwark/output/surface_files.hpp>

#include <fmt/format.h>

#include <filesystem>

namespace bulwark::app {
namespace {

struct FrameFormat {
  const char* name;
  std::string (*write)(const Frame&);
};
constexpr FrameFormat frame_formats[] = {
    {"obj", frame_to_obj}, {"ply", frame_to_ply}, {"stl", frame_to_stl}, {"vtk", frame_to_legacy_vtk}};

std::vector<FrameEntry> chosen_frames(const ExportOptions& options) {
  const std::vector<FrameEntry> all = run_frames(options.folder);
  std::vector<FrameEntry> chosen;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (options.frame ? all[i].step == *options.frame : i % static_cast<std::size_t>(options.every) == 0) {
      chosen.push_back(all[i]);
    }
  }
  if (chosen.empty()) {
    throw InputError(fmt::format("--frame {}", *options.frame),
                     fmt::format("there is no frame of that step; they go from {} to {}", all.front().step,
                                 all.back().step));
  }
  return chosen;
}

void note_planes(const Frame& frame, const std::string& format) {
  if (frame.planes.empty() || format == "vtk") return;
  fmt::print("note: infinite planes are left out: {} has no such thing\n", format);
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

int export_frames(const ExportOptions& options, const FrameFormat& format) {
  const std::vector<FrameEntry> frames = chosen_frames(options);
  const std::filesystem::path folder = options.output.empty() ? run_folder_of(options.folder) / "export"
                                                              : std::filesystem::path(options.output);
  make_folder(folder);
  std::vector<std::pair<std::string, double>> files;
  for (const FrameEntry& entry : frames) {
    const Frame frame = read_frame(entry.path);
    if (files.empty()) note_planes(frame, format.name);
    files.emplace_back(fmt::format("frame_{:06}.{}", frame.step, format.name), frame.time);
    write_file_atomically(folder / files.back().first, format.write(frame));
  }
  if (format.name == std::string("vtk")) write_file_atomically(folder / "run.vtk.series", series_json(files));
  fmt::print("{}: {} {} files\n", folder.string(), files.size(), format.name);
  return 0;
}

int export_gltf(const ExportOptions& options) {
  const std::vector<FrameEntry> frames = chosen_frames(options);
  const std::filesystem::path run = run_folder_of(options.folder);
  const std::filesystem::path file =
      options.output.empty() ? run / "export" / "run.glb" : std::filesystem::path(options.output);
  if (file.extension() != ".glb") {
    throw InputError(file.string(), "glTF is written as one binary file", "give a name that ends in .glb");
  }
  if (file.has_parent_path()) make_folder(file.parent_path());
  GltfCounts counts;
  const std::string bytes = run_to_glb(frames, up_direction(read_run_summary(run)), &counts);
  write_file_atomically(file, bytes);
  fmt::print("{}: {} frames, {} bodies that move rigidly, {} that deform, {} that stand still; {:.1f} MB\n",
             file.string(), frames.size(), counts.rigid, counts.deforming, counts.still,
             static_cast<double>(bytes.size()) / 1e6);
  return 0;
}

}  // namespace

int export_run(const ExportOptions& options) {
  for (const FrameFormat& format : frame_formats) {
    if (options.format == format.name) return export_frames(options, format);
  }
  return export_gltf(options);
}

}  // namespace bulwark::app
