#include <bulwark/base/error.hpp>
#include <bulwark/base/input_file.hpp>
#include <bulwark/base/parallel.hpp>
#include <bulwark/output/reading/frame_reader.hpp>
#include <bulwark/output/reading/run_summary.hpp>
#include <bulwark/output/viewing/viewed_run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <exception>
#include <nlohmann/json.hpp>

namespace bulwark {
namespace {

using Json = nlohmann::ordered_json;

/// Surfaces kept at once: more than one only when bodies were remeshed.
constexpr std::size_t most_surfaces = 4;

/// Frames that a colour scale is judged by.
constexpr std::size_t sampled_frames = 9;

/// Changes when another run begins in the folder.
std::string identity_of(const FrameEntry& first) {
  std::error_code error;
  const auto written = std::filesystem::last_write_time(first.path, error);
  return fmt::format("{}-{}", first.step, written.time_since_epoch().count());
}

std::string kind_of(const std::string& name, bool obstacle, const RunSummary& summary) {
  if (obstacle) return "obstacle";
  const std::string base = name.substr(0, name.find('['));  // copies are named name[i,j,k]
  const auto known = summary.kinds.find(base);
  return known == summary.kinds.end() ? "" : known->second;
}

Json bodies_json(const BodiesOfRun& all, const RunSummary& summary) {
  Json bodies = Json::array();
  for (std::size_t i = 0; i < all.bodies.size(); ++i) {
    const bool obstacle = all.bodies[i].obstacle;
    bodies.push_back(
        {{"name", all.names[i]}, {"kind", kind_of(all.names[i], obstacle, summary)}, {"obstacle", obstacle}});
  }
  return bodies;
}

Json joints_json(const JointsOfRun& all) {
  Json joints = Json::array();
  for (const ViewedJoint& joint : all.all()) {
    joints.push_back({{"name", joint.name}, {"kind", joint.kind}, {"bodies", {joint.body_a, joint.body_b}}});
  }
  return joints;
}

Json vector_json(const Vector3& v) {
  return {v.x(), v.y(), v.z()};
}

/// Which way is up, and where the scene file looks from.
void add_view(Json& run, const RunSummary& summary) {
  run["up"] = vector_json(up_direction(summary));
  if (!summary.camera) return;
  run["camera"] = {{"position", vector_json(summary.camera->position)},
                   {"target", vector_json(summary.camera->target)},
                   {"field_of_view_degrees", summary.camera->field_of_view_degrees}};
}

/// Adds the bodies that are new to the run, and numbers those of the surface as the run does.
SurfaceOfBodies numbered(ViewedSurface surface, const Frame& frame, BodiesOfRun& all) {
  std::vector<int> number;
  for (std::size_t i = 0; i < frame.body_names.size(); ++i) {
    const auto [known, is_new] = all.index.emplace(frame.body_names[i], static_cast<int>(all.names.size()));
    if (is_new) {
      all.names.push_back(frame.body_names[i]);
      all.bodies.push_back(frame.bodies[i]);
    }
    number.push_back(known->second);
  }
  for (int& body : surface.vertex_body) body = number[body];
  for (FramePlane& plane : surface.planes) plane.body = number[plane.body];
  return {std::move(surface), all.bodies};
}

/// The box around the moving bodies, or around all when nothing moves: low and high corner.
Json bounds_json(const FrameArrays& frame, const SurfaceOfBodies& surface) {
  const std::vector<float> positions = vertex_positions(frame, surface.surface);
  const bool any_moving = std::any_of(surface.bodies.begin(), surface.bodies.end(),
                                      [](const CollisionBody& body) { return !body.obstacle; });
  Vector3 low = Vector3::Constant(1e30), high = -low;
  for (std::size_t v = 0; v < surface.surface.vertex_count(); ++v) {
    if (any_moving && surface.bodies[surface.surface.vertex_body[v]].obstacle) continue;
    const Vector3 place(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]);
    low = low.cwiseMin(place);
    high = high.cwiseMax(place);
  }
  if (!(low.array() <= high.array()).all()) low = high = Vector3::Zero();
  return {low.x(), low.y(), low.z(), high.x(), high.y(), high.z()};
}

/// A summary that can't be read is none: the frames are what is looked at.
RunSummary summary_of(const std::filesystem::path& folder) {
  try {
    return read_run_summary(folder, folder);
  } catch (const InputError&) {
    return {};
  }
}

Json fields_json(const FrameArrays& frame) {
  Json fields = Json::array();
  for (const ViewedField field : viewed_fields) {
    if (has_field(frame, field)) fields.push_back(field_json(field));
  }
  return fields;
}

}  // namespace

nlohmann::ordered_json field_json(ViewedField field) {
  const FieldDescription& of = described(field);
  return {{"name", of.name},
          {"title", of.title},
          {"group", of.group},
          {"unit", of.unit},
          {"signed", of.is_signed()}};
}

ViewedRun::ViewedRun(std::filesystem::path folder)
    : folder_(std::move(folder)),
      steps_(folder_ / "steps.csv", folder_),
      bodies_(folder_ / "bodies.csv", folder_),
      wrenches_(folder_ / "wrenches.csv", folder_),
      contacts_(folder_ / "contacts.csv", folder_) {
  if (!std::filesystem::is_directory(folder_)) {
    throw InputError(folder_.string(), "there is no such run folder",
                     "give the folder that `bulwark run -o` wrote");
  }
  if (frames().empty()) {
    throw InputError(folder_.string(), "this folder holds no frames (frames/frame_*.vtu)",
                     "give the folder that `bulwark run -o` wrote");
  }
}

std::vector<FrameEntry> ViewedRun::frames() {
  const std::filesystem::path frames = folder_ / "frames";
  std::error_code error;
  if (std::filesystem::exists(frames, error) && !leads_into(frames, folder_)) {
    throw InputError(frames.string(), "a link points outside the run folder and is not followed",
                     "put the frames into the folder, or view the folder that holds them");
  }
  return list_frames(frames);
}

/// The first of these frames that can be read, with its surface. A damaged frame must not hide the others;
/// where none can be read, the first one's error is what there is to say.
template <class Entry>
ViewedRun::ReadFrame ViewedRun::first_readable(Entry entry, Entry end) {
  std::exception_ptr problem;
  for (; entry != end; ++entry) {
    try {
      ReadFrame read;
      read.arrays = std::make_unique<FrameArrays>(entry->path, folder_);
      read.surface = surface_of(*read.arrays, entry->path);
      read.bounds = bounds_json(*read.arrays, *read.surface).dump();
      return read;
    } catch (const InputError&) {
      if (!problem) problem = std::current_exception();
    }
  }
  if (!problem) throw InputError(folder_.string(), "the frames of this run are gone");
  std::rethrow_exception(problem);
}

std::filesystem::path ViewedRun::frame_path(std::int64_t step) const {
  return folder_ / "frames" / frame_file_name(step);
}

std::optional<double> ViewedRun::time_of(const FrameEntry& frame) {
  const std::lock_guard lock(times_mutex_);
  const auto known = times_.find(frame.step);
  if (known != times_.end()) return known->second;
  try {
    return times_[frame.step] = read_frame_time(frame.path, folder_);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// steps.csv knows the times of all steps: thousands of files need not be opened.
void ViewedRun::read_times() {
  const std::lock_guard lock(times_mutex_);
  std::string lines;
  try {
    lines = steps_.lines_from(times_read_);
  } catch (const InputError&) {
    return;  // the frames know their times too
  }
  times_read_ += lines.size();
  for (std::string_view rest = lines; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
    const char* const line = rest.data();
    std::int64_t step = 0;
    double time = 0;
    const auto first = std::from_chars(line, line + end, step);
    if (first.ec == std::errc() && first.ptr < line + end && *first.ptr == ',' &&
        std::from_chars(first.ptr + 1, line + end, time).ec == std::errc() && std::isfinite(time)) {
      times_.emplace(step, time);
    }
    rest.remove_prefix(end);
  }
}

std::string ViewedRun::description(std::size_t from) {
  return description(frames(), from);
}

std::string ViewedRun::description(const std::vector<FrameEntry>& frames, std::size_t from) {
  if (frames.empty()) throw InputError(folder_.string(), "the frames of this run are gone");
  read_times();
  const RunSummary summary = summary_of(folder_);
  Json run = {{"title", summary.title},
              {"folder", std::filesystem::weakly_canonical(folder_).filename().string()},
              {"version", summary.version},
              {"state", summary.state.empty() ? "unknown" : summary.state},
              {"message", summary.message},
              {"identity", identity_of(frames.front())},
              {"from", from}};
  Json steps = Json::array(), times = Json::array();
  double time = from > 0 && from <= frames.size() ? time_of(frames[from - 1]).value_or(0) : 0;
  for (std::size_t i = from; i < frames.size(); ++i) {
    time = time_of(frames[i]).value_or(time);  // where a frame is damaged, the page still needs a time
    steps.push_back(frames[i].step);
    times.push_back(time);
  }
  run["steps"] = std::move(steps);
  run["times"] = std::move(times);
  if (from == 0) {
    const std::lock_guard lock(whole_mutex_);
    const std::string key = identity_of(frames.front()) + identity_of(frames.back());
    if (key != whole_key_) {
      whole_ = describe_whole(frames, summary);
      whole_key_ = key;
    }
    run.update(Json::parse(whole_));
    add_view(run, summary);
  }
  return run.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Bodies, joints, fields and bounds, as JSON.
std::string ViewedRun::describe_whole(const std::vector<FrameEntry>& frames, const RunSummary& summary) {
  {
    const std::lock_guard lock(surfaces_mutex_);
    const std::string identity = identity_of(frames.front());
    if (!described_.empty() && identity != described_) {
      all_bodies_ = {};
      all_joints_ = {};
      surfaces_.clear();
    }
    described_ = identity;
  }
  const ReadFrame first = first_readable(frames.begin(), frames.end()),
                  last = first_readable(frames.rbegin(), frames.rend());
  Json bodies, joints;
  {
    const std::lock_guard lock(surfaces_mutex_);
    bodies = bodies_json(all_bodies_, summary);
    for (const ReadFrame* frame : {&first, &last}) {
      try {
        all_joints_.list(*frame->arrays);
      } catch (
          const InputError&) {  // NOLINT(bugprone-empty-catch): asking for that frame's joints tells of it
      }
    }
    joints = joints_json(all_joints_);
  }
  const Json whole = {{"bodies", bodies},
                      {"joints", joints},
                      {"triangles", first.surface->surface.triangles.size()},
                      {"fields", fields_json(*last.arrays)},
                      {"bounds", {{"first", Json::parse(first.bounds)}, {"last", Json::parse(last.bounds)}}}};
  return whole.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::shared_ptr<const SurfaceOfBodies> ViewedRun::surface_of(const FrameArrays& frame,
                                                             const std::filesystem::path& path) {
  const std::lock_guard lock(surfaces_mutex_);
  const std::uint64_t topology = frame.topology();
  const auto known = surfaces_.find(topology);
  if (known != surfaces_.end()) return known->second;
  const Frame whole = whole_frame(frame);
  if (surfaces_.size() >= most_surfaces) surfaces_.erase(surfaces_.begin());
  frame_with_.insert_or_assign(topology, path);
  return surfaces_[topology] =
             std::make_shared<SurfaceOfBodies>(numbered(viewed_surface(whole), whole, all_bodies_));
}

std::shared_ptr<const SurfaceOfBodies> ViewedRun::surface(std::uint64_t topology) {
  std::filesystem::path path;
  {
    const std::lock_guard lock(surfaces_mutex_);
    const auto known = frame_with_.find(topology);
    if (known == frame_with_.end()) throw InputError("no frame of this run has that surface");
    path = known->second;
  }
  return surface_of(FrameArrays(path, folder_), path);
}

/// The run's bodies; those of its first good frame at least.
BodyIndex ViewedRun::body_index() {
  {
    const std::lock_guard lock(surfaces_mutex_);
    if (!all_bodies_.index.empty()) return all_bodies_.index;
  }
  const std::vector<FrameEntry> all = frames();
  first_readable(all.begin(), all.end());
  const std::lock_guard lock(surfaces_mutex_);
  return all_bodies_.index;
}

FrameArrays ViewedRun::arrays_of(const FrameEntry& entry) const {
  return FrameArrays(entry.path, folder_);
}

std::string ViewedRun::packed_frame(std::int64_t step, std::optional<ViewedField> field) {
  const std::filesystem::path path = frame_path(step);
  const FrameArrays frame(path, folder_);
  const auto surface = surface_of(frame, path);
  return pack_frame(frame.topology(), frame.time(), vertex_positions(frame, surface->surface),
                    field ? vertex_field(frame, surface->surface, *field) : std::vector<float>());
}

std::vector<float> ViewedRun::bodies_at(std::int64_t step) {
  return body_states(bodies_.rows(step), wrenches_.rows(step), body_index());
}

std::vector<float> ViewedRun::contacts_at(std::int64_t step) {
  return contact_list(contacts_.rows(step), body_index());
}

std::vector<float> ViewedRun::joints_at(std::int64_t step) {
  const FrameArrays frame(frame_path(step), folder_);
  const std::lock_guard lock(surfaces_mutex_);
  return all_joints_.list(frame);
}

float ViewedRun::scale_end_of(ViewedField field) {
  return scale_end_of(field, frames());
}

float ViewedRun::scale_end_of(ViewedField field, const std::vector<FrameEntry>& frames) {
  const std::size_t count = std::min(frames.size(), sampled_frames);
  std::vector<float> ends(count, 0);
  parallel_chunks(count, 1, [&](std::size_t i, std::size_t, std::size_t) {
    // Evenly spread, the last one among them.
    const FrameEntry& entry = frames[(i + 1) * frames.size() / count - 1];
    try {
      const FrameArrays frame(entry.path, folder_);
      ends[i] = scale_end(field, vertex_field(frame, surface_of(frame, entry.path)->surface, field));
    } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): a damaged frame has no say
    }
  });
  return ends.empty() ? 0 : *std::max_element(ends.begin(), ends.end());
}

}  // namespace bulwark
